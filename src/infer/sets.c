/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sets.c - which spaces a pointer may be in: what its evidence allows, and what the mode makes of it.
 *
 *     {private, local}    ambiguous; in hint mode Generic itself is the one space of such a pointer
 *     {local}             static; in dynamic mode it may be in all spaces that a tag can tell apart
 *     {}                  null or undefined: dead, any space will do
 *
 * Inference, report and rewriting all ask here, so that what is said is what is done.
 *
 * needs: instances.  gives: answers; the evidence for constant expressions.
 */
#include "infer/parts.h"

nf_set nf_spaces_of(nf_set evidence)
{
    nf_set spaces = evidence & NF_SPACES;
    if (evidence & NF_WEAK) spaces |= NF_GLOBAL;
    if (!spaces && evidence & (NF_NARROW | NF_ABOVE)) spaces = NF_GLOBAL;
    if (!spaces && evidence & NF_HOLE) spaces = NF_TAGGED;
    return spaces;
}

/* Evidence for a constant expression, of that for the constants before it. */
static nf_set set_of_expression(const struct nf_module *m, uint32_t at)
{
    nf_set set = 0;
    for (uint32_t i = 4; i < nf_length(m, at); i++) {
        uint32_t operand = m->words[at + i];
        if (operand >= m->bound || !m->def[operand] || nf_opcode(m, m->def[operand]) == OpConstantNull) continue;
        const struct nf_type *type = nf_type_of(m, operand);
        if (type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC)
            set |= nf_space_of(m, type);
        else
            set |= m->analysis->constant_sets[operand];
        if (m->words[at + 3] == OpConvertUToPtr) set |= nf_constant(m, operand, &(int64_t){0}) ? NF_HOLE : NF_GLOBAL;
    }
    return set;
}

/* A module-scope constant pointer is in the space of the variable that it is made from. */
void nf_find_constant_sets(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpSpecConstantOp || !nf_is_generic(m, m->words[at + 1])) continue;
        if (!m->analysis->constant_sets) m->analysis->constant_sets = NF_NEW(m->arena, nf_set, m->bound);
        m->analysis->constant_sets[m->words[at + 2]] = set_of_expression(m, at);
    }
}

static nf_set set_of_constant(const struct nf_module *m, uint32_t id)
{
    const struct nf_type *type = nf_type_of(m, id);
    if (type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC) return nf_space_of(m, type);
    return m->analysis->constant_sets ? m->analysis->constant_sets[id] : 0;
}

nf_set nf_set_of(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    if (m->def[id] < m->body_at) return nf_spaces_of(set_of_constant(m, id));
    return nf_spaces_of(nf_evidence(instance, m->analysis->values[id].node));
}

/* ---- What the mode makes of a set ---- */

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
    return nf_effective(m, nf_set_of(m, instance, id), dead);
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
