/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chains.c - constrains access chains: an address at an offset from a base address.
 *
 *     %q = OpInBoundsPtrAccessChain %p %one %i     q is one element after p, or further on
 *     %r = OpInBoundsAccessChain %s %two           r is s, plus the offset of the third member
 *
 * The hard case is a variable index: the address may be any number of elements away from the base, or any multiple of a
 * power of two that always divides the index.
 *
 * needs: the value of the base.  gives: the value of the address.
 */
#include "infer/internal.h"

/* Other divisors are not tracked, because they no longer divide a product that has wrapped around. */
uint32_t nf_multiple_of(const struct nf_constrainer *c, uint32_t id)
{
    enum { MOST_ZEROS = 16 };
    uint32_t zeros = nf_bits_of(c, id).zeros;
    return 1u << (zeros < MOST_ZEROS ? zeros : MOST_ZEROS);
}

/* Returns the definition behind conversions to more bits. In unreachable code conversions may form a cycle, hence the
 * limit. */
static uint32_t without_conversions(const struct nf_module *m, uint32_t at)
{
    enum { MOST = 16 };
    for (int i = 0; i < MOST && at >= m->body_at; i++) {
        if (nf_opcode(m, at) != OpUConvert && nf_opcode(m, at) != OpSConvert) break;
        if (nf_type_of(m, nf_value_operand(m, at, 0))->size > nf_type_of(m, nf_value_id(m, at))->size) break;
        at = m->def[nf_value_operand(m, at, 0)];
    }
    return at;
}

uint32_t nf_multiple_before(const struct nf_constrainer *c, uint32_t id, uint32_t *further)
{
    const struct nf_module *m = c->m;
    uint32_t at = without_conversions(m, m->def[id]), multiple = nf_multiple_of(c, id);
    int64_t value;
    *further = 0;
    if (multiple > 1 && nf_opcode(m, at) != OpBitwiseOr) return multiple;
    if (at < m->body_at || (nf_opcode(m, at) != OpIAdd && nf_opcode(m, at) != OpBitwiseOr)) return 1;
    if (!nf_constant(m, nf_value_operand(m, at, 1), &value)) return 1;
    multiple = nf_multiple_of(c, nf_value_operand(m, at, 0));
    /* An OR is a sum only if its operands have no common bits. */
    if (nf_opcode(m, at) == OpBitwiseOr && (uint64_t)value >= multiple) return 1;
    *further = (uint32_t)value & (multiple - 1);
    return multiple;
}

/* Returns `v` moved by an index of the access chain `id` over an array of `count` (0: unknown) elements of `type`. The
 * index may leave the array if `count` is UINT32_MAX. */
static struct nf_value step(struct nf_constrainer *c, struct nf_value v, uint32_t id, uint32_t index,
                            const struct nf_type *type, uint32_t count)
{
    uint32_t stride = nf_size_of(type);
    int64_t value;
    if (nf_constant(c->m, index, &value)) {
        if (value > NF_MAX_OFFSET || value < -NF_MAX_OFFSET) value = value > 0 ? NF_MAX_OFFSET : -NF_MAX_OFFSET;
        return nf_offset_by(v, value * stride);
    }
    uint32_t further = 0, multiple = count ? 1 : nf_multiple_before(c, index, &further);
    uint64_t wide = (uint64_t)stride * multiple;
    if (wide >= NF_MAX_OFFSET) wide = stride, further = 0;
    bool leaves = count == UINT32_MAX || (id && nf_may_leave_element(c, id, (uint32_t)wide));
    nf_smear_offsets(c->m, v, (uint32_t)wide, leaves ? 0 : count, leaves || count ? 0 : type->id);
    return nf_offset_by(v, (int64_t)further * stride);
}

/* Returns true if the index, unless it is 0, leads out of every window: a constant with too many bits, or an integer
 * whose low bits are 0, such as a tag. Any other index is assumed to select an element of the base's object. */
static bool leaves_window(const struct nf_constrainer *c, uint32_t index, uint32_t stride)
{
    const struct nf_bits bits = nf_bits_of(c, index);
    const uint32_t end = nf_window_bits(c->m) - 1;
    int64_t value;
    if (nf_constant(c->m, index, &value)) return bits.length > end || value * stride >> end != value * stride >> 63;
    return bits.zeros >= end;
}

/* Returns true for a chain of SPV_KHR_untyped_pointers: its operands begin with the base type. */
static bool is_untyped(uint32_t opcode)
{
    return opcode >= OpUntypedAccessChainKHR && opcode <= OpUntypedInBoundsPtrAccessChainKHR;
}

/* Returns true if the first index counts elements of the base's pointee. */
static bool counts_elements(uint32_t opcode)
{
    return opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain || opcode == OpUntypedPtrAccessChainKHR ||
           opcode == OpUntypedInBoundsPtrAccessChainKHR;
}

/* Returns the opcode of an access chain, or of the access chain in a constant expression. */
static uint32_t chain_opcode(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpSpecConstantOp ? nf_spec_opcode(m, at) : nf_opcode(m, at);
}

uint32_t nf_base_word(const struct nf_module *m, uint32_t at)
{
    return (nf_opcode(m, at) == OpSpecConstantOp ? 4 : 3) + is_untyped(chain_opcode(m, at));
}

/* Returns the struct if the pointer `id` is an access chain to its only member, or NULL. An array of one element at the
 * end of a struct may be a flexible array member of an old program, of unknown length. But if it is the only member,
 * its length is taken as known, as in one-dimensional SYCL ranges: unoptimized code indexes them in loops, and they lie
 * next to pointers in accessors. */
static const struct nf_type *struct_of_only_member(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id], opcode = nf_opcode(m, at);
    if (at < m->body_at || nf_role_at(m, at) != NF_ROLE_chain || is_untyped(opcode)) return NULL;
    const struct nf_type *of = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    uint32_t steps = nf_length(m, at) - 4 - counts_elements(opcode);
    return steps == 1 && of->kind == NF_KIND_STRUCT && of->count == 1 ? of : NULL;
}

/* Returns the address of a part (element or member) of `*type`, and sets *type to the part's type. `around`: the struct
 * whose first member has the type `*type`, or NULL. An index of an array at the beginning of a struct, of an array of
 * bytes, or without `in_bounds` may leave the array: so compilers index a whole struct. */
static struct nf_value step_into(struct nf_constrainer *c, struct nf_value v, uint32_t id, uint32_t index,
                                 const struct nf_type **type, const struct nf_type **around, bool in_bounds)
{
    struct nf_module *m = c->m;
    const struct nf_type *of = *type;
    bool alone = *around && (*around)->count == 1;
    bool bounded = of->count > 1 ? (alone || !*around) && nf_type(m, of->element)->size != 1 : alone;
    int64_t member;
    *around = NULL;
    if (of->kind == NF_KIND_STRUCT && nf_constant(m, index, &member) && member >= 0 && member < of->count) {
        *type = nf_type(m, nf_member_type(m, of->at, (uint32_t)member));
        if (!member) *around = of;
        return nf_offset_by(v, of->offsets[member]);
    }
    if (of->kind == NF_KIND_ARRAY || of->kind == NF_KIND_VECTOR) {
        *type = nf_type(m, of->element);
        return step(c, v, id, index, *type, !in_bounds ? UINT32_MAX : bounded ? of->count : 0);
    }
    nf_smear_offsets(m, v, 1, 0, 0);
    return v;
}

uint32_t nf_leading_index(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at), first = 4 + is_untyped(opcode);
    return counts_elements(opcode) && first < nf_length(m, at) ? nf_word(m, at, first) : 0;
}

nf_set nf_evidence_of_index(const struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    uint32_t index = nf_leading_index(m, at);
    bool in_body = index && m->def[index] >= m->body_at;
    return in_body ? nf_transfer(NF_NODE_IF_ADDRESS, nf_evidence(instance, m->analysis->values[index].node)) : 0;
}

uint32_t nf_chain_base(const struct nf_module *m, uint32_t at)
{
    uint32_t base_at = nf_base_word(m, at);
    return base_at < nf_length(m, at) ? nf_word(m, at, base_at) : 0;
}

struct nf_value nf_chain(struct nf_constrainer *c, struct nf_value v, uint32_t at)
{
    struct nf_module *m = c->m;
    uint32_t opcode = chain_opcode(m, at), next = nf_base_word(m, at), length = nf_length(m, at);
    if (!v.node) return nf_nothing;
    const struct nf_type *type =
        nf_type(m, is_untyped(opcode) ? nf_word(m, at, next - 1) : nf_type_of(m, nf_word(m, at, next))->element);
    uint32_t id = at >= m->body_at ? nf_result_id(m, at) : 0; /* constant expressions have constant indices */
    bool in_bounds = opcode != OpAccessChain && opcode != OpPtrAccessChain;
    const struct nf_type *around = is_untyped(opcode) ? NULL : struct_of_only_member(m, nf_word(m, at, next));
    next++;
    if (counts_elements(opcode) && next < length) {
        uint32_t index = nf_word(m, at, next++);
        v = step(c, v, id, index, type, 0);
        m->analysis->far[id] = id && leaves_window(c, index, nf_size_of(type));
        if (m->analysis->far[id]) v = nf_with_evidence(m, v, NF_LOOSE);
    }
    for (; next < length; next++)
        v = step_into(c, v, id, nf_word(m, at, next), &type, &around, in_bounds);
    return v;
}
