/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digits.c - are digits put together to a number that may be an address? Asked of each instruction that puts numbers together;
 * what they make gets a node of its own in the graph, and the module stays as it is.
 *
 *     %up = OpShiftLeftLogical %ulong %a %ulong_6      a: what came out the last time around
 *     %more = OpBitwiseOr %ulong %up %digit            an address, once there were enough of them
 *
 *     %down = OpShiftRightLogical %ulong %a %ulong_8   the same with the lowest digit first
 *     %more = OpBitwiseOr %ulong %down %on_top
 *
 * A few bits of a number of the host's are a count or a kind, and no piece of an address, wherever a program keeps them beside its
 * links: else no arena was one memory's. But who reads text puts as many of them together as he likes. Then what comes out is
 * taken for a pointer that is made of a number: if the host's digits are all that is in it, it is one of the host's
 * (nf_propagate_all()).
 *
 * The hard case is to leave sums of numbers alone, which are indices: a digit goes below what is shifted up, and that is a whole word
 * which grew so before, in a loop, in a callee, in memory, or the instruction before.
 *
 * needs: definitions, notes of uses.c, the values of the operands.  gives: the value of the result.
 */
#include "infer/parts.h"

enum { DEEP = 6, DEEPER = 8 /* to a place */, LONG = 12 /* words of a phi */, NEAR = 256 /* words */ };
enum { ALL = 1 /* beside the digits, by bit: an address is made of them, whatever of others is in them, too */ };

/* Does the instruction give the same again, of the same operands? All of these are ids. */
static bool gives_again(uint32_t opcode)
{
    switch (opcode) {
    case OpBitcast:
    case OpSConvert:
    case OpUConvert:
    case OpIAdd:
    case OpISub:
    case OpIMul:
    case OpUDiv:
    case OpUMod:
    case OpSDiv:
    case OpSRem:
    case OpBitwiseAnd:
    case OpShiftLeftLogical:
    case OpShiftRightLogical: return true;
    default: return false;
    }
}

/* Do the two give the same pointer, as far as their instructions say? */
static bool is_same_place(const struct nf_module *m, uint32_t a, uint32_t b, int depth)
{
    uint32_t x = m->def[a], y = m->def[b];
    if (a == b) return true;
    if (depth > DEEPER || x < m->body_at || y < m->body_at) return false;
    if (m->words[x] != m->words[y]) return false;
    if (nf_opcode(m, x) != OpLoad && nf_role_at(m, x) != NF_ROLE_chain && !gives_again(nf_opcode(m, x))) return false;
    for (uint32_t i = 3; i < nf_length(m, x); i++) {
        bool id = nf_opcode(m, x) != OpLoad || i == 3;
        bool same =
            m->words[x + i] == m->words[y + i] || (id && is_same_place(m, m->words[x + i], m->words[y + i], depth + 1));
        if (!same) return false;
    }
    return true;
}

static bool is_sum(const struct nf_module *m, uint32_t id)
{
    return m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpIAdd;
}

/* The instruction that moved the number `id` up, but for a constant that was added then; 0 if none did. */
static uint32_t moved_up(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t by;
    if (at < m->body_at) return 0;
    switch (nf_opcode(m, at)) {
    case OpShiftLeftLogical: return at;
    case OpIMul: return nf_is_number(m, m->words[at + 4], &by) && by > 1 ? at : 0;
    case OpIAdd:
        if (is_same_place(m, m->words[at + 3], m->words[at + 4], 0)) return at;
        return nf_is_number(m, m->words[at + 4], &by) && !is_sum(m, m->words[at + 3]) ? moved_up(m, m->words[at + 3])
                                                                                      : 0;
    default: return 0;
    }
}

/* The instruction that moved the number `id` down, and took its sign off perhaps; 0 if none did. */
static uint32_t moved_down(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t by;
    if (at < m->body_at) return 0;
    if (nf_opcode(m, at) == OpBitwiseAnd && nf_is_number(m, m->words[at + 4], &by)) at = m->def[m->words[at + 3]];
    if (at < m->body_at) return 0;
    switch (nf_opcode(m, at)) {
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return at;
    case OpUDiv: return nf_is_number(m, m->words[at + 4], &by) ? at : 0;
    default: return 0;
    }
}

/* How many bits of the number can be set, but for its sign. */
static uint32_t bits_of(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    return nf_bits_of(m, at >= m->body_at && nf_opcode(m, at) == OpSConvert ? m->words[at + 3] : id);
}

/* Was the number put together of what was moved up, and something else? */
static bool is_pile(const struct nf_module *m, uint32_t id, int depth)
{
    uint32_t at = m->def[id];
    if (depth > 1 || at < m->body_at || !nf_joins_bits(nf_opcode(m, at))) return false;
    return moved_up(m, m->words[at + 3]) || moved_up(m, m->words[at + 4]) || is_pile(m, m->words[at + 3], depth + 1) ||
           is_pile(m, m->words[at + 4], depth + 1);
}

/* Is `id` made of `of`, by what passes a number on or puts it together? */
static bool is_made_of(const struct nf_module *m, uint32_t id, uint32_t of, int depth)
{
    uint32_t at = m->def[id];
    if (id == of) return true;
    if (depth > DEEP || at < m->body_at || at < m->def[of] || nf_length(m, at) > LONG) return false;
    uint32_t opcode = nf_opcode(m, at);
    if (!nf_joins_bits(opcode) && opcode != OpISub && opcode != OpSelect && opcode != OpPhi &&
        opcode != OpShiftLeftLogical && opcode != OpIMul)
        return false;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (is_made_of(m, m->words[at + ids.at], of, depth + 1)) return true;
    return false;
}

/* The same of what was moved down then. */
static bool is_moved_down_of(const struct nf_module *m, uint32_t id, uint32_t of, int depth)
{
    uint32_t at = m->def[id], shift = moved_down(m, id);
    if (shift) return is_made_of(m, m->words[shift + 3], of, depth);
    if (depth > DEEP || at < m->def[of] || nf_opcode(m, at) != OpSelect) return false;
    return is_moved_down_of(m, m->words[at + 4], of, depth + 1) || is_moved_down_of(m, m->words[at + 5], of, depth + 1);
}

typedef bool origin_test(const struct nf_module *m, uint32_t id, uint32_t of, int depth);

/* Does the instruction's result get to where the word was loaded? */
static bool is_stored_back(const struct nf_constrainer *c, uint32_t load, uint32_t at, origin_test *test)
{
    enum { FAR = 48 };
    const struct nf_module *m = c->m;
    uint32_t use = nf_next(m, at);
    for (int i = 0; i < FAR && use < c->f->end; i++, use = nf_next(m, use))
        if (nf_opcode(m, use) == OpStore && test(m, m->words[use + 2], nf_result_id(m, at), 0) &&
            is_same_place(m, m->words[use + 1], m->words[load + 3], 0))
            return true;
    return false;
}

/* Does the instruction's result get to the phi? */
static bool comes_around(const struct nf_module *m, uint32_t phi, uint32_t at, origin_test *test)
{
    for (uint32_t word = 3; word < nf_length(m, phi) && word < LONG; word += 2)
        if (test(m, m->words[phi + word], nf_result_id(m, at), 0)) return true;
    return nf_length(m, phi) > LONG;
}

/* Is the word `id` what `at` made before, or may it be: another time around, by the caller? */
static bool grew_before(const struct nf_constrainer *c, uint32_t id, uint32_t at, int depth)
{
    const struct nf_module *m = c->m;
    uint32_t from = m->def[id];
    if (from < m->body_at || depth > DEEP) return false;
    switch (nf_opcode(m, from)) {
    case OpPhi: return comes_around(m, from, at, is_made_of);
    case OpLoad:
        return is_stored_back(c, from, at, is_made_of) ||
               (nf_is_own_variable(m, m->words[from + 3]) && nf_kept(c, id) != id &&
                grew_before(c, nf_kept(c, id), at, depth + 1));
    case OpFunctionParameter: return true;
    default: return is_pile(m, id, 0);
    }
}

/* What an instruction puts together, and those that it takes that from. */
struct pile {
    uint64_t taken, begins; /* the bits of the result that a piece may set, and the lowest ones of each */
    uint32_t looks;
    bool
        fails; /* two of them begin at one place, or one is longer than half an address, or nobody knows where it gets */
};

/* The bits of the number that may be set. */
static uint64_t bits_set(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id], count = bits_of(m, id);
    uint64_t bits = count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
    int64_t mask;
    bool masks = at >= m->body_at && nf_opcode(m, at) == OpBitwiseAnd && nf_is_number(m, m->words[at + 4], &mask);
    return masks ? bits & (uint64_t)mask : bits;
}

static void add_piece(const struct nf_module *m, uint32_t id, struct pile *pile)
{
    uint32_t shift = moved_up(m, id);
    int64_t by = 0;
    bool shifts = shift && nf_opcode(m, shift) == OpShiftLeftLogical;
    bool known = !shift || (shifts && nf_is_number(m, m->words[shift + 4], &by) && by >= 0 && by < 64);
    uint64_t bits = bits_set(m, shift ? m->words[shift + 3] : id);
    pile->fails |= !known || (uint32_t)__builtin_popcountll(bits) > m->address_bits / 2;
    if (pile->fails) return;
    uint64_t lowest = (bits & -bits) << by;
    pile->fails = (pile->begins & lowest) != 0;
    pile->begins |= lowest;
    pile->taken |= bits << by;
}

static void add_pieces(const struct nf_module *m, uint32_t id, struct pile *pile)
{
    enum { MOST = 16 };
    uint32_t at = m->def[id];
    if (pile->fails || nf_is_number(m, id, &(int64_t){0})) return;
    if (at < m->body_at || moved_up(m, id) || !nf_joins_bits(nf_opcode(m, at))) {
        add_piece(m, id, pile);
        return;
    }
    pile->fails = pile->looks++ > MOST;
    add_pieces(m, m->words[at + 3], pile);
    add_pieces(m, m->words[at + 4], pile);
}

/* Are several short pieces put together, which are long enough for an address then? (ulong)d << 48 | (ulong)c << 32 | b << 16 | a */
static bool is_heap(const struct nf_module *m, uint32_t at)
{
    struct pile pile = {0};
    add_pieces(m, m->words[at + 3], &pile);
    add_pieces(m, m->words[at + 4], &pile);
    uint32_t bits = (uint32_t)__builtin_popcountll(pile.taken);
    bool several = (pile.begins & (pile.begins - 1)) != 0;
    return !pile.fails && several && 4 * bits >= 3 * m->address_bits;
}

static bool is_parameter(const struct nf_constrainer *c, uint32_t id)
{
    uint32_t at = c->m->def[nf_kept(c, id)];
    return at >= c->m->body_at && nf_opcode(c->m, at) == OpFunctionParameter;
}

/* The operand at word `up` was moved up, and the other one is put below it, or above. Which words of the instruction are digits,
 * by bit; 0 for none. */
static uint32_t grows_by(const struct nf_constrainer *c, uint32_t at, uint32_t up, uint32_t half)
{
    const struct nf_module *m = c->m;
    uint32_t other = m->words[at + 7 - up], shift = moved_up(m, m->words[at + up]), both = 1u << 3 | 1u << 4;
    int64_t by;
    if (!shift) return 0;
    uint32_t from = m->words[shift + 3], width = bits_of(m, from), below = bits_of(m, other);
    bool known = nf_opcode(m, shift) != OpShiftLeftLogical || nf_is_number(m, m->words[shift + 4], &by);
    /* (ulong)high << 32 | low */
    if (width <= half && below <= half) return width > NF_SMALL_BITS && below > NF_SMALL_BITS ? both : 0;
    /* a << 6 | digit; but a << 1 | 1 makes a mark of its own beside what a caller passes */
    if (width > half && nf_is_number(m, other, &by) && is_parameter(c, from)) return 0;
    if (width > half && below <= half) return grew_before(c, from, at, 0) ? 1u << (7 - up) : 0;
    /* a | digit << 6 * i; (d0 | d1 << 6 | d2 << 12) | d3 << 18 */
    if (!known) return below > half && grew_before(c, other, at, 0) ? 1u << up : 0;
    return below > half && is_pile(m, other, 0) ? both : 0;
}

/* Is the number moved up so far that it is above half an address? */
static bool is_moved_to_top(const struct nf_module *m, uint32_t id)
{
    uint32_t shift = moved_up(m, id), half = m->address_bits / 2;
    int64_t by;
    if (!shift || !nf_is_number(m, m->words[shift + 4], &by)) return false;
    return nf_opcode(m, shift) == OpShiftLeftLogical ? by >= half : (uint64_t)by >> half;
}

/* Is there, not far from `at`, a store to where the word was loaded, of what `test` holds for? Code that is not optimized does each
 * step in memory. */
static bool is_stored_there(const struct nf_constrainer *c, uint32_t load, uint32_t at,
                            bool (*test)(const struct nf_module *m, uint32_t value, uint32_t pointer))
{
    const struct nf_module *m = c->m;
    uint32_t end = at + NEAR < c->f->end ? at + NEAR : c->f->end;
    for (uint32_t use = c->near; use < end; use = nf_next(m, use))
        if (nf_opcode(m, use) == OpStore && test(m, m->words[use + 2], m->words[load + 3]) &&
            is_same_place(m, m->words[use + 1], m->words[load + 3], 0))
            return true;
    return false;
}

/* Is the value what lay at the pointer, moved down? */
static bool is_moved_down_there(const struct nf_module *m, uint32_t value, uint32_t pointer)
{
    uint32_t shift = moved_down(m, value), before = shift ? m->def[m->words[shift + 3]] : 0;
    return before >= m->body_at && nf_opcode(m, before) == OpLoad && is_same_place(m, m->words[before + 3], pointer, 0);
}

static bool is_top_there(const struct nf_module *m, uint32_t value, uint32_t pointer)
{
    (void)pointer;
    return is_moved_to_top(m, value);
}

static bool is_on_top(const struct nf_constrainer *c, uint32_t id, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t from = m->def[id];
    if (is_moved_to_top(m, id)) return true;
    return from >= m->body_at && nf_opcode(m, from) == OpLoad && is_stored_there(c, from, at, is_top_there);
}

/* Is the word moved down where it is kept, or before it comes around? */
static bool gets_down(const struct nf_constrainer *c, uint32_t word, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t from = m->def[word];
    if (from < m->body_at) return false;
    if (nf_opcode(m, from) == OpPhi) return comes_around(m, from, at, is_moved_down_of);
    if (nf_opcode(m, from) != OpLoad) return false;
    return is_stored_back(c, from, at, is_moved_down_of) ||
           (is_stored_back(c, from, at, is_made_of) && is_stored_there(c, from, at, is_moved_down_there));
}

/* The operand at word `down` is moved down, before or after that, and the other one is put on top of it: so who reads the lowest
 * byte first. Which word is the digit, by bit; 0 for none. */
static uint32_t grows_down(const struct nf_constrainer *c, uint32_t at, uint32_t down)
{
    const struct nf_module *m = c->m;
    uint32_t word = nf_kept(c, m->words[at + down]), shift = moved_down(m, word);
    if (!is_on_top(c, m->words[at + 7 - down], at)) return 0;
    bool down_again = shift ? grew_before(c, m->words[shift + 3], at, 0) : gets_down(c, word, at);
    return down_again ? 1u << (7 - down) : 0;
}

/* To a number that is long enough for an address? Then which words are the digits. */
static uint32_t digits_at(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t half = m->address_bits / 2;
    if (nf_bits_of(m, nf_result_id(m, at)) <= half) return 0;
    uint32_t digits = grows_by(c, at, 3, half);
    if (!digits) digits = grows_by(c, at, 4, half);
    if (!digits) digits = grows_down(c, at, 3);
    if (!digits) digits = grows_down(c, at, 4);
    return digits || !is_heap(m, at) ? digits : 1u << 3 | 1u << 4 | ALL;
}

/* Stores are looked for from here on: who asks goes on through the function, and so does this. */
static void look_from(struct nf_constrainer *c, uint32_t at)
{
    if (c->near < c->f->body || c->near > at) c->near = c->f->body;
    while (c->near + NEAR < at)
        c->near = nf_next(c->m, c->near);
}

/* What the digits make is known by themselves: the number that they are put to may be kept where an address gets, too. */
struct nf_value nf_with_digits(struct nf_constrainer *c, uint32_t at, struct nf_value v)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at);
    if (!nf_joins_bits(nf_opcode(m, at)) || nf_type_of(m, id)->kind != NF_KIND_INT) return v;
    if (nf_number_width(m, id) != m->address_bits) return v;
    look_from(c, at);
    uint32_t digits = digits_at(c, at);
    if (!digits || nf_rejoined(c, at)) return v;
    struct nf_value made = nf_of_node(nf_node(m, NF_HOLE)), result = nf_of_node(nf_node(m, 0));
    uint32_t filters = digits & ALL ? NF_EDGE_PROMOTE : 0;
    for (uint32_t word = 3; word < 5; word++)
        if (digits >> word & 1) nf_edge(m, nf_value_of(c, m->words[at + word]).node, made.node, filters);
    nf_edge(m, made.node, result.node, 0);
    nf_flow(m, v, result);
    return result;
}
