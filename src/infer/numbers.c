/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbers.c - is some pointer made of a computed number?
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
#include "infer/internal.h"

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

static bool makes_pointer_of_number(const struct nf_module *m, const struct nf_instance *instance, bool owns_global)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        if (leads_astray(nf_evidence(instance, source_of_pointer(m, at)), owns_global)) return true;
    return false;
}

bool nf_finds_numbers(const struct nf_module *m)
{
    bool owns_global = m->analysis->shares_host;
    for (uint32_t i = 1; i < m->analysis->instance_count; i++) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (instance->live && m->functions[instance->function].body &&
            makes_pointer_of_number(m, instance, owns_global))
            return true;
    }
    return false;
}
