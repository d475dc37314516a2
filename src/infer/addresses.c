/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - instructions that convert a pointer or an integer without changing its address, or select one of two.
 * Access chains are in chains.c, arithmetic is in arithmetic.c.
 *
 *     %p = OpConvertUToPtr %_ptr_Generic_int %bits     p carries what bits carries
 *     %q = OpSelect %_ptr_Generic_int %c %p %r         q may be either
 *
 * The hard case is a pointer that is made of an integer without any evidence: it may be in any space (NF_HOLE). NF_HOLE
 * has an effect only if no other evidence flows into the pointer.
 *
 * needs: values of operands.  gives: values of results.
 */
#include "infer/internal.h"

/* Returns a value of `type` that may be any of the `count` ids, which are at most two. */
static struct nf_value merged(struct nf_constrainer *c, const struct nf_type *type, const uint32_t *ids, uint32_t count)
{
    struct nf_module *m = c->m;
    struct nf_value values[2] = {nf_value_of(c, ids[0]), nf_value_of(c, ids[count - 1])};
    if (!values[0].node && !values[1].node) return nf_nothing;
    if (type->aggregate) {
        struct nf_value content = nf_fresh_content(m);
        for (uint32_t i = 0; i < count; i++)
            nf_flow_value(m, type, values[i], content);
        return content;
    }
    bool concrete = nf_is_concrete_pointer(type);
    struct nf_value result = nf_of_node(nf_node(m, concrete ? nf_space_of(m, type) : 0));
    nf_meet(m, values, count, result, !concrete);
    return result;
}

struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_operand(m, at, 0);
    struct nf_value v = nf_flat(m, nf_type_of(m, id), nf_value_of(c, id));
    if (type->storage != NF_STORAGE_GENERIC || type->kind != NF_KIND_POINTER)
        return nf_typed(m, type, nf_unflat(m, type, v));
    if (!v.node && nf_is_zero(m, id)) return nf_nothing;
    if (!v.node) return nf_number_pointer(m);
    struct nf_value pointer = nf_of_node(nf_node(m, NF_HOLE));
    nf_flow(m, v, pointer);
    return pointer;
}

struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *from = nf_operand_type(c, at, 0);
    struct nf_value v = nf_operand_value(c, at, 0);
    if (type->kind == NF_KIND_POINTER && from->kind != NF_KIND_POINTER) return nf_to_pointer(c, at, type);
    /* A floating-point number, or a vector of narrower integers, becomes one integer. */
    bool made =
        !v.node && type->kind == NF_KIND_INT && from->kind != NF_KIND_INT && m->def[nf_operand(m, at, 0)] >= m->body_at;
    if (made) return nf_numeric(c, at);
    return nf_typed(m, type, nf_reshaped(m, from, type, v));
}

struct nf_value nf_selected(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!nf_carries(m, type)) return nf_nothing;
    uint32_t condition = nf_opcode(m, m->def[m->words[at + 3]]);
    if (condition == OpConstantTrue) return nf_typed(m, type, nf_operand_value(c, at, 1));
    if (condition == OpConstantFalse) return nf_typed(m, type, nf_operand_value(c, at, 2));
    return merged(c, type, m->words + at + 4, 2);
}
