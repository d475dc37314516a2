/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_inbounds_struct_arrays.c - indexes an array through a bitcast of its address if the result may leave the array
 * for other parts of the same object.
 *
 *     %t = OpInBoundsPtrAccessChain %_ptr_ulong %s %ulong_0 %uint_1 %i
 *     %p = OpPtrAccessChain %_ptr_ulong %t %ulong_2
 *
 *     %a = OpInBoundsPtrAccessChain %_ptr_struct %s %ulong_0
 *     %b = OpBitcast %_ptr_array_of_16_uchar %a          the offset of member 1
 *     %c = OpPtrAccessChain %_ptr_array_of_16_uchar %b %uint_1
 *     %d = OpBitcast %_ptr_array_of_8_uchar %c           the size of an element
 *     %e = OpPtrAccessChain %_ptr_array_of_8_uchar %d %i
 *     %t = OpBitcast %_ptr_ulong %e
 *     %p = OpPtrAccessChain %_ptr_ulong %t %ulong_2
 *
 * Mesa adds the steps from %t to its array index, and assumes that no index exceeds the array: that %p is never the
 * next member of the structure, or in the next row of a two-dimensional array. A load of that member misses the value
 * that was stored through %p. Mesa makes no such assumption about the result of a bitcast of the structure's address.
 * But it assumes that a pointer to ulong is a multiple of 8, which is false in a packed structure, and it crashes on
 * some loads through a cast of a pointer to single bytes, so the index is a step over arrays of bytes.
 * The components of a vector are treated like an array, because compilers fold a cast into a chain: ((int *)four)[9]
 * becomes component 9 of the first vector. Compilers also write the member that lies before an array as a member of
 * the element -1 of this array:
 *
 *     %p = OpInBoundsPtrAccessChain %_ptr_ulong %s %ulong_0 %uint_1 %ulong_18446744073709551615 %uint_1
 *
 * A chain to an element that is only accessed directly stays as it is: Mesa can split variables (SROA) only with such
 * chains.
 *
 * Mesa also treats a copy to an element or a member as a copy to that part alone, and mesa_split_accesses.c leaves
 * copies of computed size as they are:
 *
 *     %t = OpInBoundsPtrAccessChain %_ptr_uint %a %ulong_0 %ulong_1    %b = OpBitcast %_ptr_uint %a
 *                                                                      %t = OpPtrAccessChain %_ptr_uint %b %ulong_1
 *     %p = OpBitcast %_ptr_uchar %t                                    the same
 *          OpCopyMemorySized %p %from %n Aligned 4                     the same
 *
 * So the target of a copy is computed from a bitcast as well.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

struct struct_arrays {
    struct nf_edit to;
    bool *inside;    /* by id: a pointer into part of an object */
    bool *element;   /* by id: a pointer to a component of a vector, or to an element of an array in an object */
    bool *may_leave; /* by id: an `element` that may lie outside of its vector or array; its chain is rewritten */
    bool *outside;   /* by id: an index before the last is outside of its array, such as -1; its chain is rewritten */
};

static bool is_chain(const struct nf_module *m, uint32_t at)
{
    return nf_op_find(nf_opcode(m, at))->role == NF_ROLE_chain &&
           nf_type_of(m, nf_base_pointer(m, at))->kind == NF_KIND_POINTER;
}

/* Returns the pointer from which chains that move it by 0 bytes compute `id`; `id` itself if no such chain does. */
static uint32_t without_zero_steps(const struct nf_module *m, uint32_t id)
{
    enum { MOST_STEPS = 64 };
    for (uint32_t at = m->def[id], i = 0; i < MOST_STEPS && at && is_chain(m, at); at = m->def[id], i++) {
        uint32_t first = nf_first_part_index(nf_opcode(m, at));
        int64_t moved = 0;
        if (nf_length(m, at) != first) break;
        if (first != NF_CHAIN_HEAD && !(nf_constant(m, nf_chain_index(m, at, 0), &moved) && moved == 0)) break;
        id = nf_base_pointer(m, at);
    }
    return id;
}

/* Returns the type that the index in word `i` selects from `type`; `type` itself if that is unknown. */
static const struct nf_type *selected(const struct nf_module *m, uint32_t at, uint32_t i, const struct nf_type *type)
{
    const struct nf_type *part = nf_part_of(m, type, nf_word(m, at, i));
    return part ? part : type;
}

/* Returns the type from which the last index of a chain selects a part. */
static const struct nf_type *indexed_last(const struct nf_module *m, uint32_t at)
{
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    for (uint32_t i = nf_first_part_index(nf_opcode(m, at)); i + 1 < nf_length(m, at); i++)
        type = selected(m, at, i, type);
    return type;
}

/* Returns true if the index may be assumed to be within the bounds of `type`: a member of a structure, a constant below
 * the bound, or any variable index of an array. A variable index of a vector comes from a folded cast. */
static bool is_within(const struct nf_module *m, uint32_t index, const struct nf_type *type)
{
    int64_t value;
    if (type->kind != NF_KIND_ARRAY && type->kind != NF_KIND_VECTOR) return true;
    if (!nf_constant(m, index, &value)) return type->kind == NF_KIND_ARRAY;
    return value >= 0 && (uint64_t)value < type->count;
}

static void find_element(struct struct_arrays *e, uint32_t at)
{
    const struct nf_module *m = e->to.m;
    uint32_t id = nf_value_id(m, at), base = nf_base_pointer(m, at), length = nf_length(m, at);
    uint32_t first = nf_first_part_index(nf_opcode(m, at));
    const struct nf_type *type = nf_type(m, nf_type_of(m, base)->element);
    e->inside[id] = e->inside[base] || length > first;
    if (length == first) return;
    for (uint32_t i = first; i + 1 < length; i++) {
        e->outside[id] |= !is_within(m, nf_word(m, at, i), type);
        type = selected(m, at, i, type);
    }
    bool part = type->kind == NF_KIND_VECTOR || (type->kind == NF_KIND_ARRAY && length - first + e->inside[base] > 1);
    e->element[id] = part;
    e->may_leave[id] = part && !is_within(m, nf_word(m, at, length - 1), type);
}

/* Returns true if the operand in `word` is only accessed, or is the base of a chain that does not move the base. */
static bool is_direct(const struct nf_module *m, uint32_t at, uint32_t word)
{
    int64_t moved;
    uint32_t opcode = nf_opcode(m, at);
    switch (nf_op_find(opcode)->role) {
    case NF_ROLE_load: return true;
    case NF_ROLE_store: return word == 1;
    case NF_ROLE_copy_memory: return word <= 2 && opcode == OpCopyMemory;
    case NF_ROLE_chain:
        if (word != 3) return false;
        return nf_first_part_index(opcode) == NF_CHAIN_HEAD ||
               (nf_constant(m, nf_chain_index(m, at, 0), &moved) && moved == 0);
    default: return opcode == OpLifetimeStart || opcode == OpLifetimeStop;
    }
}

static void find_uses(struct struct_arrays *e, uint32_t at)
{
    const struct nf_module *m = e->to.m;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t id = walk.kind == NF_OPERAND_ID ? without_zero_steps(m, nf_current_operand(&walk)) : 0;
        if (id && e->element[id] && !is_direct(m, at, walk.at)) e->may_leave[id] = true;
    }
}

/* Marks the chain that computes the target of an OpCopyMemorySized, if it selects an element or a member. */
static void find_copy_target(struct struct_arrays *e, uint32_t at)
{
    const struct nf_module *m = e->to.m;
    if (nf_opcode(m, at) != OpCopyMemorySized) return;
    uint32_t chain = m->def[without_zero_steps(m, nf_without_casts(m, nf_copy_target(m, at)))];
    if (!chain || !is_chain(m, chain) || nf_length(m, chain) <= nf_first_part_index(nf_opcode(m, chain))) return;
    enum nf_kind kind = indexed_last(m, chain)->kind;
    if (kind == NF_KIND_ARRAY || kind == NF_KIND_STRUCT) e->may_leave[nf_value_id(m, chain)] = true;
}

/* Emits an instruction with the pointer in head[3] and, unless it is a bitcast, `index` as operands; its result becomes
 * the pointer. */
static void step(struct nf_edit *e, uint32_t head[NF_CHAIN_HEAD], uint32_t opcode, uint32_t type, uint32_t index)
{
    head[2] = nf_build_id(&e->build);
    nf_edit_emit(e, opcode, (uint32_t[]){type, head[2], head[3], index}, opcode == OpBitcast ? 3 : 4);
    head[3] = head[2];
}

static uint32_t pointer_to(struct nf_edit *e, uint32_t at, uint32_t type)
{
    uint32_t storage = nf_type(e->m, nf_value_type(e->m, at))->storage;
    return nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, type}, 2);
}

/* Emits a step over `index` arrays of `size` bytes; both are ids. */
static void step_over(struct nf_edit *e, uint32_t at, uint32_t head[NF_CHAIN_HEAD], uint32_t size, uint32_t index)
{
    uint32_t array[] = {nf_edit_int_type(e, 8), size};
    uint32_t type = pointer_to(e, at, nf_edit_define(e, OpTypeArray, 0, array, 2));
    step(e, head, OpBitcast, type, 0);
    step(e, head, OpPtrAccessChain, type, index);
}

/* Emits a step by the offset of a member, if it is known and not 0. */
static void step_by(struct nf_edit *e, uint32_t at, uint32_t head[NF_CHAIN_HEAD], int64_t offset)
{
    if (offset > 0) step_over(e, at, head, nf_edit_number(e, (uint32_t)offset), nf_edit_number(e, 1));
}

/* Returns the offset of the member that the index in `word` of the chain at `at` selects from `type`, if it is below
 * 2^32; otherwise -1. */
static int64_t member_offset(const struct nf_module *m, uint32_t at, uint32_t word, const struct nf_type *type)
{
    int64_t member;
    if (type->kind != NF_KIND_STRUCT || !nf_constant(m, nf_word(m, at, word), &member)) return -1;
    if ((uint64_t)member >= type->count || type->offsets[member] > UINT32_MAX) return -1;
    return (int64_t)type->offsets[member];
}

/* Emits the words of the chain at `at` from `from` to before `to`, which select a part of `type`; head[3] becomes the
 * address. */
static void begin_chain(struct nf_edit *e, uint32_t at, uint32_t head[NF_CHAIN_HEAD], uint32_t from, uint32_t to,
                        const struct nf_type *type)
{
    if (to <= from) return;
    head[1] = pointer_to(e, at, type->id), head[2] = nf_build_id(&e->build);
    nf_emit_chain(e, at, head, from, to);
    head[3] = head[2];
}

/* Makes head[3] the address of the structure of which the base of the chain at `at` is a member, and returns the
 * member's offset; returns -1 if the base is no member that a chain selects. */
static int64_t begin_at_structure(const struct struct_arrays *w, struct nf_edit *e, uint32_t at,
                                  uint32_t head[NF_CHAIN_HEAD])
{
    const struct nf_module *m = e->m;
    uint32_t pointer = without_zero_steps(m, head[3]), base = m->def[pointer];
    if (!base || !is_chain(m, base) || w->outside[pointer]) return -1;
    uint32_t last = nf_length(m, base) - 1;
    if (last < nf_first_part_index(nf_opcode(m, base))) return -1;
    const struct nf_type *type = indexed_last(m, base);
    int64_t offset = member_offset(m, base, last, type);
    if (offset < 0) return -1;
    head[0] = nf_opcode(m, base), head[3] = nf_base_pointer(m, base);
    begin_chain(e, base, head, NF_CHAIN_HEAD, last, type);
    head[0] = nf_opcode(m, at);
    return offset;
}

/* Emits the chain up to before the index in word `i`, which selects a part of `type`, and that index, or the offset of
 * the member that it selects, as a step over arrays of bytes from a bitcast; head[3] becomes the address. The bitcast
 * is of the address of the structure `outer`, moved by the bytes of the member's offset, if `type` is a member of one,
 * because Mesa also assumes that a cast of a member's address accesses no other member; otherwise it is of the address
 * of the object of that type. */
static void step_over_bytes(const struct struct_arrays *w, struct nf_edit *e, uint32_t at, uint32_t head[NF_CHAIN_HEAD],
                            uint32_t from, uint32_t i, const struct nf_type *type, const struct nf_type *outer)
{
    const struct nf_module *m = e->m;
    int64_t moved = 0, offset = -1;
    if (outer) {
        offset = i > from ? member_offset(m, at, i - 1, outer) : -1;
        begin_chain(e, at, head, from, offset < 0 ? i : i - 1, offset < 0 ? type : outer);
    } else {
        if (i == NF_CHAIN_HEAD || (nf_constant(m, nf_chain_index(m, at, 0), &moved) && moved == 0))
            offset = begin_at_structure(w, e, at, head);
        if (offset < 0) begin_chain(e, at, head, from, i, type);
    }
    step_by(e, at, head, offset);
    offset = member_offset(m, at, i, type);
    step_by(e, at, head, offset);
    if (offset >= 0 || type->kind == NF_KIND_STRUCT) return;
    step_over(e, at, head, nf_edit_number(e, (uint32_t)selected(m, at, i, type)->size), nf_word(m, at, i));
}

/* Emits the chain with a bitcast before each index that leaves its array. Returns false, and emits nothing, for any
 * other instruction. */
static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    const struct struct_arrays *w = data;
    const struct nf_module *m = e->m;
    if (!is_chain(m, at) || !(w->may_leave[nf_value_id(m, at)] || w->outside[nf_value_id(m, at)])) return false;
    uint32_t length = nf_length(m, at), from = NF_CHAIN_HEAD;
    uint32_t head[] = {nf_opcode(m, at), 0, 0, nf_base_pointer(m, at)};
    const struct nf_type *type = nf_type(m, nf_type_of(m, head[3])->element), *outer = NULL;
    for (uint32_t i = nf_first_part_index(head[0]); i < length; i++) {
        bool leaves = i + 1 < length ? !is_within(m, nf_word(m, at, i), type) : w->may_leave[nf_value_id(m, at)];
        const struct nf_type *part = selected(m, at, i, type);
        if (leaves && part->size) {
            step_over_bytes(w, e, at, head, from, i, type, outer);
            if (i + 1 < length) step(e, head, OpBitcast, pointer_to(e, at, part->id), 0);
            head[0] = OpAccessChain, from = i + 1;
        }
        outer = type, type = part;
    }
    head[1] = nf_value_type(m, at), head[2] = nf_value_id(m, at);
    if (from < length)
        nf_emit_chain(e, at, head, from, length);
    else
        nf_edit_emit(e, OpBitcast, head + 1, 3);
    return true;
}

bool nf_workaround_mesa_inbounds_struct_arrays(struct nf_module *m, struct nf_words *out)
{
    struct struct_arrays e = {nf_edit_begin(m), NF_NEW(m->arena, bool, m->bound), NF_NEW(m->arena, bool, m->bound),
                              NF_NEW(m->arena, bool, m->bound), NF_NEW(m->arena, bool, m->bound)};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        if (is_chain(m, at)) find_element(&e, at);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        find_uses(&e, at), find_copy_target(&e, at);
    for (uint32_t id = 0; id < m->bound && !any; id++)
        any = e.may_leave[id] || e.outside[id];
    if (any) *out = nf_edit_functions(&e.to, rewrite, &e);
    return any;
}
