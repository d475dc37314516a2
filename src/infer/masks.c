/* SPDX-License-Identifier: Apache-2.0 */
/*
 * masks.c - may a mask that is computed at run time take the tag off an address?
 *
 *     ulong mask = wide ? ~0ul : 0xffffffffffff;      yes
 *     ulong whole = address & mask;
 *     ulong mask = -(ulong)alignment;                 no: who aligns keeps all that is above
 *
 * A mask goes through selects, phis, variables of unoptimized code, parameters and results. It may take a tag off if one of
 * the constants and shifts that it comes from keeps an address and not what is above.
 *
 * The hard case is a mask of which nothing is said, as from a buffer: whether it keeps an address is seen when the program runs
 * (rewrite/masked.c). So is one whose complement is used as well: who splits a word puts it together again.
 *
 * needs: definitions, uses.  gives: answers.
 */
#include "infer/parts.h"

enum {
    DEEP = 4,
    LONG = 12 /* words of a phi */,
    ROUNDS = 4 /* so many calls and variables a mask goes through against the order of the module */
};

static bool is_all_ones(const struct nf_module *m, uint32_t id)
{
    int64_t value;
    return nf_is_number(m, id, &value) && value == -1;
}

static bool is_shifted(const struct nf_module *m, uint32_t id, uint32_t opcode, int64_t number)
{
    uint32_t at = m->def[id];
    int64_t value;
    return at >= m->body_at && nf_opcode(m, at) == opcode && nf_is_number(m, m->words[at + 3], &value) &&
           value == number;
}

/* A number of ones below zeros, as many as the run of the program says: (1 << n) - 1, ~0 >> n, ~(~0 << n). */
static bool is_low_mask(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t value;
    if (at < m->body_at) return false;
    switch (nf_opcode(m, at)) {
    case OpIAdd: return is_all_ones(m, m->words[at + 4]) && is_shifted(m, m->words[at + 3], OpShiftLeftLogical, 1);
    case OpISub:
        return nf_is_number(m, m->words[at + 4], &value) && value == 1 &&
               is_shifted(m, m->words[at + 3], OpShiftLeftLogical, 1);
    case OpBitwiseXor:
        return is_all_ones(m, m->words[at + 4]) && is_shifted(m, m->words[at + 3], OpShiftLeftLogical, -1);
    case OpNot: return is_shifted(m, m->words[at + 3], OpShiftLeftLogical, -1);
    default: return is_shifted(m, id, OpShiftRightLogical, -1);
    }
}

bool nf_keeps_all_but_tag(uint64_t mask)
{
    const uint64_t address = ((uint64_t)1 << NF_MOST_MEMORY) - ((uint64_t)1 << 32);
    return (~mask & address) == 0 && mask >> NF_TAG_AT != 15;
}

/* Of values that are known: what a variable holds, a function is given and returns was noted. */
static bool cuts(const struct nf_constrainer *c, uint32_t id, int depth)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id], opcode = nf_opcode(m, at), first = opcode == OpSelect ? 4 : 3;
    int64_t value;
    if (nf_is_number(m, id, &value)) return nf_keeps_all_but_tag((uint64_t)value);
    if (at < m->body_at || depth > DEEP) return false;
    if (is_low_mask(m, id)) return true;
    switch (opcode) {
    case OpSelect:
    case OpPhi:
        for (uint32_t word = first; word < nf_length(m, at) && word < LONG; word += opcode == OpPhi ? 2 : 1)
            if (cuts(c, m->words[at + word], depth + 1)) return true;
        return false;
    case OpFunctionParameter: return c->cutting[id];
    case OpLoad:
    case OpFunctionCall: return c->cutting[m->words[at + 3]];
    default: return false;
    }
}

static bool is_cutting(const struct nf_constrainer *c, uint32_t id)
{
    return nf_number_width(c->m, id) == 64 && cuts(c, id, 0);
}

/* ---- What is passed and returned ---- */

/* `from` is what `to` may be. @return whether that is new. */
static bool note(struct nf_constrainer *c, uint32_t from, uint32_t to)
{
    bool known = c->cutting[to];
    c->cutting[to] |= is_cutting(c, from);
    return c->cutting[to] != known;
}

static bool note_arguments(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    const struct nf_function *callee = &m->functions[m->index_of[m->words[at + 3]]];
    uint32_t parameter = callee->parameters, word = at + 4;
    bool more = false;
    for (; parameter < callee->end && word < at + nf_length(m, at); parameter = nf_next(m, parameter)) {
        if (nf_opcode(m, parameter) != OpFunctionParameter) continue;
        more |= nf_note_filling_call(c, m->words[parameter + 2], m->words[word]);
        more |= note(c, m->words[word++], m->words[parameter + 2]);
    }
    return more;
}

static bool note_function(struct nf_constrainer *c, const struct nf_function *f)
{
    const struct nf_module *m = c->m;
    bool more = false;
    for (uint32_t at = f->body; f->body && at < f->end; at = nf_next(m, at)) {
        switch (nf_opcode(m, at)) {
        case OpStore:
            more |= note(c, m->words[at + 2], m->words[at + 1]);
            more |= nf_note_filling(c, at);
            break;
        case OpReturnValue: more |= note(c, m->words[at + 1], m->words[f->at + 2]); break;
        case OpFunctionCall: more |= note_arguments(c, at); break;
        default: break;
        }
    }
    return more;
}

void nf_note_masks(struct nf_constrainer *c)
{
    struct nf_module *m = c->m;
    bool more = m->address_bits == 64;
    c->cutting = NF_NEW_ARRAY(m->arena, bool, m->bound);
    for (int round = 0; round < ROUNDS && more; round++) {
        more = false;
        for (uint32_t i = 1; i < m->function_count; i++)
            more |= note_function(c, &m->functions[i]);
    }
}

/* ---- The mask of one instruction ---- */

/* The variable that `id` is loaded from, or itself. */
static uint32_t origin(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    return at >= m->body_at && nf_opcode(m, at) == OpLoad ? m->words[at + 3] : id;
}

/* Does the function use all other bits as well? */
static bool is_complemented(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    for (uint32_t at = c->f->body; at < c->f->end; at = nf_next(m, at)) {
        bool flips = nf_opcode(m, at) == OpBitwiseXor && is_all_ones(m, m->words[at + 4]);
        if (!flips && nf_opcode(m, at) != OpNot) continue;
        if (origin(m, m->words[at + 3]) == origin(m, id)) return true;
    }
    return false;
}

bool nf_mask_cuts(const struct nf_constrainer *c, uint32_t id)
{
    return is_low_mask(c->m, id) || (is_cutting(c, id) && !is_complemented(c, id));
}
