/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - declarations for the files of src/infer only. Most of these files build the graph from instructions.
 */
#ifndef NF_INFER_INTERNAL_H
#define NF_INFER_INTERNAL_H

#include "infer/infer.h"

/* A phi, or a chain whose leading index may hold an address: its operands are connected after the function body. */
struct nf_late {
    uint32_t at;
    struct nf_value value;
};

/* nf_constrainer.fills: the pointer is only used to store zeros or constant counts; it has another use. */
enum { NF_FILL = 1, NF_NO_FILL = 2 };

/* Known bits of an integer. The integer lies in [-2^length, 2^length) if `sign` is true, otherwise in [0, 2^length). */
struct nf_bits {
    uint8_t length, zeros; /* `zeros`: the number of lowest bits that are known to be 0, 64 at most */
    bool sign;
};

/* The uses of a pointer, through casts and access chains: the smallest and the largest constant distance, in bytes, of
 * the pointers derived from it; and whether it escapes (has uses other than accesses and comparisons), a pointer at
 * another offset escapes, or an integer converted from it escapes. */
struct nf_reach {
    int32_t low, high;
    bool escapes, part_escapes, is_integer;
};

/* The state of the construction of a module's graph. */
struct nf_constrainer {
    struct nf_module *m;
    struct nf_function *f;
    uint32_t *made_in;    /* by id at module scope: the `component` for which values[id] was made */
    uint32_t component;   /* the SCC that is being constrained; one beyond the others: the root function */
    struct nf_late *late; /* phis and access chains to connect at the end of the function body */
    uint32_t late_count, late_capacity;
    uint32_t *stored;       /* by id of a promotable variable: the id that was last stored into it */
    uint32_t *stored_in;    /* by id of a promotable variable: the block of that store */
    uint32_t block;         /* the current basic block: word offset of its label */
    bool *whole;            /* by id of a variable: it is only loaded and stored as a whole, and has no initializer */
    uint8_t *fills;         /* by id of a pointer: NF_FILL or NF_NO_FILL; 0: it has no use */
    struct nf_bits *bits;   /* by id of an integer, or of a vector of integers */
    struct nf_reach *reach; /* by id of a pointer */
    uint32_t revisit;       /* the first phi that uses bits of a later result: from it on, bits are computed again */
};

/* The value that carries no address. */
static const struct nf_value nf_nothing = {0, 0};

/* ---- values.c: the addresses that values carry ---- */
/* Returns the address that the node holds; nf_nothing for node 0. */
static inline struct nf_value nf_of_node(uint32_t node)
{
    return (struct nf_value){node, 0};
}
/* Returns the address `bytes` further on, limited to NF_MAX_OFFSET. */
struct nf_value nf_offset_by(struct nf_value v, int64_t bytes);
/* Returns the size of the type in bytes, at most NF_MAX_OFFSET; 0 if it has none. */
static inline uint32_t nf_size_of(const struct nf_type *type)
{
    return type->size > NF_MAX_OFFSET ? NF_MAX_OFFSET : (uint32_t)type->size;
}
/* Returns the nf_zone.element of an array of that element type. */
uint32_t nf_closed_element(const struct nf_type *type);
/* Returns true for a vector of numbers shorter than 64 bits that together are at least as wide as an address. */
bool nf_is_joined_vector(const struct nf_module *m, const struct nf_type *type);
/* Returns true if the analysis tracks values of the type. Numbers, and vectors of numbers shorter than 64 bits, are
 * tracked only if they are at least as wide as an address. */
bool nf_is_tracked_type(const struct nf_module *m, const struct nf_type *type);
/* Returns `v` as a value of `type`: a pointer with a concrete storage class gets the set of that space. */
struct nf_value nf_as_typed(struct nf_module *m, const struct nf_type *type, struct nf_value v);
/* Return a new aggregate, all of whose parts carry nothing yet; a new value of `type`. */
struct nf_value nf_fresh_content(struct nf_module *m);
struct nf_value nf_fresh_value(struct nf_module *m, const struct nf_type *type);
/* Returns `v` with more evidence, such as NF_LOOSE for a sum that may be outside of the address's window. */
struct nf_value nf_with_evidence(struct nf_module *m, struct nf_value v, nf_set evidence);
/* Returns a scalar with the addresses and the evidence of all parts of `v`, which thereby become one cell. */
struct nf_value nf_as_scalar(struct nf_module *m, const struct nf_type *type, struct nf_value v);
/* Returns a value of `type`; each of its parts has the addresses and the evidence of the scalar `v`. */
struct nf_value nf_as_aggregate(struct nf_module *m, const struct nf_type *type, struct nf_value v);
/* Converts a value to a type of another shape: scalar or aggregate. */
struct nf_value nf_convert_shape(struct nf_module *m, const struct nf_type *from, const struct nf_type *to,
                                 struct nf_value v);
/* Makes `to` point to the memory of `v`, of `type`: unifies their places, or, for a pointer to a pointer, makes `to` a
 * view of the region of `v`. */
void nf_unify_or_view(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to);
/* Lets `to` hold `v`, of `type`: sets flow, and places are unified, or an aggregate is copied. */
void nf_flow_value(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to);
struct nf_value nf_load_from(struct nf_module *m, const struct nf_type *type, struct nf_value address);
void nf_store_to(struct nf_module *m, const struct nf_type *type, struct nf_value address, struct nf_value v);
/* Merges `values`, of `type`, into `result`, as a phi or a select does. */
void nf_join_values(struct nf_module *m, const struct nf_type *type, const struct nf_value *values, uint32_t count,
                    struct nf_value result);
/* Returns true for a pointer type with a storage class other than Generic. */
static inline bool nf_is_concrete_pointer(const struct nf_type *type)
{
    return type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC;
}
/* Returns true if `id` is the integer constant 0, null or undefined. */
bool nf_is_zero(const struct nf_module *m, uint32_t id);
/* Returns the value of a generic pointer that is converted from an integer without any address. */
struct nf_value nf_number_pointer(struct nf_module *m);
/* Records that the concrete pointer `id` is loaded or extracted from the cell `node`. */
void nf_note_cell(struct nf_module *m, uint32_t id, uint32_t node);
/* Returns true if `id` is an OpVariable in a function body. */
static inline bool nf_is_function_variable(const struct nf_module *m, uint32_t id)
{
    return m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpVariable;
}

/* ---- use_analysis.c: the uses of each id ---- */
/* Visits all instructions of function bodies, and records the uses of each id, before the graph is built. */
void nf_collect_uses(struct nf_constrainer *c);

/* ---- element_stride.c: constant steps from an array element whose index is unknown ---- */
enum { NF_NONE_ESCAPES = 0x10000 /* larger than the operand count of any instruction */ };
/* Records nf_reach for the pointer operands of the instruction; the uses of its result were visited before. Returns the
 * index of the first id operand that escapes; all later operands escape as well. */
uint32_t nf_note_steps(struct nf_constrainer *c, uint32_t at, enum nf_role role);
/* Returns true if constant steps from the pointer `id` may reach other elements of its array. `id` points to an element
 * of an array with that stride in bytes. */
bool nf_may_leave_element(struct nf_constrainer *c, uint32_t id, uint32_t stride);

/* ---- chains.c: access chains, and constant expressions that are access chains ---- */
/* Returns a power of two that always divides the integer `id`. */
uint32_t nf_multiple_of(const struct nf_constrainer *c, uint32_t id);
/* As nf_multiple_of(), and sets *further to 0; for an index such as 8 * n + 7 returns 8, and sets *further to 7. */
uint32_t nf_multiple_before(const struct nf_constrainer *c, uint32_t id, uint32_t *further);
/* Returns the id of the chain's base pointer; 0 if it has none. */
uint32_t nf_chain_base(const struct nf_module *m, uint32_t at);
/* Returns the id of the index that counts elements of the base's pointee (OpPtrAccessChain); 0 if there is none. */
uint32_t nf_leading_index(const struct nf_module *m, uint32_t at);
/* Returns the result of the access chain from the address `v`. */
struct nf_value nf_chain(struct nf_constrainer *c, struct nf_value v, uint32_t at);

/* ---- module_scope.c: the module scope ---- */
/* Returns the address of a new variable in `space` with its arrays and initializer. Its OpVariable is at `at`. */
struct nf_value nf_new_variable(struct nf_constrainer *c, uint32_t at, nf_set space);
/* Returns true if the module-scope variable `id` is in global memory and not constant, so that kernels may write it. */
bool nf_is_writable_variable(const struct nf_module *m, uint32_t id);
bool nf_has_writable_variables(const struct nf_module *m);
/* Stores the value `id` at `address`: as a whole, or as a part of a pointer-sized word. */
void nf_store_value(struct nf_constrainer *c, uint32_t id, struct nf_value address);
/* Returns an aggregate of the constituents of an OpCompositeConstruct or OpConstantComposite. */
struct nf_value nf_construct(struct nf_constrainer *c, const struct nf_type *type, uint32_t at);
/* Makes and returns the value of `id`, of the module scope, for the current SCC. */
struct nf_value nf_make_global(struct nf_constrainer *c, uint32_t id);
/* Returns the value of `id`; nf_nothing if another function defines it. */
static inline struct nf_value nf_value_of(struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t def = m->def[id];
    if (def >= m->body_at) return c->f && def >= c->f->at && def < c->f->end ? m->analysis->values[id] : nf_nothing;
    return c->made_in[id] == c->component ? m->analysis->values[id] : nf_make_global(c, id);
}
/* Returns the value of `id` where it merges with other values. An integer or float as wide as an address that carries
 * none gets NF_NUMBER if it may be too long for a count, NF_NULL if 0, else NF_COUNT. Null pointers get NF_NULL. */
struct nf_value nf_value_or_count(struct nf_constrainer *c, uint32_t id);
/* Returns a scalar with the addresses and the evidence of all parts of the value `id`. */
static inline struct nf_value nf_scalar_value(struct nf_constrainer *c, uint32_t id)
{
    return nf_as_scalar(c->m, nf_type_of(c->m, id), nf_value_of(c, id));
}
/* Returns the value of operand `index` of the instruction, counted after result type and result. */
static inline struct nf_value nf_operand_value(struct nf_constrainer *c, uint32_t at, uint32_t index)
{
    return nf_value_of(c, nf_operand(c->m, at, index));
}
static inline const struct nf_type *nf_operand_type(struct nf_constrainer *c, uint32_t at, uint32_t index)
{
    return nf_type_of(c->m, nf_operand(c->m, at, index));
}
/* Returns true if the leading index of the access chain may hold an address, which could lead into another memory. */
static inline bool nf_has_address_index(struct nf_constrainer *c, uint32_t at)
{
    return nf_value_of(c, nf_leading_index(c->m, at)).node;
}
/* Returns the result of the access chain, from the value of its base. */
struct nf_value nf_chain_value(struct nf_constrainer *c, uint32_t at);

/* ---- known_bits.c: which integers are counts ---- */
/* The number of the lowest bit that, like all higher bits, does not affect where a 64-bit address points. */
enum { NF_ADDRESS_END = 48 };
/* Returns true if an integer with these bits is a count, too short for an address. */
bool nf_is_count(const struct nf_module *m, struct nf_bits bits);
/* Returns true if all bits of the integer that may be set are above the bits of an address. */
bool nf_is_above(const struct nf_module *m, struct nf_bits bits);
/* Returns true if the integer may be longer than a count, and may have a bit other than 0 below NF_ADDRESS_END. */
bool nf_is_far(const struct nf_constrainer *c, uint32_t id);
/* Returns the known bits of the integer `id`, or of each component of a vector of integers. */
struct nf_bits nf_bits_of(const struct nf_constrainer *c, uint32_t id);
/* Records the known bits of the result of the instruction at `at`, if that is a number or a vector of numbers. */
void nf_note_bits(struct nf_constrainer *c, uint32_t at);

/* ---- arithmetic.c: integers that carry addresses, and numbers ---- */
/* Exposes the operands, except pointers through which the instruction stores; as nf_expose_if_number() does, if no bits
 * that identify the space of an address reach the result. Adds edges from them to `result`, unless it is 0. */
void nf_expose_operands(struct nf_constrainer *c, uint32_t at, uint32_t result);
/* Exposes the operands, and returns a number; nf_nothing if the result is a count or not tracked, or needs no node. */
struct nf_value nf_numeric_result(struct nf_constrainer *c, uint32_t at);
/* Return the result of an instruction with the role `add`, `mask` (AND) or `combine` (OR and XOR); `subtract`; and
 * `choose` or `order`, whose result is one of its operands. */
struct nf_value nf_carried(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_subtracted(struct nf_constrainer *c, uint32_t at);
struct nf_value nf_chosen(struct nf_constrainer *c, uint32_t at);
/* Returns the result of a conversion between integers of different widths. */
struct nf_value nf_resize_integer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
/* Exposes the operands of a comparison where its result can reveal their bits. */
void nf_compared(struct nf_constrainer *c, uint32_t at);

/* ---- addresses.c: casts and selects ---- */
/* Return the result of a conversion of an integer to a pointer, of a bitcast, and of a select. */
struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_selected(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);

/* ---- memory.c: parts of values, and memory ---- */
/* Return the result of OpCompositeExtract, OpCompositeInsert, OpVectorShuffle and OpVectorExtractDynamic. */
struct nf_value nf_extract(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_insert(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_shuffle(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
struct nf_value nf_extract_dynamic(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
/* Returns the result of an atomic instruction, and stores its operands. */
struct nf_value nf_constrain_atomic(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
/* Returns the size of a copy of as many bytes as the integer `id`: a number, NF_TO_END or NF_ANY_BYTES. */
uint32_t nf_copied_size(const struct nf_constrainer *c, uint32_t id);
/* Copies memory between the operands with the indices `target` and `source`. */
void nf_copy_between(struct nf_constrainer *c, uint32_t at, uint32_t target, uint32_t source);
/* Passes a packet of a pipe, or a pixel of an image, through H: to another kernel if `away` is true, else from it. */
struct nf_value nf_pass_packet(struct nf_constrainer *c, uint32_t at, bool away, const struct nf_type *type);
/* Handle a load and a store through a vector of pointers. */
struct nf_value nf_gather(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
void nf_scatter(struct nf_constrainer *c, uint32_t at);
/* Handle vloadn, vstoren, their variants, and blocks: accesses of an array of scalars at an unknown index. */
struct nf_value nf_vector_load(struct nf_constrainer *c, uint32_t pointer, const struct nf_type *type);
void nf_vector_store(struct nf_constrainer *c, uint32_t data, uint32_t pointer);
/* Returns the result of an instruction, or of an imported function, that stores another result through a pointer. */
struct nf_value nf_written_out(struct nf_constrainer *c, uint32_t at);
/* Exposes the operands of an instruction with unknown effects, and returns its result. `type`: NULL: no result. */
struct nf_value nf_constrain_unknown(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);

/* ---- calls.c: calls ---- */
struct nf_value nf_constrain_call(struct nf_constrainer *c, uint32_t at, const struct nf_type *type,
                                  uint32_t callee_index);
struct nf_value nf_constrain_indirect_call(struct nf_constrainer *c, uint32_t at, const struct nf_type *type);
/* Lets the operand of OpReturnValue flow into the result of the current function. */
void nf_constrain_return(struct nf_constrainer *c, uint32_t at);
/* Builds the graph of function 0, the root, which calls each function of nf_is_root() as the host may. */
void nf_constrain_root(struct nf_constrainer *c);
/* ---- evidence.c: records the evidence of generic constant expressions ---- */
void nf_find_constant_sets(struct nf_module *m);

#endif
