/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit.c - makes a new module from one that was read: its words, the definitions that it adds, and for each word its
 * offset in the input, for messages.
 */
#include "module/module.h"

enum { MAX_CAPABILITIES = sizeof((struct nf_edit *)0)->capabilities / sizeof(uint32_t) };

/* ---- Offsets in the input ---- */

void nf_note_move(struct nf_module *m, struct nf_moves *moves, uint32_t at, uint32_t input)
{
    if (moves->count && input - at == moves->at[moves->count - 1].input - moves->at[moves->count - 1].at) return;
    NF_RESERVE(m->arena, moves->at, moves->capacity, (size_t)moves->count + 1);
    moves->at[moves->count++] = (struct nf_move){at, input};
}

uint32_t nf_input_word(const struct nf_module *m, uint32_t at)
{
    uint32_t low = 0, high = m->moves.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (m->moves.at[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? m->moves.at[low - 1].input + (at - m->moves.at[low - 1].at) : at;
}

/* ---- The module that is being made ---- */

struct nf_edit nf_edit_begin(struct nf_module *m)
{
    struct nf_words none = {.arena = m->arena};
    return (struct nf_edit){.m = m, .build = nf_build_begin(m->arena, m->bound), .out = none, .functions = none};
}

uint32_t nf_edit_define(struct nf_edit *e, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    if (!e->knows_input) nf_build_note(&e->build, e->m->words, NF_HEADER_WORDS, e->m->body_at, OpConstantNull);
    e->knows_input = true;
    return nf_build_definition(&e->build, opcode, type, operands, count);
}

void nf_edit_need(struct nf_edit *e, uint32_t capability)
{
    uint32_t i = 0;
    if (nf_declares(e->m, capability)) return;
    while (i < MAX_CAPABILITIES && e->capabilities[i] && e->capabilities[i] != capability)
        i++;
    if (i < MAX_CAPABILITIES) e->capabilities[i] = capability;
}

void nf_edit_need_int(struct nf_edit *e, uint32_t width)
{
    if (width == 32) return;
    nf_edit_need(e, width == 8 ? NF_CAPABILITY_INT8 : width == 16 ? NF_CAPABILITY_INT16 : NF_CAPABILITY_INT64);
}

uint32_t nf_edit_int_type(struct nf_edit *e, uint32_t width)
{
    nf_edit_need_int(e, width);
    return nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){width, 0}, 2);
}

uint32_t nf_edit_number(struct nf_edit *e, uint32_t value)
{
    uint32_t type = nf_edit_int_type(e, 32);
    return nf_edit_define(e, OpConstant, type, &value, 1);
}

void nf_edit_emit(struct nf_edit *e, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    nf_build(&e->out, opcode, operands, count);
}

uint32_t nf_edit_value(struct nf_edit *e, uint32_t opcode, uint32_t type, uint32_t left, uint32_t right)
{
    uint32_t id = nf_build_id(&e->build);
    nf_edit_emit(e, opcode, (uint32_t[]){type, id, left, right}, right ? 4 : 3);
    return id;
}

/* Emits the instruction for component `n` of its vectors. Returns the result id. */
static uint32_t emit_component(struct nf_edit *e, uint32_t at, uint32_t n)
{
    const struct nf_module *m = e->m;
    uint32_t length = nf_length(m, at), *words = NF_NEW(m->arena, uint32_t, length), id;
    memcpy(words, m->words + at + 1, (length - 1) * sizeof *words);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        const struct nf_type *type = nf_type_of(m, nf_current_id(&ids));
        if (type->kind != NF_KIND_VECTOR) continue;
        uint32_t component = nf_build_id(&e->build);
        nf_edit_emit(e, OpCompositeExtract, (uint32_t[]){type->element, component, nf_current_id(&ids), n}, 4);
        words[ids.at - 1] = component;
    }
    words[0] = nf_type(m, nf_value_type(m, at))->element;
    words[1] = id = nf_build_id(&e->build);
    nf_edit_emit(e, nf_opcode(m, at), words, length - 1);
    return id;
}

void nf_edit_by_component(struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t count = nf_type(m, nf_value_type(m, at))->count, *words = NF_NEW(m->arena, uint32_t, (size_t)count + 2);
    for (uint32_t n = 0; n < count; n++)
        words[2 + n] = emit_component(e, at, n);
    words[0] = nf_value_type(m, at);
    words[1] = nf_value_id(m, at);
    nf_edit_emit(e, OpCompositeConstruct, words, count + 2);
}

void nf_edit_keep(struct nf_edit *e, uint32_t at, uint32_t end)
{
    nf_note_move(e->m, &e->moves, e->out.count, nf_input_word(e->m, at));
    nf_append_words(&e->out, e->m->words + at, end - at);
}

void nf_edit_mapped(struct nf_edit *e, uint32_t at, const uint32_t *map)
{
    uint32_t start = e->out.count;
    struct nf_ids ids = nf_ids_at(e->m, at);
    nf_edit_keep(e, at, nf_next(e->m, at));
    while (nf_ids_next(&ids))
        if (map[nf_current_id(&ids)]) e->out.at[start + ids.at] = map[nf_current_id(&ids)];
}

void nf_edit_module_scope(struct nf_edit *e)
{
    e->functions = e->out;
    e->function_moves = e->moves;
    e->out = (struct nf_words){.arena = e->m->arena};
    e->moves = (struct nf_moves){0};
    nf_append_words(&e->out, e->m->words, NF_HEADER_WORDS);
    for (uint32_t i = 0; i < MAX_CAPABILITIES && e->capabilities[i]; i++)
        nf_edit_emit(e, OpCapability, &e->capabilities[i], 1);
}

struct nf_words nf_edit_end(struct nf_edit *e)
{
    nf_append_words(&e->out, e->build.definitions.at, e->build.definitions.count);
    for (uint32_t i = 0; i < e->function_moves.count; i++)
        nf_note_move(e->m, &e->moves, e->function_moves.at[i].at + e->out.count, e->function_moves.at[i].input);
    nf_append_words(&e->out, e->functions.at, e->functions.count);
    e->out.at[3] = e->build.next_id;
    e->m->moves = e->moves;
    return e->out;
}

bool nf_edit_where(struct nf_module *m, bool (*wanted)(const struct nf_module *m, uint32_t at),
                   bool (*put)(struct nf_edit *e, uint32_t at, void *data), struct nf_words *out)
{
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = wanted(m, at);
    if (!any) return false;
    struct nf_edit e = nf_edit_begin(m);
    *out = nf_edit_functions(&e, put, NULL);
    return true;
}

struct nf_words nf_edit_functions(struct nf_edit *e, bool (*put)(struct nf_edit *e, uint32_t at, void *data),
                                  void *data)
{
    struct nf_module *m = e->m;
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end; at = nf_next(m, at)) {
            nf_note_move(m, &e->moves, e->out.count, nf_input_word(m, at));
            if (!put(e, at, data)) nf_append_words(&e->out, m->words + at, nf_length(m, at));
        }
    nf_edit_module_scope(e);
    nf_edit_keep(e, NF_HEADER_WORDS, m->body_at);
    return nf_edit_end(e);
}
