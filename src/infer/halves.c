/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halves.c - numbers kept above an address in the upper half of its word.
 *
 *     union { char *p; uint half[2]; } w;
 *     w.half[1] |= count << 24;                    the count goes to the word's last byte, and nowhere else
 *     w.half[1] &= 0xffffff;                       it goes again, and with it a tag that the address had
 *
 * Half a word that is written is a piece of an address, and what is computed to make it would be: a number of the host's,
 * put together with the other half, would be a global address. But the half's own bits are in their place already, and
 * what is shifted to its last two bytes is stored to these: they are above all addresses if this is an upper half
 * (graph/cells.c). A count that is moved there by unoptimized code's variables is followed through them.
 *
 * The hard case is that nobody knows here which half it is: it is a parameter's. In a lower half these bytes are the middle of
 * an address.
 *
 * needs: values of the operands.  gives: edges into memory.
 */
#include "infer/parts.h"

enum {
    ABOVE_AT = 16 /* the bit of an upper half that addresses do not reach */,
    DEEP = 6,
    FEW = 2,
    LONG = 12 /* words of a phi */,
    MOST = 64 /* values looked at for one store */
};

/* A number of 32 bits on its way to memory. */
struct half {
    struct nf_constrainer *c;
    struct nf_value address;
    uint32_t at;                             /* the store */
    uint32_t followed[DEEP], followed_count; /* variables */
    uint32_t visits;
    bool writes; /* make the edges; else only look */
    bool same;   /* some bits are those that lie there already, or those of another word's upper half */
    bool above;  /* some are put above addresses */
    bool masked; /* some of those are taken off */
};

/* Is it a variable of a number, of the function's own? */
static bool is_variable(const struct nf_module *m, uint32_t id)
{
    return nf_is_own_variable(m, id) && !m->analysis->promotable[id];
}

/* Where the values of a select or a phi stand in it, 0: it is neither. */
static uint32_t first_choice(uint32_t opcode)
{
    return opcode == OpSelect ? 4 : opcode == OpPhi ? 3 : 0;
}

static uint32_t step_of_choices(uint32_t opcode)
{
    return opcode == OpPhi ? 2 : 1;
}

/* Are only bits set that an upper half has above addresses? */
static bool is_above(const struct nf_module *m, uint32_t id, int depth)
{
    uint32_t at = m->def[id], opcode = nf_opcode(m, at), choice = first_choice(opcode);
    int64_t value;
    if (nf_is_number(m, id, &value)) return !(value & ((1 << ABOVE_AT) - 1));
    if (at < m->body_at || depth > FEW || nf_length(m, at) > LONG) return false;
    for (uint32_t word = choice; choice && word < nf_length(m, at); word += step_of_choices(opcode))
        if (!is_above(m, m->words[at + word], depth + 1)) return false;
    if (choice) return true;
    if (nf_operand_count(m, at) != 2 || !nf_is_number(m, m->words[at + 4], &value)) return false;
    switch (opcode) {
    case OpShiftLeftLogical: return value >= ABOVE_AT;
    case OpBitwiseAnd:
    case OpIMul: return !(value & ((1 << ABOVE_AT) - 1));
    default: return false;
    }
}

static bool is_above_half(const struct nf_module *m, uint32_t id)
{
    return is_above(m, id, 0);
}

/* Does the mask keep an upper half of an address, but not what may be above it? */
static bool cuts_top(int64_t mask)
{
    const int64_t address = (1 << ABOVE_AT) - 1, tag = (int64_t)15 << (NF_TAG_AT - 32);
    return (mask & address) == address && (mask & tag) != tag;
}

/* The operand of (x << n) >> n, which is a mask; 0 for anything else. */
static uint32_t masked_by_shifts(const struct nf_module *m, uint32_t at)
{
    uint32_t up = m->def[m->words[at + 3]];
    int64_t down_by, up_by;
    if (up < m->body_at || nf_opcode(m, up) != OpShiftLeftLogical) return 0;
    bool known = nf_is_number(m, m->words[at + 4], &down_by) && nf_is_number(m, m->words[up + 4], &up_by);
    return known && down_by == up_by && down_by > 0 && down_by <= ABOVE_AT ? m->words[up + 3] : 0;
}

bool nf_puts_above(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t value;
    if (at < m->body_at || nf_number_width(m, id) != 32) return false;
    switch (nf_opcode(m, at)) {
    case OpBitwiseAnd: return nf_is_number(m, m->words[at + 4], &value) && cuts_top(value);
    case OpShiftRightLogical: return masked_by_shifts(m, at);
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpIAdd:
    case OpISub: return is_above_half(m, m->words[at + 3]) || is_above_half(m, m->words[at + 4]);
    default: return false;
    }
}

static bool is_same_place(struct half *h, uint32_t load)
{
    struct nf_module *m = h->c->m;
    struct nf_value from = nf_value_of(h->c, m->words[load + 3]);
    if (!from.node) return false;
    struct nf_place a = nf_place_of(m, from), b = nf_place_of(m, h->address);
    a = nf_place_of(m, from); /* the second may have moved the first's root */
    return a.region == b.region && a.offset == b.offset;
}

static void put_above(struct half *h, uint32_t id)
{
    struct nf_module *m = h->c->m;
    struct nf_value v = nf_value_of(h->c, id);
    h->above = true;
    if (!h->writes || !v.node) return;
    struct nf_value top = nf_moved(h->address, ABOVE_AT / 8);
    nf_edge(m, v.node, nf_note_top(m, top, 2, NF_MARK_COUNTED), NF_EDGE_NARROW | NF_EDGE_SHED);
}

static void put_other(struct half *h, uint32_t id)
{
    struct nf_module *m = h->c->m;
    struct nf_value v = nf_value_of(h->c, id);
    if (h->writes && v.node) nf_edge(m, v.node, nf_cell_at(m, h->address, 4, true), NF_EDGE_NARROW | NF_EDGE_SHED);
}

/* Is it the upper half of a word of 64 bits, which may be an address? */
static bool is_half_of_word(const struct half *h, uint32_t id)
{
    const struct nf_module *m = h->c->m;
    uint32_t at = m->def[id], down;
    int64_t by;
    if (at < m->body_at || nf_opcode(m, at) != OpUConvert) return false;
    down = m->def[nf_kept(h->c, m->words[at + 3])];
    return down >= m->body_at && nf_opcode(m, down) == OpShiftRightLogical &&
           nf_is_number(m, m->words[down + 4], &by) && by == 32 && nf_number_width(m, m->words[down + 3]) == 64;
}

/* The operand of (uint)(ushort)x, which is a mask; 0 for anything else. */
static uint32_t cut_to_short(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t from = m->def[nf_kept(c, m->words[at + 3])];
    if (from < m->body_at || nf_opcode(m, from) != OpUConvert || nf_number_width(m, m->words[at + 3]) != ABOVE_AT)
        return 0;
    return nf_number_width(m, m->words[from + 3]) == 32 ? m->words[from + 3] : 0;
}

static uint32_t cut_from(const struct nf_constrainer *c, uint32_t id, int depth)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id = nf_kept(c, id)], first;
    int64_t mask;
    if (at < m->body_at || depth > FEW || nf_number_width(m, id) != 32) return 0;
    switch (nf_opcode(m, at)) {
    case OpBitwiseAnd: return nf_is_number(m, m->words[at + 4], &mask) && cuts_top(mask) ? m->words[at + 3] : 0;
    case OpShiftRightLogical: return masked_by_shifts(m, at);
    case OpUConvert: return cut_to_short(c, at);
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpIAdd:
        first = cut_from(c, m->words[at + 3], depth + 1);
        return first ? first : cut_from(c, m->words[at + 4], depth + 1);
    default: return 0;
    }
}

uint32_t nf_cut_half(const struct nf_constrainer *c, uint32_t id)
{
    return cut_from(c, id, 0);
}

static bool put_stored(struct half *h, uint32_t variable, int depth);

static void put_bits(struct half *h, uint32_t id, int depth);

/* One of several. @return false: one is of a later block, and has no value yet. */
static bool put_choices(struct half *h, uint32_t at, int depth)
{
    const struct nf_module *m = h->c->m;
    uint32_t opcode = nf_opcode(m, at), first = first_choice(opcode), step = step_of_choices(opcode);
    for (uint32_t word = first; word < nf_length(m, at); word += step)
        if (m->def[m->words[at + word]] >= at) return false;
    for (uint32_t word = first; word < nf_length(m, at); word += step)
        put_bits(h, m->words[at + word], depth + 1);
    return true;
}

/* The bits of `id` go to where they are in it. */
static void put_bits(struct half *h, uint32_t id, int depth)
{
    const struct nf_module *m = h->c->m;
    uint32_t at = m->def[id = nf_kept(h->c, id)], shifted;
    int64_t value;
    if (is_above_half(m, id)) {
        put_above(h, id);
        return;
    }
    uint32_t opcode = at < m->body_at || depth > DEEP || h->visits++ > MOST ? OpNop : nf_opcode(m, at);
    switch (opcode) {
    case OpAtomicExchange:
    case OpAtomicLoad:
        if (!is_same_place(h, at)) break;
        h->same = true;
        return;
    case OpLoad:
        if (put_stored(h, m->words[at + 3], depth)) return;
        if (!is_same_place(h, at)) break;
        h->same = true;
        return;
    case OpBitwiseAnd:
        if (!nf_is_number(m, m->words[at + 4], &value)) break;
        h->masked |= cuts_top(value);
        put_bits(h, m->words[at + 3], depth + 1);
        return;
    case OpShiftRightLogical:
        if (!(shifted = masked_by_shifts(m, at))) break;
        h->masked = true;
        put_bits(h, shifted, depth + 1);
        return;
    case OpUConvert:
        if (!(shifted = cut_to_short(h->c, at))) break;
        h->masked = true;
        put_bits(h, shifted, depth + 1);
        return;
    case OpSelect:
    case OpPhi:
        if (!put_choices(h, at, depth)) break;
        return;
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpIAdd:
    case OpISub:
        /* A number is taken off again that was read with the tag. */
        h->masked |= opcode == OpISub && is_above_half(m, m->words[at + 4]);
        put_bits(h, m->words[at + 3], depth + 1);
        put_bits(h, m->words[at + 4], depth + 1);
        return;
    default: break;
    }
    h->same |= is_half_of_word(h, id);
    put_other(h, id);
}

/* Does the instruction go back to a block before `at`? */
static bool goes_back(const struct nf_module *m, uint32_t branch, uint32_t at)
{
    struct nf_ids ids = nf_ids_at(m, branch);
    if (!nf_ends_block(nf_opcode(m, branch))) return false;
    while (nf_ids_next(&ids)) {
        uint32_t to = m->def[m->words[branch + ids.at]];
        if (to < at && nf_opcode(m, to) == OpLabel) return true;
    }
    return false;
}

/* Is there a store to the variable behind `at` that may come to it again? Its value is not known yet. */
static bool is_stored_later(const struct nf_module *m, const struct nf_function *f, uint32_t variable, uint32_t at)
{
    bool stored = false, back = false;
    for (uint32_t next = at; next < f->end; next = nf_next(m, next)) {
        stored |= nf_opcode(m, next) == OpStore && m->words[next + 1] == variable;
        back |= goes_back(m, next, at);
    }
    return stored && back;
}

/* Unoptimized code computes in variables of its own: `uint half = w.half[1]; half |= count << 24; w.half[1] = half;`. All that is
 * stored there before may be what is loaded. */
static bool put_stored(struct half *h, uint32_t variable, int depth)
{
    const struct nf_module *m = h->c->m;
    const struct nf_function *f = h->c->f;
    if (!is_variable(m, variable) || h->c->stored[variable] != NF_KEPT_PUT) return false;
    for (uint32_t i = 0; i < h->followed_count; i++)
        if (h->followed[i] == variable) return true;
    if (h->followed_count == DEEP || is_stored_later(m, f, variable, h->at)) return false;
    h->followed[h->followed_count++] = variable;
    for (uint32_t at = f->body; at < h->at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpStore && m->words[at + 1] == variable) put_bits(h, m->words[at + 2], depth + 1);
    return true;
}

bool nf_store_half(struct nf_constrainer *c, uint32_t at, uint32_t id, struct nf_value address)
{
    struct nf_module *m = c->m;
    struct nf_value v = nf_value_of(c, id);
    struct half h = {.c = c, .address = address, .at = at};
    if (m->address_bits != 64 || nf_number_width(m, id) != 32 || m->def[id] < m->body_at) return false;
    if (!v.node || !address.node || nf_is_host(m, address)) return false;
    put_bits(&h, id, 0);
    if (!h.above && !(h.masked && h.same)) return false;
    nf_unify(m, v, nf_of_node(nf_cell_at(m, address, 4, true)));
    h.writes = true;
    h.followed_count = h.visits = 0;
    put_bits(&h, id, 0);
    bool word = nf_opcode(m, at) == OpStore && nf_is_in_word(c, m->words[at + 1]);
    if (h.masked) nf_note_top(m, nf_moved(address, ABOVE_AT / 8), 2, NF_MARK_MASKED | (word ? NF_MARK_SWAPPED : 0));
    return true;
}

bool nf_atomic_half(struct nf_constrainer *c, uint32_t at, struct nf_value address)
{
    struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at);
    int64_t mask;
    if (m->address_bits != 64 || nf_operand_count(m, at) < 4 || nf_is_host(m, address)) return false;
    uint32_t id = nf_kept(c, nf_operand(m, at, 3));
    if (nf_number_width(m, id) != 32) return false;
    if (opcode == OpAtomicExchange) return nf_store_half(c, at, id, address);
    bool adds = opcode == OpAtomicIAdd || opcode == OpAtomicISub || opcode == OpAtomicOr || opcode == OpAtomicXor;
    bool cuts = opcode == OpAtomicAnd && nf_is_number(m, id, &mask) && cuts_top(mask);
    if (!cuts && !(adds && is_above_half(m, id))) return false;
    struct half h = {.c = c, .address = address, .at = at, .writes = true};
    nf_cell_at(m, address, 4, true);
    if (adds) put_above(&h, id);
    if (cuts) nf_note_top(m, nf_moved(address, ABOVE_AT / 8), 2, NF_MARK_MASKED | NF_MARK_SWAPPED);
    return true;
}
