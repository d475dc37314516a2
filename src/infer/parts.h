/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files that turn instructions into the graph share with each other and with nobody else.
 */
#ifndef NF_INFER_PARTS_H
#define NF_INFER_PARTS_H

#include "infer/infer.h"

struct nf_late_phi {
    uint32_t at;
    struct nf_value value;
};

enum { NF_FROM_ZERO = 1, NF_FROM_OTHER = 2, NF_STORED_AGAIN = 4, NF_STEPPED = 8, NF_FROM_ELSEWHERE = 64 };
enum { NF_FILL = 1, NF_NO_FILL = 2, NF_PUT_ELSEWHERE = 255 };
/* What is known of what a variable keeps, if it is no single value. All are greater than any id. */
enum nf_kept {
    NF_KEPT_SEVERAL = 0x7ffffffd, /* it is only stored and loaded as a whole, but several times */
    NF_KEPT_PUT,                  /* the same, and there may be a number put above an address */
    NF_KEPT_MORE                  /* more is done with it */
};

/* What the instructions that use an id do with it. */
struct nf_uses {
    uint8_t count;    /* up to 255 */
    uint8_t put_back; /* at which bit every use of it joins other bits to it, shifted there; or NF_PUT_ELSEWHERE */
    bool leaves;      /* is it used by something else than arithmetic? */
};

/* What becomes of a pointer: constant distances to where it leads, and whether it gets out of sight, or part of it. */
struct nf_reach {
    int32_t low, high;
    bool escapes, part_escapes, is_integer;
};

struct nf_constrainer {
    struct nf_module *m;
    struct nf_function *f;
    uint32_t *made_in; /* by id of the module scope: the component in which its value was made */
    uint32_t component;
    struct nf_late_phi *phis;
    uint32_t phi_count, phi_capacity;
    /* By id of a promotable variable: what it holds now, if that was stored in this block. Of any other one: what is stored
     * there, if that is done once and it is only loaded; 0; or enum nf_kept. */
    uint32_t *stored;
    uint32_t *stored_in; /* by id of a promotable variable: the block (its label's offset) in which that was */
    uint32_t block;
    uint32_t *first; /* by id of a variable: what the first store puts there */
    /* By id of a variable: which constant numbers are stored there, and what else is known, enum above. Of a parameter: what
     * is done with the memory that it points to (puts.c). Of a type: is a known number of its elements ever stepped over? */
    uint8_t *counts;
    uint8_t *fills;       /* by id of a pointer: is it only stored through, and only constant numbers? enum above */
    struct nf_uses *uses; /* by id */
    uint8_t *widens; /* by id of a function's: may it become part of a wider number? Made when first asked (narrow.c) */
    const struct nf_function *widened_in;   /* the function of which that is known */
    const struct nf_function *distances_in; /* the last function in which two addresses are subtracted */
    uint32_t near;          /* an instruction not far before the last one that was asked for digits (digits.c) */
    uint32_t scans;         /* how often its variables were looked through (bounds.c) */
    bool all_widen;         /* of that function nothing is known */
    struct nf_reach *reach; /* by id: where the pointer goes on to */
    bool *cutting;          /* by id of a parameter, function or variable: does it give a mask as in masks.c? */
    bool steps_back;        /* does anything step back? */
    bool takes_pieces;      /* are short pieces taken out of words and moved (beside.c)? */
};

static const struct nf_value nf_nothing = {0, 0};

/* ---- values.c: what a value carries ---- */
struct nf_value nf_of_node(uint32_t node);
struct nf_value nf_moved(struct nf_value v, int64_t bytes);
uint32_t nf_size_of(const struct nf_type *type);
uint32_t nf_closed_element(const struct nf_type *type);
bool nf_is_joined_vector(const struct nf_module *m, const struct nf_type *type);
bool nf_may_carry(const struct nf_type *type);
struct nf_value nf_typed(struct nf_module *m, const struct nf_type *type, struct nf_value v);
struct nf_value nf_fresh_content(struct nf_module *m);
struct nf_value nf_flat(struct nf_module *m, const struct nf_type *type, struct nf_value v);
struct nf_value nf_unflat(struct nf_module *m, const struct nf_type *type, struct nf_value v);
struct nf_value nf_reshaped(struct nf_module *m, const struct nf_type *from, const struct nf_type *to,
                            struct nf_value v);
void nf_point(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to);
void nf_flow_value(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to);
struct nf_value nf_load_from(struct nf_module *m, const struct nf_type *type, struct nf_value address);
void nf_store_to(struct nf_module *m, const struct nf_type *type, struct nf_value address, struct nf_value v);
void nf_meet(struct nf_module *m, const struct nf_value *values, uint32_t count, struct nf_value result,
             bool sets_flow);
bool nf_is_concrete_pointer(const struct nf_type *type);
bool nf_is_zero(const struct nf_module *m, uint32_t id);
/* A generic pointer that is a constant number. */
struct nf_value nf_number_pointer(struct nf_module *m);
/* Is it a variable of the function's own? */
static inline bool nf_is_own_variable(const struct nf_module *m, uint32_t id)
{
    return m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpVariable;
}
/* What a load of a variable gives that is stored to once, or `id` itself. */
uint32_t nf_kept(const struct nf_constrainer *c, uint32_t id);

/* ---- uses.c: what instructions do with their operands ---- */
/* The bit at which `other`, an operand of an OpBitwiseOr, begins: the amount that it was shifted by, or 0. */
uint8_t nf_begin_of(const struct nf_module *m, uint32_t other);
/* Is the variable for a number that is only set to constants and counted on by such? */
bool nf_only_counts(const struct nf_constrainer *c, uint32_t variable);
/* Of all functions' instructions, before anything is made of them. */
void nf_look_over(struct nf_constrainer *c);

/* ---- steps.c: known steps from an element that is not known ---- */
enum { NF_NONE_ESCAPES = 0x10000 /* no instruction has as many */ };
/* Where the instruction's pointers lead, those of the instructions behind it being known. @return from which one on its
 * operands get out of sight. */
uint32_t nf_note_steps(struct nf_constrainer *c, uint32_t at, enum nf_role role);
/* Does the pointer `id` to an element of an array of `type`, every `stride` bytes, lead to other elements? */
bool nf_goes_on(struct nf_constrainer *c, uint32_t id, const struct nf_type *type, uint32_t stride);

/* ---- chains.c: access chains of any kind, whose operands begin at word `first` ---- */
/* A number that the integer `id` is always a multiple of. */
uint32_t nf_multiple_of(const struct nf_module *m, uint32_t id);
/* The same of an index like 8 * n + 7: a multiple, and how many elements further it leads. */
uint32_t nf_multiple_before(const struct nf_module *m, uint32_t id, uint32_t *further);
/* The id that the chain begins at; 0 when it has none. */
uint32_t nf_chain_base(const struct nf_module *m, uint32_t at, uint32_t opcode, uint32_t first);
struct nf_value nf_chain(struct nf_constrainer *c, struct nf_value base, uint32_t at, uint32_t opcode, uint32_t first);

/* ---- module_scope.c: the module scope ---- */
struct nf_value nf_new_variable(struct nf_constrainer *c, uint32_t at, nf_set space);
struct nf_value nf_construct(struct nf_constrainer *c, const struct nf_type *type, uint32_t at, uint32_t first);
/* What `id`, of the module scope, carries in this component. */
struct nf_value nf_make_global(struct nf_constrainer *c, uint32_t id);
/* What `id` carries: nothing if it is of another function. */
static inline struct nf_value nf_value_of(struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t def = m->def[id];
    if (def >= m->body_at) return c->f && def >= c->f->at && def < c->f->end ? m->analysis->values[id] : nf_nothing;
    return c->made_in[id] == c->component ? m->analysis->values[id] : nf_make_global(c, id);
}
struct nf_value nf_operand_value(struct nf_constrainer *c, uint32_t at, uint32_t index);
const struct nf_type *nf_operand_type(struct nf_constrainer *c, uint32_t at, uint32_t index);
/* An access chain from the value that its base has. */
struct nf_value nf_chain_value(struct nf_constrainer *c, uint32_t at, uint32_t opcode, uint32_t first);

/* ---- addresses.c: addresses that are computed ---- */
struct nf_value nf_added(struct nf_constrainer *c, uint32_t at, bool subtract);
struct nf_value nf_subtracted(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_converted_number(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_computed_fraction(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
/* Does the module make numbers with a fraction of integers, and integers of such? */
static inline bool nf_returns_fractions(const struct nf_module *m)
{
    return nf_has_role(m, NF_ROLE_fraction) && nf_has_role(m, NF_ROLE_number);
}
struct nf_value nf_resized(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_selected(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);

/* ---- tops.c: what is above addresses ---- */
enum { NF_ADDRESS_BITS = 48 /* of 64: no address reaches further, but for its tag */ };
/* Only that: a number, or a tag. */
struct nf_value nf_top_of(struct nf_constrainer *c, struct nf_value word);
/* Is the part of a vector what stands above an address, if the vector is one? */
bool nf_is_last_of_word(const struct nf_module *m, const struct nf_type *vector, const struct nf_type *part,
                        uint32_t index);
/* Does a mask of a vector's components, one for each, take the top off a word that the vector is? */
bool nf_cuts_vector(const struct nf_module *m, uint32_t mask);
/* Is the number of 32 bits the upper half of a word? */
bool nf_is_upper_half(struct nf_constrainer *c, uint32_t id);
/* Does the instruction take that out of an upper half? */
bool nf_is_top_of_half(struct nf_constrainer *c, uint32_t at);
/* What is known by a comparison of an upper half with a number that is above addresses. */
struct nf_value nf_compared_with_top(struct nf_constrainer *c, uint32_t at);

/* ---- tags.c: what becomes of the top bits of an address ---- */
/* Can the integer hold no tag, as its top bits are those of a number? */
bool nf_has_no_tag(const struct nf_module *m, uint32_t id);
/* The instruction at `at` takes the tag off, or puts something into its place: noted for nf_loses_tag(). */
void nf_note_loss(struct nf_module *m, uint32_t at);
void nf_lose_tag(struct nf_constrainer *c, uint32_t at, struct nf_value from, struct nf_value to);
/* Does that operand get into the place of a tag, for good? */
bool nf_overwrites_tag(const struct nf_module *m, uint32_t at, uint32_t above);
/* Does the atomic take the tag off an address in memory? */
bool nf_cuts_in_memory(const struct nf_constrainer *c, uint32_t at);
struct nf_value nf_flipped(struct nf_constrainer *c, uint32_t at);
/* Does it make one number of two, as pieces of one are put together? */
static inline bool nf_joins_bits(uint32_t opcode)
{
    return opcode == OpBitwiseOr || opcode == OpIAdd || opcode == OpBitwiseXor;
}
static inline bool nf_may_put_together(uint32_t opcode)
{
    return nf_joins_bits(opcode) || opcode == OpShiftLeftLogical;
}
/* What the result of such an instruction carries, which is `v` when nothing is put together. */
struct nf_value nf_put_together(struct nf_constrainer *c, uint32_t at, struct nf_value v);
/* What carries all that the operands of the instruction carry. */
struct nf_value nf_joined(struct nf_constrainer *c, uint32_t at, bool keep_place, uint32_t filters);
/* The result of an instruction that may do anything with the bits of its operands. */
struct nf_value nf_computed(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_masked(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_shifted(struct nf_constrainer *c, uint32_t at);
/* The result of an instruction that cuts a word to half, if nobody sees more of it than the last 16 bits; else nothing. */
struct nf_value nf_end_of_word(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_multiplied(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_divided(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_remainder(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_field(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_field_put(struct nf_constrainer *c, uint32_t at);

/* ---- bounds.c: numbers that are kept in variables, or computed by loops ---- */
/* Is the number so small, whatever was put together for it, that there is no tag in it? */
bool nf_cannot_have_tag(struct nf_constrainer *c, uint32_t id);

/* ---- beside.c: small numbers beside addresses ---- */
/* The filters of an edge from the number `id` to a vector that it is put into, which may be a word: `filters`, or what is left of
 * so small a number. */
uint32_t nf_filters_of_part(const struct nf_constrainer *c, uint32_t id, uint32_t filters);
/* The same of the operand at word `word` of an instruction that joins its operands. */
uint32_t nf_filters_of(const struct nf_constrainer *c, uint32_t at, uint32_t word, uint32_t filters);
/* And of the one at word `above`, which nf_operand_above() said. */
uint32_t nf_filters_above(const struct nf_constrainer *c, uint32_t at, uint32_t above);
void nf_flow_filtered(struct nf_module *m, struct nf_value from, struct nf_value to, uint32_t filters);
/* Are pieces taken out of words, and moved? Before anything is made of the instructions. */
void nf_look_for_pieces(struct nf_constrainer *c);

/* ---- rejoined.c: words that are taken apart ---- */
/* The word of which the instruction puts all bits to where they come from; 0: it does something else. */
uint32_t nf_rejoined(const struct nf_constrainer *c, uint32_t at);

/* ---- digits.c: digits that are put together ---- */
/* What the result carries of an instruction that may put digits together; `v` if it does not. */
struct nf_value nf_with_digits(struct nf_constrainer *c, uint32_t at, struct nf_value v);

/* ---- masks.c: masks that are computed ---- */
enum { NF_MOST_MEMORY = 40 /* no device has all of its memory below 2^40 */ };
/* Does it keep an address, and not its tag? */
bool nf_keeps_all_but_tag(uint64_t mask);
/* Which parameters and results may be such masks: before anything is made of the functions' instructions. */
void nf_note_masks(struct nf_constrainer *c);
/* May the number `id` be one, which is no constant, of the function that is being constrained? */
bool nf_mask_cuts(const struct nf_constrainer *c, uint32_t id);

/* ---- narrow.c ---- */
/* Is the instruction's result half an address at most, and can nobody put it together with others? Or is it as wide as one, but
 * gets into none? That is asked only where there are distances, which are such numbers: few functions have them. */
bool nf_stays_narrow(struct nf_constrainer *c, uint32_t at);
static inline bool nf_has_distances(const struct nf_constrainer *c)
{
    return c->distances_in && c->distances_in == c->f;
}

/* ---- pieces.c: are pieces of addresses put together? ---- */
/* In a component whose functions are summarized, among them what its callers may bring: noted as NF_PUTS_PIECES. */
void nf_find_pieces(struct nf_module *m, const uint32_t *functions, uint32_t count);
/* Of the root, whose nodes since `first` are those of the kernel, or of all that share their memory. */
void nf_find_pieces_of_host(struct nf_module *m, uint32_t first);
/* Does nobody see more of the number that is made at `at` than its lower half? */
bool nf_is_seen_as_half(const struct nf_constrainer *c, uint32_t at);
/* Is only the lower half of a parameter used, as it is masked, compared or cut? */
bool nf_is_low_half(struct nf_module *m, const struct nf_function *f, uint32_t index);

/* ---- halves.c: numbers above addresses, in memory ---- */
/* The number of 32 bits, an upper half perhaps, that `id` is without what stood above an address in it; or 0. */
uint32_t nf_cut_half(const struct nf_constrainer *c, uint32_t id);
/* May the number of 32 bits have others put above an address in it, or taken off there? As its instruction says. */
bool nf_puts_above(const struct nf_module *m, uint32_t id);
/* The store of `id` puts a number of 32 bits together in place. @return false: it is none of those, and stores as any does. */
bool nf_store_half(struct nf_constrainer *c, uint32_t at, uint32_t id, struct nf_value address);
/* So does the atomic. */
bool nf_atomic_half(struct nf_constrainer *c, uint32_t at, struct nf_value address);

/* ---- puts.c: what is stored into words, and is shorter ---- */
/* So may the instruction do. */
void nf_note_short(struct nf_constrainer *c, uint32_t at, struct nf_value address);
/* Does the pointer come from one to a word of 64 bits, and point to a shorter number in it or behind it? */
bool nf_is_in_word(const struct nf_constrainer *c, uint32_t pointer);
/* The store may fill what a parameter points to, with zeros or what it is given; so may a call. @return whether that is new. */
bool nf_note_filling(struct nf_constrainer *c, uint32_t at);
bool nf_note_filling_call(struct nf_constrainer *c, uint32_t parameter, uint32_t argument);
/* An argument of a call of such a function. */
void nf_note_filled(struct nf_constrainer *c, uint32_t parameter, uint32_t argument);

/* ---- memory.c: parts of values, and memory ---- */
struct nf_value nf_extract(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_insert(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_shuffle(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_extract_dynamic(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_constrain_atomic(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
void nf_copy_between(struct nf_constrainer *c, uint32_t at, uint32_t target, uint32_t source);
struct nf_value nf_pass_packet(struct nf_constrainer *c, uint32_t at, bool away, const struct nf_type *type);
struct nf_value nf_gather(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
void nf_scatter(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_vector_load(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
void nf_vector_store(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_constrain_unknown(struct nf_constrainer *c, uint32_t at, const struct nf_type *type,
                                     uint32_t first_word);

/* ---- calls.c: calls ---- */
struct nf_value nf_constrain_call(struct nf_constrainer *c, uint32_t at, const struct nf_type *type,
                                  uint32_t callee_index, uint32_t first_word);
struct nf_value nf_constrain_indirect_call(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
void nf_constrain_return(struct nf_constrainer *c, uint32_t at);
void nf_constrain_root(struct nf_constrainer *c);

/* ---- classes.c ---- */
void nf_note_cell(struct nf_module *m, uint32_t at, uint32_t node);

/* ---- sets.c ---- */

/* Note the evidence for generic constant expressions. */
void nf_find_constant_sets(struct nf_module *m);

#endif
