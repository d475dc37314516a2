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

nf_set nf_effective(const struct nf_module *m, nf_set set, bool *dead)
{
    *dead = !set;
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
    nf_set inferred = nf_set_of(m, instance, id), set = nf_effective(m, inferred, dead);
    return set == NF_GENERIC && nf_is_merged(m, instance, id) ? inferred : set;
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
    return nf_effective(m, nf_spaces_of(nf_evidence(instance, nf_gather_node(m, at))), dead);
}
