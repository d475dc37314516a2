/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence.c - turns the evidence of a pointer into the spaces that it may be in; mode_policy.c applies the mode.
 *
 *     {private, NF_FROM_HOST}     {private, global}
 *     {NF_UNKNOWN}                {private, local, global}
 *
 * The hard case is a constant expression: it belongs to no instance, so its evidence is computed once for the module.
 *
 * needs: the instances.  gives: sets; the evidence of constant expressions.
 */
#include "infer/internal.h"

nf_set nf_spaces_of(nf_set evidence)
{
    nf_set spaces = evidence & NF_SPACES;
    if (evidence & (NF_FROM_HOST | NF_NUMBER)) spaces |= NF_GLOBAL;
    if (!spaces && evidence & (NF_UNKNOWN | NF_COUNT)) spaces = NF_TAGGED;
    return spaces;
}

bool nf_is_number_constant(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t number;
    return nf_is_spec_op(m, at, OpConvertUToPtr) && nf_is_generic(m, nf_value_type(m, at)) &&
           nf_constant(m, nf_spec_operand(m, at, 0), &number) && number;
}

static nf_set set_of_expression(const struct nf_module *m, uint32_t at)
{
    nf_set set = 0;
    for (uint32_t i = 1; i < nf_operand_count(m, at); i++) {
        uint32_t operand = nf_value_operand(m, at, i);
        if (operand >= m->bound || !m->def[operand] || nf_opcode(m, m->def[operand]) == OpConstantNull) continue;
        const struct nf_type *type = nf_type_of(m, operand);
        set |= nf_is_concrete_pointer(type) ? nf_space_of(m, type) : m->analysis->constant_sets[operand];
        if (nf_spec_opcode(m, at) == OpConvertUToPtr && !nf_is_zero(m, operand))
            set |= nf_constant(m, operand, &(int64_t){0}) ? NF_UNKNOWN : NF_GLOBAL;
    }
    return set;
}

void nf_find_constant_sets(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpSpecConstantOp || !nf_is_generic(m, nf_value_type(m, at))) continue;
        if (!m->analysis->constant_sets) m->analysis->constant_sets = NF_NEW(m->arena, nf_set, m->bound);
        m->analysis->constant_sets[nf_value_id(m, at)] = set_of_expression(m, at);
    }
}

nf_set nf_evidence_of_pointer(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    const struct nf_type *type = nf_type_of(m, id);
    if (m->def[id] >= m->body_at) return nf_evidence(instance, m->analysis->values[id].node);
    if (nf_is_concrete_pointer(type)) return nf_space_of(m, type);
    return m->analysis->constant_sets ? m->analysis->constant_sets[id] : 0;
}
