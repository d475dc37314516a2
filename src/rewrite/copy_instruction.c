/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy_instruction.c - instructions that are copied to the output with their ids mapped.
 *
 *     %c = OpCompositeInsert %pair %p %b 0     %c = OpCompositeInsert %pair %p_flat %b 0
 *
 * needs: the ids and tuples of the operands.  gives: the instruction, and the result's id or tuple.
 */
#include "rewrite/internal.h"

/* Copies an instruction without generic operands or result: only ids change, so it is written in place. */
static void emit_mapped(struct nf_output *o, uint32_t at, const struct nf_op *op)
{
    struct nf_module *m = o->m;
    uint32_t length = nf_length(m, at), *words = nf_append_unset(&o->bodies, length);
    memcpy(words, m->words + at, length * sizeof *words);
    if (nf_has_type(op)) words[1] = nf_memory_type(o, words[1]);
    if (nf_has_result(op)) words[nf_result_word(op)] = o->body.renamed[words[nf_result_word(op)]];
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        words[ids.at] = nf_mapped(o, words[ids.at]);
}

/* Copies an instruction with its generic operands in memory form, and converts a generic result from memory form. */
static void emit_in_memory_form(struct nf_output *o, uint32_t at, const struct nf_op *op)
{
    struct nf_module *m = o->m;
    uint32_t near[32], length = nf_length(m, at), *words = length > 32 ? NF_NEW(m->arena, uint32_t, length) : near;
    uint32_t id = nf_result_id(m, at), form = 0;
    memcpy(words, m->words + at, length * sizeof *words);
    if (nf_has_type(op)) words[1] = nf_memory_type(o, words[1]);
    if (nf_has_result(op))
        words[nf_result_word(op)] = form = nf_is_generic_value(m, id) ? nf_new_id(o) : o->body.renamed[id];
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        words[ids.at] = nf_memory_form(o, words[ids.at]);
    nf_append_words(&o->bodies, words, length);
    if (id && nf_is_generic_value(m, id)) nf_from_memory(o, form, id);
}

void nf_emit_plain(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    bool converts = op->opcode == OpConvertPtrToU || op->opcode == OpConvertUToPtr;
    if (converts && nf_emit_concrete_conversion(o, at)) return;
    if (nf_emit_vector(o, at, nf_role_at(m, at))) return;
    (nf_touches_generic(m, at) ? emit_in_memory_form : emit_mapped)(o, at, op);
}
