/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_inbounds_struct_arrays.c - indexes an array through a bitcast of its address if the result may leave the array
 * for other parts of the same object.
 *
 *     %t = OpInBoundsPtrAccessChain %_ptr_ulong %s %ulong_0 %uint_1 %i
 *     %p = OpPtrAccessChain %_ptr_ulong %t %ulong_2
 *
 *     %a = OpInBoundsPtrAccessChain %_ptr_struct %s %ulong_0
 *     %b = OpBitcast %_ptr_ulong %a
 *     %c = OpPtrAccessChain %_ptr_ulong %b %uint_2       the offset of member 1, in elements
 *     %t = OpPtrAccessChain %_ptr_ulong %c %i
 *     %p = OpPtrAccessChain %_ptr_ulong %t %ulong_2
 *
 * Mesa adds the steps from %t to its array index, and assumes that no index exceeds the array: that %p is never the
 * next member of the structure, or in the next row of a two-dimensional array. A load of that member misses the value
 * that was stored through %p. Mesa makes no such assumption about the result of a bitcast of the structure's address.
 * The components of a vector are treated like such an array, because compilers fold a cast into a chain:
 * ((int *)four)[9] becomes component 9 of the first vector. In the same way they write the member that lies before an
 * array as a member of its element -1:
 *
 *     %p = OpInBoundsPtrAccessChain %_ptr_ulong %s %ulong_0 %uint_1 %ulong_18446744073709551615 %uint_1
 *
 * A chain to an element that is only accessed directly stays as it is: Mesa can split variables (SROA) only with such
 * chains.
 *
 * Mesa also treats a copy of computed size into a private array as a copy of one element, the first:
 *
 *     %t = OpInBoundsPtrAccessChain %_ptr_uint %a %ulong_0 %ulong_1    %b = OpBitcast %_ptr_uint %a
 *                                                                      %t = OpPtrAccessChain %_ptr_uint %b %ulong_1
 *     %p = OpBitcast %_ptr_uchar %t                                    the same
 *          OpCopyMemorySized %p %from %n Aligned 4                     the same
 *
 * So the target of such a copy is computed from a bitcast as well.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

struct struct_arrays {
    struct nf_edit to;
    bool *inside;    /* by id: a pointer into part of an object */
    bool *element;   /* by id: a pointer to a component of a vector, or to an element of an array in an object */
    bool *may_leave; /* by id: such a pointer may address memory beyond its array; its chain is rewritten */
    bool *outside;   /* by id: a pointer into an element that its array does not have; its chain is rewritten */
};

static bool is_chain(const struct nf_module *m, uint32_t at)
{
    return nf_op_find(nf_opcode(m, at))->role == NF_ROLE_chain &&
           nf_type_of(m, nf_base_pointer(m, at))->kind == NF_KIND_POINTER;
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
        uint32_t id = walk.kind == NF_OPERAND_ID ? nf_current_operand(&walk) : 0;
        if (id && e->element[id] && !is_direct(m, at, walk.at)) e->may_leave[id] = true;
    }
}

/* Marks the chain that computes the target of an OpCopyMemorySized, if it selects an element of a private array. */
static void find_copy_target(struct struct_arrays *e, uint32_t at)
{
    const struct nf_module *m = e->to.m;
    if (nf_opcode(m, at) != OpCopyMemorySized) return;
    uint32_t chain = m->def[nf_without_casts(m, nf_copy_target(m, at))];
    if (!chain || !is_chain(m, chain) || nf_length(m, chain) <= nf_first_part_index(nf_opcode(m, chain))) return;
    uint32_t id = nf_value_id(m, chain);
    if (nf_type_of(m, id)->storage == NF_STORAGE_FUNCTION && indexed_last(m, chain)->kind == NF_KIND_ARRAY)
        e->may_leave[id] = true;
}

/* Ends the chain before the index in word `i`, which selects a part of `type`, and continues it, by changing its head,
 * from a bitcast to a pointer to the part. The bitcast is of the address of the structure `outer`, if `type` is a
 * member of one that begins at a multiple of the part's size, because Mesa also assumes that a cast of a member's
 * address accesses no other member; otherwise it is of the address of the object of that type. */
static void cast_before(struct nf_edit *e, uint32_t at, uint32_t head[NF_CHAIN_HEAD], uint32_t from, uint32_t i,
                        const struct nf_type *type, const struct nf_type *outer)
{
    const struct nf_type *part = selected(e->m, at, i, type);
    uint32_t storage = nf_type(e->m, nf_value_type(e->m, at))->storage, cut = i;
    uint32_t to_part = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, part->id}, 2);
    int64_t member = 0;
    uint64_t offset = 0;
    if (outer && outer->kind == NF_KIND_STRUCT && i > from && part->size &&
        nf_constant(e->m, nf_word(e->m, at, i - 1), &member) && (uint64_t)member < outer->count &&
        outer->offsets[member] % part->size == 0 && outer->offsets[member] <= UINT32_MAX) {
        offset = outer->offsets[member] / part->size;
        type = outer;
        cut = i - 1;
    }
    if (cut > from) {
        head[1] = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, type->id}, 2);
        head[2] = nf_build_id(&e->build);
        nf_emit_chain(e, at, head, from, cut);
        head[3] = head[2];
    }
    head[0] = OpPtrAccessChain, head[2] = nf_build_id(&e->build);
    nf_edit_emit(e, OpBitcast, (uint32_t[]){to_part, head[2], head[3]}, 3);
    head[3] = head[2];
    if (!offset) return;
    head[2] = nf_build_id(&e->build);
    nf_edit_emit(e, OpPtrAccessChain, (uint32_t[]){to_part, head[2], head[3], nf_edit_number(e, (uint32_t)offset)}, 4);
    head[3] = head[2];
}

/* Emits the chain with a bitcast before each index that leaves its array. */
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
        if (leaves) cast_before(e, at, head, from, i, type, outer), from = i;
        outer = type;
        type = selected(m, at, i, type);
    }
    head[1] = nf_value_type(m, at), head[2] = nf_value_id(m, at);
    nf_emit_chain(e, at, head, from, length);
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
