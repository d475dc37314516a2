/* SPDX-License-Identifier: Apache-2.0 */
/*
 * element_stride.c - finds pointers to array elements from which constant steps lead to other elements.
 *
 *     %q = OpInBoundsPtrAccessChain %p %i             int *p[2], and q one of its elements
 *     %r = OpInBoundsPtrAccessChain %q %minus_one     q[-1]: still in the array, because i was 1
 *
 * In the graph all elements of an array share the cells of the first, so a constant step from an element seems to leave
 * the array, to a cell without stores. The address must then be spread over the whole region, in both directions.
 *
 * The hard case is an element whose address is not followed: into memory, a call, a phi, a select. Then it is spread if
 * any access chain of the module makes a constant step over elements of any type, because the program may lay them over
 * the array, or if a constant is added to the integer of an address or subtracted from it (infer/numbers.c).
 *
 * needs: types, and a call of nf_note_steps() for each instruction, last to first.  gives: nf_may_leave_element().
 */
#include "infer/internal.h"

enum { FAR = 1 << 24 }; /* limit of the tracked distances, in bytes */

/* Records that the pointer of `to` is `distance` bytes after the pointer of `from`. */
static void extend_reach(struct nf_reach *from, const struct nf_reach *to, int64_t distance)
{
    int64_t low = to->low + distance, high = to->high + distance;
    if (low < from->low) from->low = low < -FAR ? -FAR : (int32_t)low;
    if (high > from->high) from->high = high > FAR ? FAR : (int32_t)high;
    from->is_integer |= to->is_integer;
    if (distance)
        from->part_escapes |= to->escapes || to->part_escapes;
    else
        from->escapes |= to->escapes, from->part_escapes |= to->part_escapes;
}

/* Adds up the constant indices of an access chain, in bytes: distance[0] before the first variable index, distance[1]
 * after the last one. Returns true if all are constant. `counts`: the first one counts elements of the pointee. */
static bool add_indices(const struct nf_module *m, uint32_t at, bool counts, int64_t distance[2])
{
    uint32_t base = nf_operand(m, at, 0);
    const struct nf_type *type = nf_type(m, nf_type_of(m, base)->element);
    bool known = true;
    for (uint32_t next = 4; next < nf_length(m, at); next++) {
        int64_t index;
        bool constant = nf_constant(m, nf_word(m, at, next), &index) && index <= FAR && index >= -FAR;
        bool element = counts && next == 4;
        if (!constant) known = false, index = 0, distance[1] = 0;
        if (!element && type->kind == NF_KIND_STRUCT) {
            if (!constant || index < 0 || index >= type->count) return false;
            distance[!known] += type->offsets[index];
            type = nf_type(m, nf_member_type(m, type->at, (uint32_t)index));
            continue;
        }
        if (!element && type->kind != NF_KIND_ARRAY && type->kind != NF_KIND_VECTOR) return false;
        if (!element) type = nf_type(m, type->element);
        distance[!known] += index * nf_size_of(type);
    }
    return known;
}

static void note_chain(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at), base = nf_operand(m, at, 0);
    bool counts = opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain;
    int64_t distance[2] = {0, 0}, first = 0;
    if (opcode >= OpUntypedAccessChainKHR) {
        c->reach[nf_operand(m, at, 1)].escapes = true;
        m->graph->steps_out = true;
        return;
    }
    if (counts && nf_length(m, at) > 4)
        m->graph->steps_out |= nf_constant(m, nf_chain_index(m, at, 0), &first) && first != 0;
    struct nf_reach *reach = &c->reach[id], whole = *reach, part = {0};
    part.part_escapes = reach->escapes || reach->part_escapes;
    bool known = add_indices(m, at, counts, distance);
    extend_reach(&c->reach[base], known ? reach : &part, distance[0]);
    if (!known) *reach = (struct nf_reach){0}, extend_reach(reach, &whole, distance[1]);
}

uint32_t nf_note_steps(struct nf_constrainer *c, uint32_t at, enum nf_role role)
{
    const struct nf_module *m = c->m;
    switch (role) {
    case NF_ROLE_chain: note_chain(c, at); return NF_NONE_ESCAPES;
    case NF_ROLE_cast:
    case NF_ROLE_bitcast:
    case NF_ROLE_copy:
        extend_reach(&c->reach[nf_operand(m, at, 0)], &c->reach[nf_result_id(m, at)], 0);
        return NF_NONE_ESCAPES;
    case NF_ROLE_to_integer:
        if (c->reach[nf_result_id(m, at)].escapes) c->reach[nf_operand(m, at, 0)].is_integer = true;
        return NF_NONE_ESCAPES;
    case NF_ROLE_store:
    case NF_ROLE_atomic: return 1;
    case NF_ROLE_load:
    case NF_ROLE_touch:
    case NF_ROLE_nothing:
    case NF_ROLE_compare:
    case NF_ROLE_compare_bits:
    case NF_ROLE_prefetch:
    case NF_ROLE_copy_memory: return NF_NONE_ESCAPES;
    default: return 0;
    }
}

bool nf_may_leave_element(struct nf_constrainer *c, uint32_t id, uint32_t stride)
{
    const struct nf_reach *reach = &c->reach[id];
    if (reach->is_integer || reach->low < 0 || reach->high >= (int32_t)stride) return true;
    return (reach->escapes || reach->part_escapes) && c->m->graph->steps_out;
}
