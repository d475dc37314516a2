/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files that turn instructions into the graph share with each other and with nobody else.
 */
#ifndef NF_INFER_INTERNAL_H
#define NF_INFER_INTERNAL_H

#include "infer/infer.h"

/* A phi, or an access chain with an index that may hold an address. */
struct nf_late {
    uint32_t at;
    struct nf_value value;
};

/* What is stored into a variable, and whether elements of a type are stepped over: see nf_constrainer.counts. */
enum { NF_FROM_CONSTANT = 1, NF_STEPPED = 8, NF_FROM_ELSEWHERE = 64 };
enum { NF_FILL = 1, NF_NO_FILL = 2 };

/* Which bits of an integer can differ from its sign. It lies in [-2^length, 2^length), without a sign in [0, 2^length). */
struct nf_bits {
    uint8_t length, zeros; /* `zeros`: how many of the lowest bits are 0, 64 at most */
    bool sign;
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
    struct nf_late *late; /* what is connected when the body is done */
    uint32_t late_count, late_capacity;
    uint32_t *stored;    /* by id of a promotable variable: what it holds now, if that was stored in this block */
    uint32_t *stored_in; /* by id of a promotable variable: the block (its label's offset) in which that was */
    uint32_t block;
    bool *whole;            /* by id of a variable: it is only loaded and stored as a whole */
    uint8_t *counts;        /* by id of a variable, or of a type: enum above */
    uint8_t *fills;         /* by id of a pointer: is it only stored through, and only constant numbers? enum above */
    struct nf_bits *bits;   /* by id of an integer, or of a vector of them */
    struct nf_reach *reach; /* by id: where the pointer goes on to */
    bool steps_back;        /* does anything step back? */
};

static const struct nf_value nf_nothing = {0, 0};

/* ---- values.c: what a value carries ---- */
struct nf_value nf_of_node(uint32_t node);
struct nf_value nf_moved(struct nf_value v, int64_t bytes);
uint32_t nf_size_of(const struct nf_type *type);
uint32_t nf_closed_element(const struct nf_type *type);
bool nf_is_joined_vector(const struct nf_module *m, const struct nf_type *type);
bool nf_may_carry(const struct nf_type *type);
/* Is a value of the type followed? An integer shorter than an address carries nothing. */
bool nf_carries(const struct nf_module *m, const struct nf_type *type);
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
/* The concrete pointer `id` is loaded or extracted from the cell `node`. */
void nf_note_cell(struct nf_module *m, uint32_t id, uint32_t node);
/* Is it a variable of the function's own? */
static inline bool nf_is_own_variable(const struct nf_module *m, uint32_t id)
{
    return m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpVariable;
}

/* ---- uses.c: what instructions do with their operands ---- */
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
/* The index that counts elements of what the base points to; 0: there is none. */
uint32_t nf_leading_index(const struct nf_module *m, uint32_t at);
struct nf_value nf_chain(struct nf_constrainer *c, struct nf_value base, uint32_t at, uint32_t opcode, uint32_t first);

/* ---- module_scope.c: the module scope ---- */
struct nf_value nf_new_variable(struct nf_constrainer *c, uint32_t at, nf_set space);
/* Returns true if kernels may write the variable `id` of the module scope, which lies in global memory. */
bool nf_is_writable_variable(const struct nf_module *m, uint32_t id);
/* Returns true if the module has such a variable. */
bool nf_has_writable_variables(const struct nf_module *m);
/* The value `id` is stored at `address`: whole, or as a part of a word. */
void nf_store_value(struct nf_constrainer *c, uint32_t id, struct nf_value address);
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

/* ---- bits.c: counts and addresses by their length ---- */
/* The facts of the integer `id`, or of each component of a vector of integers, that nf_note_bits() or a constant gave. */
struct nf_bits nf_bits_of(const struct nf_constrainer *c, uint32_t id);
/* Finds those of the result of the instruction at `at`; does nothing for what is no integer. */
void nf_note_bits(struct nf_constrainer *c, uint32_t at);

/* ---- arithmetic.c: integers that carry addresses, and numbers ---- */
void nf_expose_operands(struct nf_constrainer *c, uint32_t at);
/* The result of an instruction that exposes its operands and makes a number, or a count. */
struct nf_value nf_numeric(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_added(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_subtracted(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_masked(struct nf_constrainer *c, uint32_t at);
/* OR and XOR. */
struct nf_value nf_combined(struct nf_constrainer *c, uint32_t at);
/* The result is one of the operands, whole. */
struct nf_value nf_chosen(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_resized(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
void nf_compared(struct nf_constrainer *c, uint32_t at);

/* ---- addresses.c: casts and selects ---- */
struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_selected(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);

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
/* ---- sets.c ---- */

/* Note the evidence for generic constant expressions. */
void nf_find_constant_sets(struct nf_module *m);

#endif
