/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - constrains instructions that keep the address of a pointer or an integer, or select one of two.
 *
 *     %p = OpConvertUToPtr %_ptr_Generic_int %bits     p carries the address in bits
 *     %q = OpSelect %_ptr_Generic_int %c %p %r         q may be either
 *
 * The hard case is a pointer that is converted from an integer without any evidence: it may be in any space
 * (NF_UNKNOWN). NF_UNKNOWN takes effect only if the pointer gets no other evidence.
 *
 * needs: values of operands.  gives: values of results.
 */
#include "infer/internal.h"

struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_operand(m, at, 0);
    struct nf_value v = nf_scalar_value(c, id);
    if (!v.node && nf_is_concrete_pointer(type) && !nf_is_zero(m, id)) { /* the low half of an address */
        v = nf_make_number(m);
        nf_note_cell(m, nf_result_id(m, at), v.node);
    }
    if (type->storage != NF_STORAGE_GENERIC || type->kind != NF_KIND_POINTER)
        return nf_as_typed(m, type, nf_as_aggregate(m, type, v));
    if (!v.node) return nf_is_zero(m, id) ? nf_nothing : nf_number_pointer(m);
    return nf_with_evidence(m, v, NF_UNKNOWN);
}

struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *from = nf_operand_type(c, at, 0);
    struct nf_value v = nf_operand_value(c, at, 0);
    /* A floating-point number, or a vector of narrower integers, becomes a number. */
    bool made =
        !v.node && type->kind == NF_KIND_INT && from->kind != NF_KIND_INT && m->def[nf_operand(m, at, 0)] >= m->body_at;
    if (made) return nf_numeric_result(c, at);
    return nf_as_typed(m, type, nf_convert_shape(m, from, type, v));
}

struct nf_value nf_selected(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (nf_type_of(m, nf_select_condition(m, at))->kind == NF_KIND_VECTOR && !type->aggregate)
        return nf_numeric_result(c, at); /* parts of one address and of another */
    if (!nf_is_tracked_type(m, type)) return nf_nothing;
    uint32_t condition = nf_opcode(m, m->def[nf_select_condition(m, at)]);
    if (condition == OpConstantTrue) return nf_as_typed(m, type, nf_operand_value(c, at, 1));
    if (condition == OpConstantFalse) return nf_as_typed(m, type, nf_operand_value(c, at, 2));
    if (!nf_operand_value(c, at, 1).node && !nf_operand_value(c, at, 2).node) return nf_nothing;
    struct nf_value result = nf_fresh_value(m, type);
    const struct nf_value merged[2] = {nf_value_or_count(c, nf_operand(m, at, 1)),
                                       nf_value_or_count(c, nf_operand(m, at, 2))};
    nf_join_values(m, type, merged, 2, result);
    return result;
}
