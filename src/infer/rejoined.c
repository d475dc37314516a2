/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rejoined.c - a word that is taken apart and put together again.
 *
 *     uint lo = word, hi = word >> 32;             %w = OpBitwiseOr %ulong %up %low
 *     ulong again = (ulong)hi << 32 | lo;          %w is the word: all that is known of that is known of it
 *
 * Of a piece it is forgotten what stood above an address in it, and what below: put together, they are any bits of any of
 * these. But where each bit comes from the place that it goes to, nothing was ever taken apart. So the instructions that lead
 * here are walked back, with the bits of the result that each gives: upwards they are moved by what it shifts.
 *
 * The hard case is a sum, or XOR, of pieces that overlap: then they are no pieces.
 *
 * needs: definitions, what variables keep.  gives: nf_rejoined().
 */
#include "infer/parts.h"

enum { WORD = 64, HALF = 32, MOST = 48 /* instructions that are looked at for one word: of eight bytes */ };

/* Does the instruction put a word together of its two halves, the upper one first? */
static bool upsamples(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpExtInst && nf_role_at(m, at) == NF_ROLE_assemble &&
           nf_number_width(m, m->words[at + 5]) == HALF && nf_number_width(m, nf_result_id(m, at)) == WORD;
}

/* By how many bits the instruction moves its operand up, or down; 0: it does not. */
static int moves_by(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    int64_t by;
    if (opcode != OpShiftLeftLogical && opcode != OpShiftRightLogical) return 0;
    if (!nf_is_number(m, m->words[at + 4], &by) || by < 0 || by >= WORD) return 0;
    return opcode == OpShiftLeftLogical ? (int)by : (int)-by;
}

/* The operand that may have been moved up. */
static uint32_t moved_operand(const struct nf_module *m, uint32_t at)
{
    uint32_t second = m->def[m->words[at + 4]], opcode = second < m->body_at ? OpNop : nf_opcode(m, second);
    return m->words[at + (opcode == OpShiftLeftLogical ? 4 : 3)];
}

/* The word that `id` may be put together of: the first one on the way back where what was moved is in its place again; 0: none. */
static uint32_t origin_of(const struct nf_constrainer *c, uint32_t id)
{
    enum { LONG = 16 };
    const struct nf_module *m = c->m;
    int up = 0;
    bool moved = false;
    for (int i = 0; i < LONG; i++) {
        uint32_t at = m->def[id = nf_kept(c, id)];
        if (at < m->body_at || nf_type_of(m, id)->kind != NF_KIND_INT) return 0;
        if (moved && !up && nf_number_width(m, id) == WORD) return id;
        int by = upsamples(m, at) ? HALF : moves_by(m, at);
        moved |= by != 0;
        up += by;
        if (upsamples(m, at))
            id = m->words[at + 5];
        else if (by || nf_opcode(m, at) == OpUConvert || nf_opcode(m, at) == OpBitwiseAnd)
            id = m->words[at + 3];
        else if (nf_joins_bits(nf_opcode(m, at)))
            id = moved_operand(m, at);
        else
            return 0;
    }
    return 0;
}

/* A walk back to the word. */
struct pieces {
    const struct nf_constrainer *c;
    uint32_t word, looks;
    bool fails; /* something else was found, or nothing */
};

/* So many ones, from bit `first` on. */
static uint64_t ones(uint32_t count, int first)
{
    uint64_t low = count >= WORD ? UINT64_MAX : ((uint64_t)1 << count) - 1;
    return first >= 0 ? low << first : low >> -first;
}

static uint64_t bits_from(struct pieces *p, uint32_t id, int up, uint64_t bits);

/* Those of two operands, of which the first one is moved up by `by`: the same ones may not come from both. */
static uint64_t bits_of_both(struct pieces *p, const uint32_t *operands, int up, int by, uint64_t bits)
{
    uint64_t first = bits_from(p, operands[0], up + by, bits), second = bits_from(p, operands[1], up, bits);
    p->fails |= (first & second) != 0;
    return first | second;
}

/* Which of the result's `bits` are the word's, of those that `id` may set, whose bit 0 is bit `up` there. */
static uint64_t bits_from(struct pieces *p, uint32_t id, int up, uint64_t bits)
{
    const struct nf_module *m = p->c->m;
    int64_t mask = -1;
    uint32_t at = m->def[id = nf_kept(p->c, id)];
    bool fits = up > -WORD && up < WORD && at >= m->body_at && nf_type_of(m, id)->kind == NF_KIND_INT;
    p->fails |= !fits || p->looks++ > MOST || (id == p->word && up);
    if (p->fails || id == p->word) return bits;
    bits &= ones(nf_number_width(m, id), up);
    if (upsamples(m, at)) return bits_of_both(p, m->words + at + 5, up, HALF, bits);
    if (nf_joins_bits(nf_opcode(m, at))) return bits_of_both(p, m->words + at + 3, up, 0, bits);
    bool masks = nf_opcode(m, at) == OpBitwiseAnd && nf_is_number(m, m->words[at + 4], &mask);
    p->fails = !masks && nf_opcode(m, at) != OpUConvert && !moves_by(m, at);
    if (p->fails) return 0;
    bits &= up >= 0 ? (uint64_t)mask << up : (uint64_t)mask >> -up;
    return bits_from(p, m->words[at + 3], up + moves_by(m, at), bits);
}

uint32_t nf_rejoined(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at);
    if (!nf_joins_bits(nf_opcode(m, at)) && !upsamples(m, at)) return 0;
    if (m->address_bits != WORD || nf_number_width(m, id) != WORD) return 0;
    struct pieces p = {.c = c, .word = origin_of(c, id)};
    if (!p.word) return 0;
    bool whole = bits_from(&p, id, 0, UINT64_MAX) == UINT64_MAX;
    return whole && !p.fails ? p.word : 0;
}
