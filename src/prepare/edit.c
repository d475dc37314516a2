/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit.c - a module made of the input, to be read again: its words, the definitions that it has besides, and where
 * each word was in the input, so that messages can name that.
 */
#include "prepare/parts.h"

struct nf_lowering nf_lower_begin(struct nf_module *m)
{
    struct nf_words none = {.arena = m->arena};
    return (struct nf_lowering){.m = m, .out = none, .functions = none, .globals = none, .next_id = m->bound};
}

uint32_t nf_lower_define(struct nf_lowering *l, uint32_t opcode, uint32_t type, const uint32_t *operands,
                         uint32_t count)
{
    struct nf_module *m = l->m;
    uint32_t length = count + 2 + !!type, id_at = 1 + !!type;
    for (int made = 0; made < 2; made++) {
        const uint32_t *words = made ? l->globals.at : m->words;
        uint32_t end = made ? l->globals.count : m->body_at;
        for (uint32_t at = made ? 0 : NF_HEADER_WORDS; at < end; at += words[at] >> 16) {
            if (words[at] != (length << 16 | opcode) || (type && words[at + 1] != type)) continue;
            if (!count || !memcmp(words + at + id_at + 1, operands, count * sizeof *operands)) return words[at + id_at];
        }
    }
    uint32_t id = l->next_id++;
    nf_put(&l->globals, length << 16 | opcode);
    if (type) nf_put(&l->globals, type);
    nf_put(&l->globals, id);
    nf_put_all(&l->globals, operands, count);
    return id;
}

uint32_t nf_lower_number(struct nf_lowering *l, uint32_t value)
{
    uint32_t type = nf_lower_define(l, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    return nf_lower_define(l, OpConstant, type, &value, 1);
}

void nf_lower_emit(struct nf_lowering *l, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    nf_put(&l->out, (count + 1) << 16 | opcode);
    nf_put_all(&l->out, operands, count);
}

void nf_lower_keep(struct nf_lowering *l, uint32_t at, uint32_t end)
{
    nf_note_move(l->m, &l->moves, l->out.count, nf_input_word(l->m, at));
    nf_put_all(&l->out, l->m->words + at, end - at);
}

void nf_lower_module_scope(struct nf_lowering *l)
{
    l->functions = l->out;
    l->function_moves = l->moves;
    l->out = (struct nf_words){.arena = l->m->arena};
    l->moves = (struct nf_moves){0};
    nf_put_all(&l->out, l->m->words, NF_HEADER_WORDS);
    if (l->capability && !nf_declares(l->m, l->capability)) nf_lower_emit(l, OpCapability, &l->capability, 1);
}

struct nf_words nf_lower_end(struct nf_lowering *l)
{
    nf_put_all(&l->out, l->globals.at, l->globals.count);
    for (uint32_t i = 0; i < l->function_moves.count; i++)
        nf_note_move(l->m, &l->moves, l->function_moves.at[i].at + l->out.count, l->function_moves.at[i].input);
    nf_put_all(&l->out, l->functions.at, l->functions.count);
    l->out.at[3] = l->next_id;
    l->m->moves = l->moves;
    return l->out;
}

struct nf_words nf_lower_functions(struct nf_lowering *l, bool (*put)(struct nf_lowering *l, uint32_t at, void *data),
                                   void *data)
{
    struct nf_module *m = l->m;
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end; at = nf_next(m, at)) {
            nf_note_move(m, &l->moves, l->out.count, nf_input_word(m, at));
            if (!put(l, at, data)) nf_put_all(&l->out, m->words + at, nf_length(m, at));
        }
    nf_lower_module_scope(l);
    nf_lower_keep(l, NF_HEADER_WORDS, m->body_at);
    return nf_lower_end(l);
}
