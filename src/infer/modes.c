/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes.c - what the mode makes of the spaces that a pointer may be in.
 *
 *     {private, local}    ambiguous; in hint mode Generic itself is the one space of such a pointer (but see merges.c)
 *     {local}             static; in dynamic mode it may be in all spaces that a tag can tell apart
 *     {}                  null or undefined: dead, any space will do
 *
 * Inference, report and rewriting all ask here, so that what is said is what is done.
 *
 * needs: instances.  gives: answers.
 */
#include "infer/parts.h"

/* Is it made of an integer that may be the concrete pointer's own? A cast from Generic to one space may make another of that: what
 * comes out is the driver's then, as without us. */
static bool stays_as_it_is(const struct nf_module *m, nf_set evidence)
{
    return m->options->mode == NF_MODE_HINT && m->analysis->bare_integers && evidence & NF_HOLE &&
           evidence & (NF_PRIVATE | NF_LOCAL);
}

nf_set nf_effective(const struct nf_module *m, nf_set evidence, bool *dead)
{
    nf_set set = nf_spaces_of(evidence);
    *dead = !set;
    if (stays_as_it_is(m, evidence)) return NF_GENERIC;
    if (!set) set = NF_GLOBAL;
    /* Addresses of 32 bits have no room for a tag in memory: there only what must be is tagged. */
    if (m->options->mode == NF_MODE_DYNAMIC && !(set & NF_CODE) && m->address_bits == 64) {
        set |= NF_TAGGED;
        *dead = false;
    }
    /* No cast leads from Generic to constant memory. */
    if (m->options->mode == NF_MODE_HINT && (!nf_single(set) || set == NF_CONSTANT)) set = NF_GENERIC;
    return set;
}

nf_set nf_effective_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead)
{
    nf_set evidence = nf_evidence_of_pointer(m, instance, id), set = nf_effective(m, evidence, dead);
    bool merged = set == NF_GENERIC && !stays_as_it_is(m, evidence) && nf_is_merged(m, instance, id);
    return merged ? nf_spaces_of(evidence) : set;
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
