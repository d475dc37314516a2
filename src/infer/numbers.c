/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbers.c - pointers that are made of computed numbers, and of addresses in indices.
 *
 *     %n = OpIMul %ulong %t %ulong_16                  a number
 *     %p = OpConvertUToPtr %_ptr_Generic_int %n        p points to whatever was exposed, or to the host's memory
 *
 * A number may lie in the same cell as addresses, as a key lies in an arena beside links. If it pointed anywhere, the
 * whole arena would be one with the host's memory. So the program is solved as if numbers pointed nowhere; only if that
 * solution has a pointer that may be a number it is solved again, with numbers that point to all that they can. Hardly any
 * shipped module has one.
 *
 * needs: instances.  gives: answers.
 */
#include "infer/parts.h"

/* The node of the integer, or of the memory, that the instruction makes a pointer of; 0: it makes none. */
static uint32_t source_of_pointer(const struct nf_module *m, uint32_t at)
{
    const struct nf_value *values = m->analysis->values;
    uint32_t id = nf_result_id(m, at), operand;
    if (!id || nf_type_of(m, id)->kind != NF_KIND_POINTER) return 0;
    switch (nf_role_at(m, at)) {
    case NF_ROLE_bitcast:
    case NF_ROLE_to_pointer:
        operand = nf_operand(m, at, 0);
        return m->def[operand] >= m->body_at ? values[operand].node : 0;
    case NF_ROLE_load:
    case NF_ROLE_extract:
    case NF_ROLE_extract_dynamic:
    case NF_ROLE_atomic: return nf_is_generic(m, nf_result_type(m, at)) ? values[id].node : nf_cell_node(m, id);
    default: return 0;
    }
}

/* May the pointer lead where the graph does not know of? A number beside an address that the host wrote leads into the host's
 * memory, as the address does, unless there is other memory whose addresses are exposed. */
static bool leads_astray(nf_set evidence, bool owns_global)
{
    bool hosts = evidence & NF_FROM_HOST && !(evidence & (NF_SPACES & ~NF_GLOBAL)) && !owns_global;
    return evidence & (NF_NUMBER | NF_PATCHED) && !hosts;
}

/* Does the index of the access chain at `at` hold an address of which the graph does not know that the result may point to it? */
static bool leads_by_index(struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    if (nf_role_at(m, at) != NF_ROLE_chain || !nf_evidence_of_index(m, instance, at)) return false;
    struct nf_value index = m->analysis->values[nf_leading_index(m, at)],
                    result = m->analysis->values[nf_result_id(m, at)];
    if (!nf_is_generic(m, nf_result_type(m, at)) || nf_is_host(m, index)) return false;
    return nf_place_of(m, index).region != nf_place_of(m, result).region;
}

static void look_at_instance(struct nf_module *m, const struct nf_instance *instance, struct nf_suspicion *known)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        uint32_t source = known->numbers ? 0 : source_of_pointer(m, at);
        if (source && leads_astray(nf_evidence(instance, source), m->analysis->shares_host)) known->numbers = true;
        if (!known->indices && leads_by_index(m, instance, at)) known->indices = true;
    }
}

bool nf_finds_more(struct nf_module *m, struct nf_suspicion *known)
{
    const struct nf_suspicion before = *known;
    for (uint32_t i = 1; i < m->analysis->instance_count; i++) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (instance->live && m->functions[instance->function].body) look_at_instance(m, instance, known);
    }
    return known->numbers != before.numbers || known->indices != before.indices;
}
