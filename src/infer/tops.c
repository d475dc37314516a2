/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tops.c - what is above all addresses, taken out of a word by other ways than a shift of 64 bits.
 *
 *     uint high = word >> 32, count = high >> 16;          by way of its upper half
 *     ushort count = as_ushort4(word).w;                   a vector's last component
 *     if (w.half[1] < 1 << 16) ...                         is there a count?
 *
 * Such a number has nothing of an address, but its tag where it has one: the edge to it says so (NF_EDGE_TOP), and seen.c
 * follows it.
 *
 * The hard case is the upper half that lies in memory: it is one if its offset says so, and what is taken for one by mistake
 * has lost nothing, as the rest of its word has the same evidence.
 *
 * needs: values of the operands.  gives: edges.
 */
#include "infer/parts.h"

enum { HALF = 32 };

struct nf_value nf_top_of(struct nf_constrainer *c, struct nf_value word)
{
    if (!word.node) return nf_nothing;
    struct nf_value top = nf_of_node(nf_node(c->m, 0));
    nf_edge(c->m, word.node, top.node, NF_EDGE_TOP);
    c->m->graph->has_tops = true;
    return top;
}

bool nf_is_last_of_word(const struct nf_module *m, const struct nf_type *vector, const struct nf_type *part,
                        uint32_t index)
{
    bool word = m->address_bits == 64 && vector->kind == NF_KIND_VECTOR && !vector->aggregate && vector->size == 8;
    return word && part->size <= 2 && index * part->size >= NF_ADDRESS_BITS / 8;
}

bool nf_cuts_vector(const struct nf_module *m, uint32_t mask)
{
    const struct nf_type *type = nf_type_of(m, mask);
    uint32_t at = m->def[mask], last = nf_length(m, at) - 1;
    int64_t value, before;
    if (nf_opcode(m, at) != OpConstantComposite || type->kind != NF_KIND_VECTOR || type->size != 8) return false;
    uint32_t bits = (uint32_t)nf_type(m, type->element)->size * 8;
    if (bits > HALF || m->address_bits != 64 || !nf_constant(m, m->words[at + last], &value)) return false;
    if (!nf_constant(m, m->words[at + last - (bits == 8 ? 2 : 1)], &before)) return false;
    /* All that is below it is kept: two numbers that are masked to 16 bits are no address. */
    bool below =
        bits == HALF ? (value & 0xffff) == 0xffff && (before >> 16 & 0xffff) == 0xffff : (before & 0xff) == 0xff;
    return below && ((uint64_t)value >> (bits - 4) & 15) != 15;
}

/* What unoptimized code puts into a variable first, or `id` itself. */
static uint32_t kept_first(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id], kept = nf_kept(c, id);
    if (kept != id || at < m->body_at || nf_opcode(m, at) != OpLoad) return kept;
    uint32_t variable = m->words[at + 3], first = nf_is_own_variable(m, variable) ? c->first[variable] : 0;
    return first && m->type_of[first] == m->type_of[id] ? first : id;
}

bool nf_is_upper_half(struct nf_constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    uint32_t at = m->def[kept_first(c, id)], down;
    struct nf_value from;
    int64_t by;
    if (at < m->body_at) return false;
    switch (nf_opcode(m, at)) {
    case OpLoad:
        from = nf_value_of(c, m->words[at + 3]);
        return from.node && !nf_is_host(m, from) && nf_place_of(m, from).offset % 8 == 4;
    case OpCompositeExtract:
        return nf_length(m, at) == 5 && m->words[at + 4] == 1 && nf_is_joined_vector(m, nf_operand_type(c, at, 0)) &&
               nf_operand_type(c, at, 0)->size == 8;
    case OpUConvert:
        down = m->def[nf_kept(c, m->words[at + 3])];
        return down >= m->body_at && nf_opcode(m, down) == OpShiftRightLogical &&
               nf_number_width(m, m->words[down + 3]) == 64 && nf_is_number(m, m->words[down + 4], &by) && by == HALF;
    default: return false;
    }
}

static bool is_half_with_address(struct nf_constrainer *c, uint32_t id)
{
    return c->m->address_bits == 64 && nf_number_width(c->m, id) == HALF && nf_value_of(c, id).node &&
           nf_is_upper_half(c, id);
}

bool nf_is_top_of_half(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t by;
    if (!nf_is_number(m, nf_operand(m, at, 1), &by)) return false;
    bool divides = nf_opcode(m, at) == OpUDiv && !(by & (by - 1));
    bool all = divides ? by >> (NF_ADDRESS_BITS - HALF) : by >= NF_ADDRESS_BITS - HALF;
    return all && is_half_with_address(c, nf_operand(m, at, 0));
}

struct nf_value nf_compared_with_top(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t bound;
    uint32_t opcode = nf_opcode(m, at), half = nf_operand(m, at, 0);
    if (opcode == OpIEqual || opcode == OpINotEqual || opcode == OpSwitch) return nf_nothing;
    if (nf_is_number(m, half, &bound))
        half = nf_operand(m, at, 1);
    else if (!nf_is_number(m, nf_operand(m, at, 1), &bound))
        return nf_nothing;
    /* Any other bound is that of a number, which lies beside one. */
    const int64_t low = (1 << (NF_ADDRESS_BITS - HALF)) - 1, tags = (int64_t)3 << (NF_TAG_AT - HALF);
    bool above = bound >= low && bound < tags && (!(bound & low) || (bound & low) == low);
    return above && is_half_with_address(c, half) ? nf_top_of(c, nf_value_of(c, half)) : nf_nothing;
}
