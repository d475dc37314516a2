/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbers.c - finds pointers that are converted from numbers, and access chains whose index holds an address.
 *
 *     %n = OpIMul %ulong %t %ulong_16                  a number
 *     %p = OpConvertUToPtr %_ptr_Generic_int %n        p points to any exposed address, or into host memory
 *
 * The hard case: a number may be in the same cell as addresses, like a key next to links in an arena. If numbers
 * pointed to memory, the arena would be unified with H. So the program is first solved as if numbers pointed nowhere,
 * and again only if a pointer may be a number, which is rare. The same is done for other facts of struct nf_suspicion.
 *
 * needs: the instances.  gives: struct nf_suspicion.
 */
#include "infer/internal.h"

/* Returns the node of the integer that the instruction converts to a pointer, or of the pointer that it loads, extracts
 * or offsets, or through which it gathers (of a concrete pointer, its cell); 0 if it does none of these. */
static uint32_t source_of_pointer(const struct nf_module *m, uint32_t at)
{
    const struct nf_value *values = m->analysis->values;
    uint32_t id = nf_result_id(m, at), operand;
    if (nf_gather_node(m, at)) return nf_gather_node(m, at);
    if (!id || nf_type_of(m, id)->kind != NF_KIND_POINTER) return 0;
    switch (nf_role_at(m, at)) {
    case NF_ROLE_bitcast:
    case NF_ROLE_to_pointer:
        operand = nf_operand(m, at, 0);
        if (!values[operand].node) return nf_cell_node(m, id);
        return m->def[operand] >= m->body_at ? values[operand].node : 0;
    case NF_ROLE_chain: /* from null by a number of bytes */
    case NF_ROLE_load:
    case NF_ROLE_extract:
    case NF_ROLE_extract_dynamic:
    case NF_ROLE_atomic: return nf_is_generic(m, nf_result_type(m, at)) ? values[id].node : nf_cell_node(m, id);
    default: return 0;
    }
}

/* Returns true if the pointer may point to memory that its place does not include. A number with NF_FROM_HOST and no
 * space but global points into its place, H; if `owns_global` is true, it may also point to an exposed variable of
 * the module. `owns_global`: the module has global variables that kernels may write. */
static bool leaves_place(nf_set evidence, bool owns_global)
{
    bool hosts = evidence & NF_FROM_HOST && !(evidence & (NF_SPACES & ~NF_GLOBAL)) && !owns_global;
    return evidence & NF_NUMBER && !hosts;
}

/* Returns true if the index of the access chain at `at` holds an address in another place than the result. */
static bool index_leaves_place(struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    if (nf_role_at(m, at) != NF_ROLE_chain || !nf_evidence_of_index(m, instance, at)) return false;
    struct nf_value index = m->analysis->values[nf_leading_index(m, at)],
                    result = m->analysis->values[nf_result_id(m, at)];
    if (!nf_is_generic(m, nf_result_type(m, at)) || nf_is_host(m, index)) return false;
    nf_set spaces = nf_evidence(instance, index.node) & NF_SPACES;
    if (spaces & ~nf_evidence(instance, result.node)) return true; /* the index got its place after the chain */
    return nf_place_of(m, index).region != nf_place_of(m, result).region;
}

/* Returns true if the instruction adds a constant to the integer of an address, or subtracts one from it. */
static bool moves_by_constant(const struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    bool adds = nf_opcode(m, at) == OpIAdd;
    int64_t value;
    if (!adds && nf_opcode(m, at) != OpISub) return false;
    bool known = nf_constant(m, nf_operand(m, at, 1), &value) || (adds && nf_constant(m, nf_operand(m, at, 0), &value));
    return known && nf_evidence(instance, m->analysis->values[nf_result_id(m, at)].node) & NF_SPACES;
}

/* Returns true if the instruction computes a number from an integer that may be in several spaces, as a distance is. */
static bool computes_from_distance(struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    if (nf_role_at(m, at) != NF_ROLE_number) return false;
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);)
        if (nf_transfer(NF_NODE_APART, nf_evidence_of_pointer(m, instance, nf_current_id(&ids)))) return true;
    return false;
}

static void examine_instance(struct nf_module *m, const struct nf_instance *instance, struct nf_suspicion *known)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        uint32_t source = known->numbers ? 0 : source_of_pointer(m, at);
        nf_set evidence = source ? nf_evidence(instance, source) : 0;
        if (source && leaves_place(evidence, m->analysis->shares_host)) known->numbers = true;
        if (!known->steps && !m->graph->steps_out) known->steps = moves_by_constant(m, instance, at);
        if (!known->distances) known->distances = computes_from_distance(m, instance, at);
        if (!known->indices && index_leaves_place(m, instance, at)) known->indices = true;
    }
}

bool nf_collect_suspicions(struct nf_module *m, struct nf_suspicion *known)
{
    const struct nf_suspicion before = *known;
    for (uint32_t i = 1; i < m->analysis->instance_count; i++) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (instance->live && m->functions[instance->function].body) examine_instance(m, instance, known);
    }
    return memcmp(known, &before, sizeof before) != 0;
}
