/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decoration_groups.c - replaces decoration groups by decorations of their targets.
 *
 *     OpDecorate %group CPacked
 *     %group = OpDecorationGroup
 *     OpGroupDecorate %group %a %b                OpDecorate %a CPacked
 *                                                 OpDecorate %b CPacked
 *
 * Both forms have the same meaning, and groups are deprecated, but valid. All later stages read decorations of ids only:
 * a packed structure that is decorated by a group would otherwise get the offsets of a structure with padding. The hard
 * case is OpGroupMemberDecorate, whose targets are members of structures.
 *
 * needs: definitions.  gives: the words of a module without groups, to be read again.
 */
#include "module/internal.h"

/* A group may have many decorations and many targets; a module that becomes longer than this number of words is
 * refused. */
enum { MOST_WORDS = 1 << 26 };

/* The decorations of groups, in order. Each has an index, from 1. */
struct groups {
    struct nf_edit to;
    uint32_t *first, *last; /* by id of a group: indices of its first and its last decoration; 0: none */
    struct {
        uint32_t at, next;
    } * list; /* by index: the word offset, and the index of the group's next decoration */
    uint32_t count, capacity;
};

static bool is_group(const struct nf_module *m, uint32_t id)
{
    return nf_match(m, id, OpDecorationGroup);
}

static void note_decoration(struct groups *g, uint32_t at)
{
    struct nf_module *m = g->to.m;
    uint32_t group = nf_annotated_id(m, at);
    NF_RESERVE(m->arena, g->list, g->capacity, (size_t)g->count + 2);
    g->count++;
    g->list[g->count].at = at, g->list[g->count].next = 0;
    if (g->last[group])
        g->list[g->last[group]].next = g->count;
    else
        g->first[group] = g->count;
    g->last[group] = g->count;
}

/* Emits the decoration at `at` for the target, or for its member number `*member`. OpDecorateId has no form for
 * members, so nothing is emitted then. */
static void decorate(struct nf_edit *e, uint32_t at, uint32_t target, const uint32_t *member)
{
    struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at), length = nf_length(m, at);
    if (member && opcode == OpDecorateId) return;
    if (member) opcode = opcode == OpDecorateString ? OpMemberDecorateString : OpMemberDecorate;
    if (e->out.count > MOST_WORDS || length >= UINT16_MAX)
        nf_fail(m->arena, NF_REFUSED, at, "the decorations of groups, written for each target, are too long");
    nf_append_word(&e->out, nf_first_word(opcode, length + (member != NULL)));
    nf_append_word(&e->out, target);
    if (member) nf_append_word(&e->out, *member);
    nf_append_words(&e->out, m->words + at + 2, length - 2);
}

/* Emits the decorations of the group for each of its targets. */
static void decorate_targets(struct groups *g, uint32_t at)
{
    struct nf_module *m = g->to.m;
    bool members = nf_opcode(m, at) == OpGroupMemberDecorate;
    uint32_t group = nf_effect_operand(m, at, 0);
    nf_note_move(m, &g->to.moves, g->to.out.count, nf_input_word(m, at));
    for (uint32_t i = 2; i + members < nf_length(m, at); i += 1 + members)
        for (uint32_t d = group < m->bound ? g->first[group] : 0; d; d = g->list[d].next)
            decorate(&g->to, g->list[d].at, nf_word(m, at, i), members ? m->words + at + i + 1 : NULL);
}

static void rewrite(struct groups *g, uint32_t at)
{
    struct nf_module *m = g->to.m;
    uint32_t opcode = nf_opcode(m, at);
    bool decorates = opcode == OpDecorate || opcode == OpDecorateId || opcode == OpDecorateString;
    bool of_group = (decorates || opcode == OpName) && is_group(m, nf_annotated_id(m, at));
    if (opcode == OpGroupDecorate || opcode == OpGroupMemberDecorate)
        decorate_targets(g, at);
    else if (of_group && decorates)
        note_decoration(g, at);
    else if (!of_group && opcode != OpDecorationGroup)
        nf_edit_keep(&g->to, at, nf_next(m, at));
}

bool nf_expand_decoration_groups(struct nf_module *m, struct nf_words *expanded)
{
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && !any; at = nf_next(m, at))
        any = nf_opcode(m, at) == OpDecorationGroup;
    if (!any) return false;
    struct groups g = {.to = nf_edit_begin(m)};
    g.first = NF_NEW(m->arena, uint32_t, m->bound);
    g.last = NF_NEW(m->arena, uint32_t, m->bound);
    nf_edit_keep(&g.to, 0, NF_HEADER_WORDS);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        rewrite(&g, at);
    nf_edit_keep(&g.to, m->body_at, m->count);
    *expanded = nf_edit_end(&g.to);
    return true;
}
