/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beside.c - small numbers that are put beside addresses, or into vectors: no pieces of other addresses.
 *
 *     ulong w = (ulong)&node << 8 | (key & 255);           %w = OpBitwiseOr %ulong %up %key
 *     uint low = w, high = w >> 32;                        a half of it, and the number is any bits of the host's
 *
 * A number of the host's that is as short as a byte may be a piece of an address, and where a word is taken apart nobody
 * knows of the pieces which is which: were they put together again, all that comes out could be the host's. But who keeps
 * a number beside an address does not mean a piece of another one by it. Nor is a number of 16 bits, in a component of 32,
 * the lower half of an address: if it is the upper one, the lower one says so.
 *
 * The hard case is who means just that: pieces that lie beside links for a while. Before they are put together they are taken
 * out of their words and moved: a module that does so keeps all that it says of numbers.
 *
 * needs: definitions, what variables keep.  gives: filters for edges.
 */
#include "infer/parts.h"

/* Does the mask keep what an address points by, but for the bits that alignment keeps free? */
static bool keeps_address(int64_t mask)
{
    const uint64_t address = ((uint64_t)1 << NF_ADDRESS_BITS) - 16;
    return ((uint64_t)mask & address) == address;
}

/* Is there an address in the word for certain, moved or with a number beside it perhaps? */
static bool has_address(const struct nf_constrainer *c, uint32_t id, int depth)
{
    enum { DEEP = 4 };
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id = nf_kept(c, id)];
    int64_t value;
    if (at < m->body_at || depth > DEEP) return false;
    switch (nf_opcode(m, at)) {
    case OpConvertPtrToU: return true;
    case OpBitwiseAnd:
        return nf_is_number(m, m->words[at + 4], &value) && keeps_address(value) &&
               has_address(c, m->words[at + 3], depth + 1);
    case OpShiftLeftLogical:
    case OpShiftRightLogical:
        return nf_is_number(m, m->words[at + 4], &value) && value <= 64 - NF_ADDRESS_BITS &&
               has_address(c, m->words[at + 3], depth + 1);
    case OpBitwiseOr:
    case OpIAdd: return has_address(c, m->words[at + 3], depth + 1) || has_address(c, m->words[at + 4], depth + 1);
    case OpSelect: return has_address(c, m->words[at + 4], depth + 1) && has_address(c, m->words[at + 5], depth + 1);
    default: return false;
    }
}

/* Is the operand at word `word` a small number that is put beside an address? Whatever is made of the word later, the number is no
 * piece of one of the host's: who puts such pieces together does it where they meet (digits.c). */
static bool is_beside_address(const struct nf_constrainer *c, uint32_t at, uint32_t word)
{
    const struct nf_module *m = c->m;
    if (c->takes_pieces || !nf_joins_bits(nf_opcode(m, at)) || nf_number_width(m, nf_result_id(m, at)) != 64)
        return false;
    return nf_bits_of(m, m->words[at + word]) <= NF_SMALL_BITS && has_address(c, m->words[at + 7 - word], 0);
}

uint32_t nf_filters_of_part(const struct nf_constrainer *c, uint32_t id, uint32_t filters)
{
    const struct nf_module *m = c->m;
    bool half = nf_type_of(m, id)->kind == NF_KIND_INT && 2 * nf_number_width(m, id) == m->address_bits;
    return half && nf_bits_of(m, id) <= NF_SMALL_BITS ? NF_EDGE_FEW | NF_EDGE_SHED : filters;
}

uint32_t nf_filters_of(const struct nf_constrainer *c, uint32_t at, uint32_t word, uint32_t filters)
{
    if (nf_opcode(c->m, at) == OpCompositeInsert) return nf_filters_of_part(c, c->m->words[at + word], filters);
    return is_beside_address(c, at, word) ? NF_EDGE_FEW | NF_EDGE_SHED : filters;
}

/* The operand of a shift, and how far that moves it up, below 0: down; 1 or -1 where that is not known. 0: it is no shift. */
static uint32_t shifted(const struct nf_constrainer *c, uint32_t id, int64_t *by)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[nf_kept(c, id)], opcode = at < m->body_at ? OpNop : nf_opcode(m, at);
    if (opcode != OpShiftLeftLogical && opcode != OpShiftRightLogical) return 0;
    if (!nf_is_number(m, m->words[at + 4], by)) *by = 1;
    if (opcode == OpShiftRightLogical) *by = -*by;
    return m->words[at + 3];
}

uint32_t nf_filters_above(const struct nf_constrainer *c, uint32_t at, uint32_t above)
{
    const struct nf_module *m = c->m;
    int64_t by = 0;
    bool counts = shifted(c, m->words[at + above], &by) && by > 0 && has_address(c, m->words[at + 7 - above], 0);
    return counts && !c->takes_pieces ? NF_EDGE_FEW | NF_EDGE_SHED : NF_EDGE_ABOVE;
}

/* Of a number of the host's that is few bits, nothing more is known than that; anything else is in the result as it is, too. */
void nf_flow_filtered(struct nf_module *m, struct nf_value from, struct nf_value to, uint32_t filters)
{
    if (filters) nf_edge(m, from.node, to.node, filters);
    if (nf_leaves_few(filters))
        nf_unify(m, from, to);
    else
        nf_flow(m, from, to);
}

/* ---- Pieces that are taken out of words ---- */

/* What was made wider or shorter, or is kept in a variable. */
static uint32_t before_conversions(const struct nf_constrainer *c, uint32_t id)
{
    enum { LONG = 4 };
    const struct nf_module *m = c->m;
    for (int i = 0; i < LONG; i++) {
        uint32_t at = m->def[id = nf_kept(c, id)];
        if (at < m->body_at || (nf_opcode(m, at) != OpUConvert && nf_opcode(m, at) != OpSConvert)) return id;
        id = m->words[at + 3];
    }
    return id;
}

/* Is the number the last 16 bits of a word, or the first ones, at their place or elsewhere? */
static bool is_piece_of_word(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id = before_conversions(c, id)];
    int64_t value;
    if (at < m->body_at || nf_number_width(m, id) != 64) return false;
    switch (nf_opcode(m, at)) {
    case OpShiftRightLogical: return nf_is_number(m, m->words[at + 4], &value) && value >= NF_ADDRESS_BITS;
    case OpBitwiseAnd: return nf_is_number(m, m->words[at + 4], &value) && value > 0 && value <= UINT16_MAX;
    default: return false;
    }
}

/* Does the instruction put one, at `word`, to others that are moved: a << 16 | piece, a >> 16 | piece << 48? */
static bool adds_piece(const struct nf_constrainer *c, uint32_t at, uint32_t word)
{
    const struct nf_module *m = c->m;
    int64_t up = 0, by = 0;
    uint32_t piece = m->words[at + word], rest = shifted(c, m->words[at + 7 - word], &by);
    if (!rest || has_address(c, rest, 0)) return false;
    if (by > 0) return is_piece_of_word(c, piece);
    uint32_t from = shifted(c, piece, &up);
    return from && up > 0 && is_piece_of_word(c, from);
}

/* Does it move one to the middle of another word? */
static bool moves_piece(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at), from;
    int64_t value;
    if (nf_joins_bits(opcode)) return adds_piece(c, at, 3) || adds_piece(c, at, 4);
    if (opcode == OpShiftLeftLogical) {
        bool above = nf_is_number(m, m->words[at + 4], &value) && value >= NF_ADDRESS_BITS;
        return !above && is_piece_of_word(c, m->words[at + 3]);
    }
    if (opcode != OpBitwiseAnd || !nf_is_number(m, m->words[at + 4], &value) || value <= UINT16_MAX) return false;
    from = shifted(c, m->words[at + 3], &(int64_t){0});
    return from && nf_number_width(m, from) == 64 && __builtin_popcountll((uint64_t)value) <= NF_SMALL_BITS;
}

void nf_look_for_pieces(struct nf_constrainer *c)
{
    const struct nf_module *m = c->m;
    if (m->address_bits != 64 || !nf_has_role(m, NF_ROLE_shift_left)) return;
    for (uint32_t at = m->body_at; at < m->count && !c->takes_pieces; at = nf_next(m, at))
        c->takes_pieces = nf_result_id(m, at) && nf_number_width(m, nf_result_id(m, at)) == 64 && moves_piece(c, at);
}
