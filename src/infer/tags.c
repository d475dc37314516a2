/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tags.c - what becomes of the top bits of an address, where its tag stands: masks, shifts, remainders, numbers of another
 * kind.
 *
 *     %l = OpBitwiseAnd %ulong %address %low_48    the address without its tag
 *     %p = OpConvertUToPtr %ptr %l                 fine if it can be in one space only; else nobody knows which
 *
 * An address of several spaces has a tag in its top bits. Whatever takes these off, or other bits into their place, is
 * noted on the edge (NF_EDGE_LOSE): such a pointer has its one space, or is refused. A piece (NF_EDGE_SHED) may be put
 * together with the others again. Whether a value can hold a tag at all is seen by how many of its bits can be set.
 *
 * The hard case is to see that nothing is lost: a shift that is a rotation's half, bytes that are put back, a product
 * that is an offset.
 *
 * needs: constants, definitions.  gives: filters for edges.
 */
#include "infer/parts.h"

bool nf_has_no_tag(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t count;
    if (m->address_bits == 32 || nf_number_width(m, id) != 64) return false;
    if (at < m->body_at) return false;
    if (nf_opcode(m, at) == OpSConvert) return nf_bits_of(m, m->words[at + 3]) <= NF_TAG_AT;
    if (nf_opcode(m, at) == OpBitFieldSExtract && nf_is_number(m, m->words[at + 5], &count)) return count <= NF_TAG_AT;
    return nf_bits_of(m, id) <= NF_TAG_AT;
}

/* ---- What is lost is noted for the message that says so ---- */

void nf_note_loss(struct nf_module *m, uint32_t at)
{
    if (!m->analysis->losses) m->analysis->losses = NF_NEW(m->arena, uint8_t, m->bound);
    m->analysis->losses[nf_result_id(m, at)] = 1;
}

bool nf_loses_tag(const struct nf_module *m, uint32_t at)
{
    return m->analysis->losses && m->analysis->losses[nf_result_id(m, at)];
}

void nf_lose_tag(struct nf_constrainer *c, uint32_t at, struct nf_value from, struct nf_value to)
{
    nf_note_loss(c->m, at);
    nf_edge(c->m, from.node, to.node, NF_EDGE_LOSE);
}

/* ---- Bits beside an address ---- */

static bool is_above_addresses(const struct nf_module *m, uint32_t id);

/* Does a loop count there? */
static bool counts_above(const struct nf_module *m, uint32_t at)
{
    for (uint32_t w = 3; w < nf_length(m, at); w += 2) {
        uint32_t id = m->words[at + w];
        if (nf_goes_on_from(m, id, m->words[at + 2])) id = m->words[m->def[id] + 4];
        if (!nf_is_number(m, id, &(int64_t){0}) || !is_above_addresses(m, id)) return false;
    }
    return true;
}

/* Are only bits set in the integer that stand above all of an address? Compilers mix a hash for there in pieces: `depth` of
 * them at the most are looked at, one below the other. */
static bool is_all_above(const struct nf_module *m, uint32_t id, int depth)
{
    uint32_t at = m->def[id];
    int64_t value;
    if (nf_is_number(m, id, &value)) return !((uint64_t)value & (((uint64_t)1 << NF_ADDRESS_BITS) - 1));
    if (at < m->body_at) return false;
    switch (nf_opcode(m, at)) {
    case OpPhi: return counts_above(m, at);
    case OpBitwiseAnd: return nf_is_number(m, m->words[at + 4], &value) && is_all_above(m, m->words[at + 4], 0);
    case OpShiftLeftLogical: return nf_is_number(m, m->words[at + 4], &value) && value >= NF_ADDRESS_BITS;
    case OpBitwiseOr:
    case OpBitwiseXor:
        return depth > 0 && is_all_above(m, m->words[at + 4], depth - 1) &&
               is_all_above(m, m->words[at + 3], depth - 1);
    default: return false;
    }
}

static bool is_above_addresses(const struct nf_module *m, uint32_t id)
{
    enum { DEEP = 3 };
    return is_all_above(m, id, DEEP);
}

uint32_t nf_operand_above(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode != OpBitwiseOr && opcode != OpBitwiseXor && opcode != OpIAdd && opcode != OpISub) return 0;
    if (is_above_addresses(m, m->words[at + 4])) return 4;
    return opcode != OpISub && is_above_addresses(m, m->words[at + 3]) ? 3 : 0;
}

/* The lowest bit that may be set in an integer that is_above_addresses(). */
static uint32_t first_bit(const struct nf_module *m, uint32_t id)
{
    int64_t value = 0;
    if (nf_is_number(m, id, &value)) return value ? (uint32_t)__builtin_ctzll((uint64_t)value) : 64;
    return nf_opcode(m, m->def[id]) == OpShiftLeftLogical && nf_is_number(m, nf_operand(m, m->def[id], 1), &value)
               ? (uint32_t)value
               : NF_ADDRESS_BITS;
}

/* Does that operand get where the other one may have its tag? */
static bool meets_tag(const struct nf_module *m, uint32_t at, uint32_t above)
{
    return nf_bits_of(m, m->words[at + 7 - above]) > first_bit(m, m->words[at + above]);
}

/* What XOR or a sum puts there comes off again as it went on. */
bool nf_overwrites_tag(const struct nf_module *m, uint32_t at, uint32_t above)
{
    return nf_opcode(m, at) == OpBitwiseOr && meets_tag(m, at, above);
}

/* Are the top bits of a number taken off it: word - (word >> 48 << 48), word ^ (word & top)? */
static bool takes_top_off(const struct nf_module *m, uint32_t at, uint32_t above)
{
    uint32_t opcode = nf_opcode(m, at), high = m->def[m->words[at + above]];
    if ((opcode != OpISub && opcode != OpBitwiseXor) || high < m->body_at || nf_opcode(m, high) == OpPhi) return false;
    if (nf_opcode(m, high) == OpBitwiseAnd) return true;
    uint32_t down = m->def[m->words[high + 3]];
    return down >= m->body_at && nf_opcode(m, down) == OpShiftRightLogical;
}

/* ---- The result of arithmetic ---- */

/* Is it what is left of a word when its top is masked off? */
static bool is_cut_word(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t mask;
    return at >= m->body_at && nf_opcode(m, at) == OpBitwiseAnd && nf_is_number(m, m->words[at + 4], &mask) &&
           nf_keeps_all_but_tag((uint64_t)mask);
}

/* What points where its low bits do. Bits that were set above it by OR cannot be told from its tag any more; whatever
 * was put there, whoever reads it sees the tag as well. */
static struct nf_value beside(struct nf_constrainer *c, uint32_t at, uint32_t above)
{
    struct nf_module *m = c->m;
    struct nf_value low = nf_value_of(c, m->words[at + 7 - above]), high = nf_value_of(c, m->words[at + above]);
    bool meets = low.node && meets_tag(m, at, above), off = takes_top_off(m, at, above);
    bool put = !meets && low.node && is_cut_word(m, m->words[at + 7 - above]);
    if (!high.node && !meets && !put) return low;
    struct nf_value result = nf_of_node(nf_node(m, 0));
    /* In the place of the tag: the other bits of an address, or a number. */
    if (put) m->graph->nodes[result.node].marks |= NF_MARK_PUT;
    nf_edge(m, high.node, result.node, nf_filters_above(c, at, above));
    if (off && meets) {
        nf_lose_tag(c, at, low, result);
        nf_unify(m, low, result);
        return result;
    }
    nf_flow(m, low, result);
    if (meets) nf_edge(m, low.node, result.node, NF_EDGE_MARK);
    bool over = (meets && nf_overwrites_tag(m, at, above)) || (put && !high.node);
    if (over) nf_lose_tag(c, at, low, result);
    return result;
}

/* What is no longer than half an address is none of the host's, whatever it was made of. */
static uint32_t with_narrow(const struct nf_module *m, uint32_t at, const struct nf_type *type, uint32_t filters)
{
    bool part = (filters & NF_EDGE_TOP) == NF_EDGE_TOP;
    uint32_t bits = type->kind == NF_KIND_INT ? nf_bits_of(m, nf_result_id(m, at)) : UINT32_MAX;
    if (bits <= NF_FEW_BITS && filters != NF_EDGE_TOP) return filters | NF_EDGE_FEW | (part ? 0 : NF_EDGE_SHED);
    if (part || bits > m->address_bits / 2) return filters;
    filters &= ~NF_EDGE_PROMOTE;
    /* What stands above the upper half of an address is still there in half a word that is masked. */
    if (nf_opcode(m, at) == OpBitwiseAnd && nf_number_width(m, m->words[at + 3]) == 32) filters |= NF_EDGE_KEEP;
    return filters || type->size > m->address_bits / 16 ? filters | NF_EDGE_NARROW : 0;
}

/* Any bits of any operand, at any distance from where they pointed. */
struct nf_value nf_joined(struct nf_constrainer *c, uint32_t at, bool keep_place, uint32_t filters)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    struct nf_value result = nf_nothing, only = nf_nothing;
    uint32_t carriers = 0, first = 0, opcode = nf_opcode(m, at), above = nf_operand_above(m, at);
    uint32_t word = nf_rejoined(c, at);
    if (word) return nf_value_of(c, word);
    if (filters & NF_EDGE_LOSE) nf_note_loss(m, at);
    if (above) return beside(c, at, above);
    filters = with_narrow(m, at, type, filters);
    /* How far something is shifted is in none of its bits. */
    bool shifts = opcode == OpShiftLeftLogical || opcode == OpShiftRightLogical || opcode == OpShiftRightArithmetic;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        if (shifts && ids.at != 3) continue;
        uint32_t id = m->words[at + ids.at], more = nf_filters_of(c, at, ids.at, filters);
        struct nf_value v = nf_flat(m, nf_type_of(m, id), nf_value_of(c, id));
        if (!v.node) continue;
        if (carriers++ == 0) {
            only = v;
            first = more;
            continue;
        }
        if (!result.node) {
            result = nf_of_node(nf_node(m, 0));
            nf_flow_filtered(m, only, result, first);
        }
        nf_flow_filtered(m, v, result, more);
    }
    if (carriers == 1 && first) {
        result = nf_of_node(nf_node(m, 0));
        nf_edge(m, only.node, result.node, first);
        nf_unify(m, only, result);
    } else if (carriers == 1) {
        result = only;
    }
    bool stays = keep_place || nf_is_small_number(m, at) || nf_stays_narrow(c, at);
    if (result.node && !stays) nf_spread(m, result, 1, 0, 0);
    return carriers ? nf_unflat(m, type, result) : nf_nothing;
}

/* ---- Masks ---- */

/* Are the bits that the mask takes off put back from elsewhere, wherever the result is used? So compilers copy a
 * pointer of which they have one byte apart from the others. */
static bool is_put_back(struct nf_constrainer *c, uint32_t at, uint64_t mask)
{
    if (mask & (mask + 1)) return false;
    uint8_t begin = c->uses[nf_result_id(c->m, at)].put_back;
    return begin && begin != NF_PUT_ELSEWHERE && mask >> begin == 0 && mask >> (begin - 1) == 1;
}

/* Is it a number of 64 bits that was cut to half? Compilers mask it only then. */
static bool is_lower_half(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    return at >= m->body_at && nf_opcode(m, at) == OpUConvert && nf_type_of(m, id)->kind == NF_KIND_INT &&
           nf_number_width(m, m->words[at + 3]) == 64;
}

/* The lowest bits of the number `id`. */
static struct nf_value end_of(struct nf_constrainer *c, uint32_t id, uint64_t mask)
{
    struct nf_value whole = nf_value_of(c, id);
    if (!whole.node) return nf_nothing;
    struct nf_value end = nf_of_node(nf_node(c->m, 0));
    nf_edge(c->m, whole.node, end.node, mask >> NF_FEW_BITS ? NF_EDGE_END : NF_EDGE_END | NF_EDGE_FEW);
    nf_unify(c->m, whole, end);
    return end;
}

/* (word >> 16) & 0xffff00000000: what is above addresses, in the middle of another word. */
static struct nf_value moved_top(struct nf_constrainer *c, uint32_t id, uint64_t mask)
{
    struct nf_module *m = c->m;
    uint32_t at = m->def[nf_kept(c, id)];
    int64_t by;
    if (at < m->body_at || nf_opcode(m, at) != OpShiftRightLogical || nf_number_width(m, id) != 64 || !mask)
        return nf_nothing;
    bool top = nf_is_number(m, m->words[at + 4], &by) && by + __builtin_ctzll(mask) >= NF_ADDRESS_BITS;
    struct nf_value from = top ? nf_top_of(c, nf_value_of(c, m->words[at + 3])) : nf_nothing;
    if (!from.node) return nf_nothing;
    struct nf_value result = nf_of_node(nf_node(m, 0));
    nf_edge(m, from.node, result.node, NF_EDGE_PROMOTE | NF_EDGE_SHED);
    return result;
}

bool nf_masks_unknown(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpBitwiseAnd || m->address_bits != 64) return false;
    return nf_bits_of(m, nf_result_id(m, at)) == 64;
}

/* While the program runs the tag is kept where an address is (rewrite/masked.c), but not found again below a number. */
static struct nf_value masked_by_unknown(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    if (!nf_masks_unknown(m, at)) return nf_joined(c, at, false, 0);
    bool loses = nf_type(m, nf_result_type(m, at))->kind == NF_KIND_VECTOR || nf_mask_cuts(c, nf_operand(m, at, 0)) ||
                 nf_mask_cuts(c, nf_operand(m, at, 1));
    return nf_joined(c, at, false, loses ? NF_EDGE_LOSE : NF_EDGE_KEEP);
}

/* Masking an address to its low bits takes the tag off that it may have in memory; what it points to stays. Where
 * the top bits are masked too, and the two halves ORed back together, it is like any pointer that was split in
 * words: whole, with its tag. */
struct nf_value nf_masked(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    int64_t a, b;
    uint32_t x = nf_operand(m, at, 0), y = nf_operand(m, at, 1);
    bool first = nf_is_number(m, x, &a), second = nf_is_number(m, y, &b);
    if (!first && !second && (nf_cuts_vector(c->m, nf_kept(c, x)) || nf_cuts_vector(c->m, nf_kept(c, y))))
        return nf_joined(c, at, true, NF_EDGE_LOSE);
    if (!first && !second) return masked_by_unknown(c, at);
    uint64_t mask = (uint64_t)(first ? a : b);
    if (mask <= UINT16_MAX && nf_number_width(m, nf_result_id(m, at)) == 64) return nf_joined(c, at, true, NF_EDGE_END);
    if (mask <= UINT16_MAX && is_lower_half(m, first ? y : x))
        return end_of(c, m->words[m->def[first ? y : x] + 3], mask);
    struct nf_value top = moved_top(c, first ? y : x, mask);
    if (top.node) return top;
    /* A smaller mask is one of a number that shares a word with addresses. */
    bool keeps_address = nf_keeps_all_but_tag(mask);
    bool keeps_tag = mask >> NF_TAG_AT == 15, loses = keeps_address && !is_put_back(c, at, mask);
    /* Half of an address, or less from either end, is no other place. */
    bool part = !(uint32_t)mask || (mask <= UINT32_MAX && !(mask & (mask + 1)));
    part &= nf_number_width(m, nf_result_id(m, at)) == 64;
    return nf_joined(c, at, keeps_address || part, loses ? NF_EDGE_LOSE : keeps_tag ? 0 : NF_EDGE_SHED);
}

/* ---- Shifts and products ---- */

/* Is `id` the operand of the shift at `at`, shifted down by what it is shifted up there? */
static bool is_other_half(const struct nf_module *m, uint32_t id, uint32_t at, uint32_t amount)
{
    uint32_t down = m->def[id];
    int64_t by;
    return down >= m->body_at && nf_opcode(m, down) == OpShiftRightLogical &&
           m->words[down + 3] == nf_operand(m, at, 0) && nf_constant(m, m->words[down + 4], &by) &&
           (uint64_t)by + amount == 64;
}

/* Does the instruction at `use` make the shifted `id` whole with its other operand: a rotation, a loop that puts bytes
 * together? Or is it only an offset there? */
static bool is_made_whole(struct nf_constrainer *c, uint32_t use, uint32_t id, uint32_t at, uint32_t amount)
{
    const struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, use), operand = m->def[nf_operand(m, at, 0)];
    if (opcode != OpBitwiseOr && opcode != OpIAdd && opcode != OpISub && opcode != OpBitwiseXor) return false;
    uint32_t other = m->words[use + (m->words[use + 3] == id ? 4 : 3)], from = m->def[other];
    if (from < m->body_at) return false;
    bool grows = operand >= m->body_at && (nf_opcode(m, operand) == OpPhi || nf_opcode(m, operand) == OpLoad);
    if (grows && nf_opcode(m, from) == OpUConvert && nf_bits_of(m, other) == amount) return true;
    if ((opcode == OpIAdd || opcode == OpISub) && nf_bits_of(m, other) > 32) return true;
    return is_other_half(m, other, at, amount);
}

typedef bool use_test(struct nf_constrainer *c, uint32_t use, uint32_t id, uint32_t at, uint32_t amount);

/* Is `id` one of the instruction's words? Most have it nowhere, and this is sooner seen than which of them are ids. */
static bool may_use(const struct nf_module *m, uint32_t at, uint32_t id)
{
    uint32_t word = nf_length(m, at);
    while (--word && m->words[at + word] != id)
        ;
    return word;
}

/* Is that so wherever the result of the shift is used, not far from here? */
static bool is_used_so(struct nf_constrainer *c, uint32_t at, uint32_t amount, use_test *test)
{
    enum { FAR = 64 };
    const struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at), uses = c->uses[id].count, use = nf_next(m, at);
    for (int i = 0; uses && i < FAR && use < c->f->end; i++, use = nf_next(m, use)) {
        if (!may_use(m, use, id)) continue;
        struct nf_ids ids = nf_ids_at(m, use);
        while (nf_ids_next(&ids)) {
            if (m->words[use + ids.at] != id) continue;
            if (!test(c, use, id, at, amount)) return false;
            uses--;
        }
    }
    return !uses;
}

/* Does the instruction leave the last 16 bits of `id` at the most? */
static bool leaves_end(struct nf_constrainer *c, uint32_t use, uint32_t id, uint32_t at, uint32_t amount)
{
    const struct nf_module *m = c->m;
    (void)id, (void)at, (void)amount;
    int64_t mask;
    return nf_opcode(m, use) == OpBitwiseAnd && nf_is_number(m, m->words[use + 4], &mask) && mask >= 0 &&
           mask <= UINT16_MAX;
}

/* Or is that done to what it chooses from others and these? */
static bool leaves_end_of_choice(struct nf_constrainer *c, uint32_t use, uint32_t id, uint32_t at, uint32_t amount)
{
    bool chosen = nf_opcode(c->m, use) == OpPhi || nf_opcode(c->m, use) == OpSelect;
    return chosen ? is_used_so(c, use, amount, leaves_end) : leaves_end(c, use, id, at, amount);
}

struct nf_value nf_end_of_word(struct nf_constrainer *c, uint32_t at)
{
    bool halves = nf_operand_value(c, at, 0).node && nf_opcode(c->m, at) == OpUConvert &&
                  is_lower_half(c->m, nf_result_id(c->m, at));
    return halves && is_used_so(c, at, 0, leaves_end_of_choice) ? end_of(c, nf_operand(c->m, at, 0), UINT16_MAX)
                                                                : nf_nothing;
}

static bool is_filled_up(struct nf_constrainer *c, uint32_t at, uint32_t amount)
{
    return is_used_so(c, at, amount, is_made_whole);
}

/* Is the number what stands above half an address, moved down? */
static bool is_top_part(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t by;
    if (at >= m->body_at && nf_opcode(m, at) == OpUConvert) at = m->def[m->words[at + 3]];
    return at >= m->body_at && nf_opcode(m, at) == OpShiftRightLogical && nf_is_number(m, m->words[at + 4], &by) &&
           by >= 32;
}

/* The half of an address that is made wide by the instruction at `at`, or 0: it is loaded, and masked perhaps, so that
 * what is above the address in an upper half stands where it stood. */
static uint32_t loaded_half(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    if (at < m->body_at || nf_opcode(m, at) != OpUConvert || nf_number_width(m, m->words[at + 3]) != 32) return 0;
    uint32_t half = m->words[at + 3], from = m->def[nf_kept(c, half)];
    if (from >= m->body_at && nf_opcode(m, from) == OpBitwiseAnd && nf_is_number(m, m->words[from + 4], &(int64_t){0}))
        from = m->def[nf_kept(c, m->words[from + 3])];
    return from >= m->body_at && nf_opcode(m, from) == OpLoad ? half : 0;
}

/* It gets into its place. */
static struct nf_value upper_half(struct nf_constrainer *c, uint32_t half)
{
    struct nf_module *m = c->m;
    struct nf_value from = nf_value_of(c, half);
    if (!from.node) return nf_nothing;
    struct nf_value result = nf_of_node(nf_node(m, 0));
    nf_edge(m, from.node, result.node, NF_EDGE_SHED | NF_EDGE_PROMOTE | NF_EDGE_KEEP);
    nf_unify(m, from, result);
    if (!is_top_part(m, half)) nf_spread(m, result, 1, 0, 0);
    return result;
}

/* Does the instruction shift something down, by how much? */
static bool is_shift_down(const struct nf_module *m, uint32_t at, int64_t *by)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode != OpShiftRightLogical && opcode != OpShiftRightArithmetic) return false;
    return nf_is_number(m, m->words[at + 4], by);
}

/* Does the instruction at `use` only compare the shifted `id`, or shift it down again as far at least? */
static bool brings_back(struct nf_constrainer *c, uint32_t use, uint32_t id, uint32_t at, uint32_t amount)
{
    const struct nf_module *m = c->m;
    (void)at;
    int64_t by;
    if (nf_role_at(m, use) == NF_ROLE_compare || nf_role_at(m, use) == NF_ROLE_compare_bits) return true;
    return is_shift_down(m, use, &by) && m->words[use + 3] == id && by >= amount && by < 64;
}

/* Does it shift it down as far, so that what is left stands where it stood? */
static bool takes_back(struct nf_constrainer *c, uint32_t use, uint32_t id, uint32_t at, uint32_t amount)
{
    const struct nf_module *m = c->m;
    (void)at;
    int64_t by;
    return is_shift_down(m, use, &by) && m->words[use + 3] == id && by == amount;
}

/* Was the number moved down as far before? Then all that is left of it stands where it stood, or below. */
static bool was_moved_down(const struct nf_module *m, uint32_t id, uint32_t amount)
{
    uint32_t at = m->def[id];
    int64_t by;
    return at >= m->body_at && is_shift_down(m, at, &by) && by >= amount;
}

/* Up by a number of bits, constant or not: what was a piece of an address may be part of a whole one, and a whole one
 * loses its top bits. What is shifted beyond bit 48 makes no address by itself. */
static struct nf_value shifted_up(struct nf_constrainer *c, uint32_t at, bool known, uint32_t amount, uint32_t mixes)
{
    const struct nf_module *m = c->m;
    uint32_t bits = nf_bits_of(m, nf_operand(m, at, 0)), width = nf_number_width(m, nf_result_id(m, at));
    uint32_t filters = NF_EDGE_SHED, half = known && amount == 32 ? loaded_half(c, m->def[nf_operand(m, at, 0)]) : 0;
    if (half) return upper_half(c, half);
    bool whole = nf_opcode(m, m->def[nf_operand(m, at, 0)]) == OpConvertPtrToU; /* and no piece of an address */
    struct nf_value from = nf_operand_value(c, at, 0);
    bool promotes = from.node && amount >= 8 && amount < 48 && !whole &&
                    !was_moved_down(m, nf_operand(m, at, 0), amount) && !is_used_so(c, at, amount, brings_back);
    if (!known || promotes) filters |= NF_EDGE_PROMOTE;
    bool loses = width == 64 && (known ? bits + amount > width : bits > 32) && from.node;
    /* One bit: the two top bits of the canonical form are the same. */
    if (loses && (!known || (amount > 1 && !is_filled_up(c, at, amount)))) filters |= NF_EDGE_LOSE;
    if (loses) filters |= known && amount && amount < 64 - NF_TAG_AT ? NF_EDGE_MARK : mixes;
    bool back = known && amount >= 32 && is_top_part(m, nf_operand(m, at, 0));
    back |= known && from.node && width == 64 && amount < 48 && is_used_so(c, at, amount, takes_back);
    if (!known || amount < 48) return nf_joined(c, at, back, known && !amount ? 0 : filters);
    if (!from.node) return nf_nothing;
    struct nf_value result = nf_of_node(nf_node(c->m, 0));
    nf_edge(c->m, from.node, result.node, filters);
    return result;
}

struct nf_value nf_shifted(struct nf_constrainer *c, uint32_t at)
{
    int64_t amount = 0;
    bool known = nf_is_number(c->m, nf_operand(c->m, at, 1), &amount) && amount >= 0 && amount < 64;
    return shifted_up(c, at, known, (uint32_t)amount, 0);
}

enum { MIXED_UP = NF_EDGE_LOSE | NF_EDGE_SHED | NF_EDGE_MARK };

/* A product is a shift, or may be one. By no power of two the tag gets into all bits above it, and is gone above those. */
struct nf_value nf_multiplied(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    int64_t factor;
    if (!nf_is_number(m, nf_operand(m, at, 0), &factor) && !nf_is_number(m, nf_operand(m, at, 1), &factor)) {
        bool wide = nf_number_width(m, nf_result_id(m, at)) == 64, whole = wide && is_filled_up(c, at, 64);
        return nf_joined(c, at, false, wide && !whole ? MIXED_UP : NF_EDGE_SHED);
    }
    /* A product of half an address has no tag that could get lost, whatever the sign of the constant. */
    if (factor < -1 && nf_number_width(m, nf_result_id(m, at)) <= 32) factor = (int64_t)(uint32_t)factor;
    bool shifts_up = factor > 0 && !((uint64_t)factor & ((uint64_t)factor - 1));
    if (factor > 0) return shifted_up(c, at, true, nf_log2((uint64_t)factor), shifts_up ? 0 : NF_EDGE_MARK);
    if (!factor || factor == -1) return nf_joined(c, at, false, 0);
    /* A shift and a change of sign; else a number that is mixed, as for a hash: no piece of an address after that. */
    bool shifts = !(-(uint64_t)factor & (-(uint64_t)factor - 1));
    return nf_joined(c, at, false, (shifts ? NF_EDGE_PROMOTE : 0) | MIXED_UP);
}

/* ---- The other ways ---- */

/* Of two operands of an OpBitwiseOr, does one begin at half an address, where the other one ends? A small number is no half. */
static bool joins_halves(const struct nf_module *m, uint32_t at)
{
    for (uint32_t i = 3; i < 5; i++) {
        uint32_t bits = nf_bits_of(m, m->words[at + 7 - i]);
        if (nf_begin_of(m, m->words[at + i]) == 32 && bits > NF_SMALL_BITS && bits <= 32) return true;
    }
    return false;
}

/* By how many bits the number was shifted up; 0 if it was not. */
static uint32_t shifted_by(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t by;
    if (at < m->body_at || nf_opcode(m, at) != OpShiftLeftLogical) return 0;
    return nf_is_number(m, m->words[at + 4], &by) && by > 0 && by < 64 ? (uint32_t)by : 0;
}

/* Down: what is left above all addresses, or has moved. The upper half points where all of it does: only what moved up
 * before can have other bits there, and that points anywhere already. */
struct nf_value nf_computed(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t by;
    bool down = nf_opcode(m, at) == OpShiftRightLogical || nf_opcode(m, at) == OpShiftRightArithmetic;
    if (down && nf_is_top_of_half(c, at)) return nf_top_of(c, nf_operand_value(c, at, 0));
    if (nf_number_width(m, nf_result_id(m, at)) != 64) return nf_joined(c, at, false, 0);
    if (!down) return nf_joined(c, at, nf_opcode(m, at) == OpBitwiseOr && joins_halves(m, at), 0);
    bool known = nf_is_number(m, nf_operand(m, at, 1), &by) && by < 64, top = known && by >= NF_ADDRESS_BITS;
    bool back = known && by == shifted_by(m, nf_operand(m, at, 0));
    /* The sign is no part of a tag. */
    bool sign = top && by == 63;
    c->m->graph->has_tops |= top && !sign;
    return nf_joined(c, at, back || (known && by >= 32), sign ? NF_EDGE_FEW : top ? NF_EDGE_TOP : NF_EDGE_DOWN);
}

/* By a power of two it is a shift: what was a tag stays above the address. By another number it is in all bits of the
 * quotient. The distance of two addresses has none. */
struct nf_value nf_divided(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t by;
    uint32_t from = m->def[nf_operand(m, at, 0)];
    bool distance = from >= m->body_at && nf_opcode(m, from) == OpISub && nf_operand_value(c, from, 0).node &&
                    nf_operand_value(c, from, 1).node;
    if (nf_is_top_of_half(c, at)) return nf_top_of(c, nf_operand_value(c, at, 0));
    bool shifts = nf_is_number(m, nf_operand(m, at, 1), &by) && !((uint64_t)by & ((uint64_t)by - 1));
    bool mixes = nf_number_width(m, nf_result_id(m, at)) == 64 && m->address_bits == 64 && !distance && !shifts;
    return nf_joined(c, at, false, mixes ? NF_EDGE_MIX : shifts ? NF_EDGE_DOWN : 0);
}

/* What is left of an address is a small number, or the address without its tag. A remainder of no power of two is no digit of
 * an address: who puts one together with others has the quotient as well. */
struct nf_value nf_remainder(struct nf_constrainer *c, uint32_t at)
{
    int64_t by;
    uint32_t id = nf_operand(c->m, at, 1);
    bool small = nf_bits_of(c->m, id) <= NF_MOST_MEMORY;
    if (small && nf_is_number(c->m, id, &by) && by & (by - 1))
        return nf_joined(c, at, false, by > 0 && by <= UINT16_MAX ? NF_EDGE_REST | NF_EDGE_FEW : NF_EDGE_REST);
    return nf_joined(c, at, false, small ? NF_EDGE_SHED : NF_EDGE_SHED | NF_EDGE_LOSE);
}

/* A field: a piece of an address, unless it is so long that it may be all of it but the tag. */
struct nf_value nf_field(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t first, count;
    bool known = nf_is_number(m, nf_operand(m, at, 1), &first) && nf_is_number(m, nf_operand(m, at, 2), &count);
    if (known && first >= NF_ADDRESS_BITS && m->address_bits == 64) return nf_top_of(c, nf_operand_value(c, at, 0));
    bool all = known && count > 32 && first + count < NF_TAG_AT + 2;
    return nf_joined(c, at, false, all ? NF_EDGE_SHED | NF_EDGE_LOSE : NF_EDGE_SHED);
}

/* Into the place of the tag goes something else. */
struct nf_value nf_field_put(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t first, count;
    bool known = nf_is_number(m, nf_operand(m, at, 2), &first) && nf_is_number(m, nf_operand(m, at, 3), &count);
    bool over = known && first > 32 && first + count > NF_TAG_AT && !nf_operand_value(c, at, 1).node;
    return nf_joined(c, at, false, NF_EDGE_PROMOTE | NF_EDGE_SHED | (over ? NF_EDGE_LOSE : 0));
}

bool nf_cuts_in_memory(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at);
    int64_t value;
    if (nf_operand_count(m, at) < 4 || nf_number_width(m, nf_result_id(m, at)) != 64) return false;
    uint32_t id = nf_kept(c, nf_operand(m, at, 3));
    switch (opcode) {
    case OpAtomicOr: return is_above_addresses(m, id);
    case OpAtomicAnd: return nf_is_number(m, id, &value) ? (uint64_t)value >> NF_TAG_AT != 15 : nf_mask_cuts(c, id);
    default: return false;
    }
}

/* Links of two addresses: a third one takes one of the two off again, and the other points where it did. With a number
 * bits of a place are flipped, and the place is another one. */
struct nf_value nf_flipped(struct nf_constrainer *c, uint32_t at)
{
    bool both = nf_operand_value(c, at, 0).node && nf_operand_value(c, at, 1).node;
    return nf_joined(c, at, both && nf_number_width(c->m, nf_result_id(c->m, at)) >= c->m->address_bits, 0);
}

/* Half a word that is moved up by a few bits is an address that was moved down to fit there: (ulong)slot << 3. A piece of
 * an address goes to where a half begins, or to a byte. */
static bool is_compressed(const struct nf_module *m, uint32_t at)
{
    int64_t by;
    return nf_is_number(m, m->words[at + 4], &by) && by % 8;
}

/* Pieces of an address are put together, and the one with the tag is not among them: that is known where the number is
 * complete, as it is kept, passed on or becomes a pointer. */
struct nf_value nf_put_together(struct nf_constrainer *c, uint32_t at, struct nf_value v)
{
    struct nf_module *m = c->m;
    bool shifts = nf_opcode(m, at) == OpShiftLeftLogical;
    if ((shifts && !is_compressed(m, at)) || m->address_bits == 32) return v;
    uint32_t id = nf_result_id(m, at);
    if (nf_number_width(m, id) != 64) return v;
    uint32_t bits = nf_bits_of(m, id);
    if (bits <= 32 || bits > NF_TAG_AT) return v;
    if (!c->uses[id].leaves) return v;
    struct nf_value whole = nf_of_node(nf_node(m, 0));
    nf_lose_tag(c, at, v, whole);
    nf_unify(m, v, whole);
    return whole;
}
