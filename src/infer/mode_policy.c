/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mode_policy.c - decides which spaces a pointer has in the output, by the mode and the device.
 *
 *     {private, local}    ambiguous; in hint mode the pointer stays generic (but see merges.c)
 *     {local}             static; with windows, dynamic mode treats it as if it may be in all spaces with tags
 *     {}                  null or undefined: dead, any space is correct
 *
 * The hard case is a program that queries the space of an ambiguous pointer on a device with one address space for all
 * memories: its pointers need tags and windows, where otherwise a global pointer would suffice (nf_find_flat()).
 *
 * needs: the instances.  gives: the sets that report and rewriting share, so that the report describes the output.
 */
#include "infer/internal.h"

/* Returns true, in hint mode, for a private or local pointer that may be converted from the integer of a concrete
 * pointer, or be outside of its window. A cast to one space may change that integer, so the pointer stays generic. */
static bool stays_generic(const struct nf_module *m, nf_set evidence)
{
    bool converted = m->analysis->converts_concrete_pointers && evidence & NF_UNKNOWN;
    bool other = converted || evidence & (NF_LOOSE | NF_COUNT);
    return m->options->mode == NF_MODE_HINT && evidence & (NF_PRIVATE | NF_LOCAL) && other;
}

nf_set nf_effective(const struct nf_module *m, nf_set evidence, bool *dead)
{
    nf_set set = nf_spaces_of(evidence);
    *dead = !set;
    if (stays_generic(m, evidence)) return NF_GENERIC;
    if (!set) set = NF_GLOBAL;
    /* Without windows an integer cannot determine the space of an address, so only ambiguous pointers get a tag. */
    if (m->options->mode == NF_MODE_DYNAMIC && !(set & NF_CODE) && nf_has_windows(m)) {
        set |= NF_TAGGED;
        *dead = false;
    }
    /* No cast converts a generic pointer to constant memory. */
    if (m->options->mode == NF_MODE_HINT && (!nf_single(set) || set == NF_CONSTANT)) set = NF_GENERIC;
    return set;
}

nf_set nf_effective_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead)
{
    nf_set evidence = nf_evidence_of_pointer(m, instance, id), set = nf_effective(m, evidence, dead);
    bool merged = set == NF_GENERIC && !stays_generic(m, evidence) && nf_is_merged(m, instance, id);
    return merged ? nf_spaces_of(evidence) : set;
}

static nf_set value_set(const struct nf_module *m, nf_set set, nf_set evidence)
{
    if (!(set & NF_TAGGED) || m->options->mode == NF_MODE_HINT) return set;
    if (!nf_is_flat(m)) return evidence & (NF_LOOSE | NF_COUNT) && nf_has_windows(m) ? set | NF_GLOBAL : set;
    return nf_single(set) || set & NF_CODE || m->options->mode == NF_MODE_DYNAMIC ? set : NF_GLOBAL;
}

nf_set nf_value_set_by(const struct nf_module *m, nf_set evidence)
{
    bool dead;
    return value_set(m, nf_effective(m, evidence, &dead), evidence);
}

nf_set nf_value_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead)
{
    nf_set set = nf_effective_set(m, instance, id, dead);
    return *dead ? set : value_set(m, set, nf_evidence_of_pointer(m, instance, id));
}

/* ---- Devices with one address space ---- */

/* Returns true if the result of the instruction is, or depends on, the space of an ambiguous pointer. */
static bool queries_space(const struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    enum nf_role role = nf_role_at(m, at);
    bool dead;
    if (role != NF_ROLE_cast_explicit && role != NF_ROLE_semantics) return false;
    uint32_t pointer = nf_operand(m, at, 0);
    return nf_is_generic_value(m, pointer) && !nf_single(nf_effective_set(m, instance, pointer, &dead));
}

static bool instance_queries_space(const struct nf_module *m, const struct nf_instance *instance)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; f->body && at < f->end; at = nf_next(m, at))
        if (queries_space(m, instance, at)) return true;
    return false;
}

void nf_find_flat(struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    if (!profile || profile->address_form != NF_ADDRESSES_FLAT || m->options->mode == NF_MODE_HINT) return;
    for (uint32_t i = 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live && instance_queries_space(m, nf_instance_at(m, i))) return;
    m->analysis->flat = true;
}

uint32_t nf_pointer_node(const struct nf_module *m, uint32_t at, uint32_t id)
{
    if (nf_gathered_type(m, at)) return nf_gather_node(m, at);
    return m->def[id] >= m->body_at ? m->analysis->values[id].node : 0;
}

nf_set nf_pointer_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t id,
                      bool *dead)
{
    if (!nf_gathered_type(m, at)) return nf_effective_set(m, instance, id, dead);
    return nf_effective(m, nf_evidence(instance, nf_gather_node(m, at)), dead);
}
