/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dedupe_types.c - merges type declarations and decorations that are identical.
 *
 *     %a = OpTypeArray %ulong %ulong_4             %a = OpTypeArray %ulong %ulong_4
 *     %b = OpTypeArray %ulong %ulong_4             %s = OpTypeStruct %a
 *     %s = OpTypeStruct %b                         %p = OpInBoundsPtrAccessChain %_ptr_a %of_s %0 %0
 *     %p = OpInBoundsPtrAccessChain %_ptr_a %of_s %0 %0
 *
 * DPC++ declares the type of an array of pointers once for variables and once for structure members, and mixes the two:
 * a driver that validates refuses such a module. Structures are not merged, because their members may have different
 * names. llvm-spirv 15 decorates an instruction twice with FPFastMathMode if an earlier phi uses its result.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

struct dedupe {
    struct nf_edit to;
    uint32_t *first; /* by id: the type that replaces it, 0: itself */
    bool
        *distinct; /* by id: it must not be merged, because it is decorated or declared ahead by OpTypeForwardPointer */
    bool any;
};

static uint32_t first_of(const struct dedupe *t, uint32_t id)
{
    return id < t->to.m->bound && t->first[id] ? t->first[id] : id;
}

static bool is_type(uint32_t opcode)
{
    return opcode >= OpTypeVoid && opcode < OpTypeForwardPointer && opcode != OpTypeStruct && opcode != OpTypeOpaque;
}

/* Writes the instruction, with every type replaced. */
static void copy(const struct dedupe *t, struct nf_words *out, uint32_t at)
{
    const struct nf_module *m = t->to.m;
    uint32_t begin = out->count, type = nf_result_type(m, at);
    struct nf_ids ids = nf_ids_at(m, at);
    nf_append_words(out, m->words + at, nf_length(m, at));
    if (type) out->at[begin + 1] = first_of(t, type);
    while (nf_ids_next(&ids))
        out->at[begin + ids.at] = first_of(t, nf_current_id(&ids));
}

static void find_duplicate(struct dedupe *t, uint32_t at)
{
    const struct nf_module *m = t->to.m;
    struct nf_words key = {.arena = m->arena};
    uint32_t id = nf_declared_id(m, at);
    copy(t, &key, at);
    key.at[1] = 0;
    uint32_t made = t->distinct[id] ? 0 : nf_find_made(&t->to.build, key.at, key.count);
    t->first[id] = made;
    t->any |= made != 0;
    if (!made && !t->distinct[id]) nf_note_made(&t->to.build, key.at, key.count, id);
}

/* Returns the offset of the first decoration that is identical to the decoration at `at`; it may be `at` itself. */
static uint32_t first_decoration(struct dedupe *t, uint32_t at)
{
    const struct nf_module *m = t->to.m;
    uint32_t *key = m->words + at, length = nf_length(m, at), found = nf_find_made(&t->to.build, key, length);
    if (!found) nf_note_made(&t->to.build, key, length, at);
    return found ? found : at;
}

static bool makes_distinct(uint32_t opcode)
{
    return opcode == OpDecorate || opcode == OpDecorateString || opcode == OpTypeForwardPointer;
}

static void find_duplicates(struct dedupe *t)
{
    const struct nf_module *m = t->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (makes_distinct(opcode)) t->distinct[nf_annotated_id(m, at)] = true;
        if (is_type(opcode)) find_duplicate(t, at);
        if (opcode == OpDecorate) t->any |= first_decoration(t, at) != at;
    }
}

/* Emits the instruction, unless it declares or names a type that is replaced, or repeats a decoration. */
static void rewrite(struct dedupe *t, uint32_t at)
{
    const struct nf_module *m = t->to.m;
    uint32_t opcode = nf_opcode(m, at);
    bool gone = (opcode == OpName || is_type(opcode)) && nf_effect_operand(m, at, 0) < m->bound &&
                t->first[nf_effect_operand(m, at, 0)];
    gone |= opcode == OpDecorate && first_decoration(t, at) != at;
    nf_note_move(t->to.m, &t->to.moves, t->to.out.count, nf_input_word(m, at));
    if (!gone) copy(t, &t->to.out, at);
}

bool nf_supply_dedupe_types(struct nf_module *m, struct nf_words *out)
{
    struct dedupe t = {.to = nf_edit_begin(m)};
    t.first = NF_NEW(m->arena, uint32_t, m->bound);
    t.distinct = NF_NEW(m->arena, bool, m->bound);
    find_duplicates(&t);
    if (!t.any) return false;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        rewrite(&t, at);
    nf_edit_module_scope(&t.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        rewrite(&t, at);
    *out = nf_edit_end(&t.to);
    return true;
}
