/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds.c - how many low bits an integer can have at the most that was computed by a loop, or kept in a variable.
 *
 *     ulong r = 0;
 *     for (int i = 0; i < 6; i++) r = r << 8 | bytes[i];      48: no address's tag is among them
 *     for (int i = 0; i < 8; i++) r = r << 8 | bytes[i];      64
 *     for (int i = 0; i < n; i++) r |= bytes[i] << 8 * i;     64, for all that is known
 *
 * Asked where an integer becomes a pointer: one that cannot have a tag has lost it. What bits.c says of one expression is
 * followed here through variables of the function's own, choices, results of calls, and once around a loop that counts
 * between constants.
 *
 * The hard case is a number that a loop adds to: it grows each time around. How often that is must be known of the one loop
 * around it that does not begin the number anew.
 *
 * needs: definitions, notes of uses.c.  gives: an answer.
 */
#include "infer/parts.h"

enum { ALL = 64, DEEP = 12, LONG = 12 /* words of a phi */, MOST_SCANS = 256, MOST_LOOPS = 64 };

/* A loop: from its first block to the branch that goes back there. */
struct loop {
    uint32_t begin, end;
};

struct bounds {
    struct nf_constrainer *c;
    const struct nf_function *f;
    struct loop loops[MOST_LOOPS];
    uint32_t loop_count;
    bool looked;    /* for loops: most numbers are none of a loop's */
    uint32_t grown; /* the phi or variable whose growth is looked at, 0: none */
    bool unknown;   /* something was seen of which nothing is known */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- Loops ---- */

/* Does the block, before the branch that goes there, lead out of the loop that the branch ends? Compilers put some there. */
static bool leads_out(const struct nf_module *m, uint32_t block, uint32_t branch)
{
    uint32_t at = block;
    while (!nf_ends_block(nf_opcode(m, at)))
        at = nf_next(m, at);
    if (nf_opcode(m, at) == OpReturn || nf_opcode(m, at) == OpReturnValue || nf_opcode(m, at) == OpUnreachable)
        return true;
    uint32_t to = nf_opcode(m, at) == OpBranch ? m->def[m->words[at + 1]] : at;
    return to > branch || to < block;
}

/* The first block of those before the branch that it goes back to, or 0. */
static uint32_t goes_back_to(const struct nf_module *m, uint32_t branch)
{
    struct nf_ids ids = nf_ids_at(m, branch);
    uint32_t first = 0;
    if (!nf_ends_block(nf_opcode(m, branch))) return 0;
    while (nf_ids_next(&ids)) {
        uint32_t to = m->def[m->words[branch + ids.at]];
        bool back = to < branch && nf_opcode(m, to) == OpLabel && (!first || to < first);
        if (back && !(nf_opcode(m, branch) == OpBranchConditional && leads_out(m, to, branch))) first = to;
    }
    return first;
}

static void find_loops(struct bounds *b)
{
    const struct nf_module *m = b->c->m;
    if (b->looked) return;
    b->looked = true;
    for (uint32_t at = b->f->body; at < b->f->end; at = nf_next(m, at)) {
        uint32_t begin = goes_back_to(m, at);
        if (!begin) continue;
        /* Another way back to the same block. */
        if (b->loop_count && b->loops[b->loop_count - 1].begin == begin) b->loop_count--;
        if (b->loop_count == MOST_LOOPS) {
            b->unknown = true;
            return;
        }
        b->loops[b->loop_count++] = (struct loop){begin, at};
    }
}

static bool is_in(struct loop loop, uint32_t at)
{
    return at >= loop.begin && at <= loop.end;
}

/* The only loop that is around `at`, and not around `outside`; its end is 0 when there is none, or there are several. */
static struct loop loop_between(const struct bounds *b, uint32_t at, uint32_t outside)
{
    struct loop found = {0, 0};
    for (uint32_t i = 0; i < b->loop_count; i++) {
        if (!is_in(b->loops[i], at) || is_in(b->loops[i], outside)) continue;
        if (found.end) return (struct loop){0, 0};
        found = b->loops[i];
    }
    return found;
}

/* ---- Counters ---- */

/* A number that goes on from a constant in steps: a phi, or a variable. */
struct counter {
    int64_t from, step;
};

/* A constant number with its sign. */
static bool is_signed_number(const struct nf_module *m, uint32_t id, int64_t *value)
{
    if (!nf_is_number(m, id, value)) return false;
    if (nf_number_width(m, id) == 32) *value = (int32_t)*value;
    return true;
}

static uint32_t without_conversions(const struct nf_module *m, uint32_t id)
{
    for (int i = 0; i < DEEP && m->def[id] >= m->body_at; i++) {
        uint32_t opcode = nf_opcode(m, m->def[id]);
        if (opcode != OpUConvert && opcode != OpSConvert) break;
        id = m->words[m->def[id] + 3];
    }
    return id;
}

/* The phi or the variable that is the counter of which `id` is the value, and what was added to it: 0 if it is none. */
static uint32_t counter_of(const struct nf_module *m, uint32_t id, int64_t *added)
{
    uint32_t at = m->def[id = without_conversions(m, id)];
    *added = 0;
    if (at >= m->body_at && (nf_opcode(m, at) == OpIAdd || nf_opcode(m, at) == OpISub) &&
        is_signed_number(m, m->words[at + 4], added)) {
        if (nf_opcode(m, at) == OpISub) *added = -*added;
        at = m->def[id = without_conversions(m, m->words[at + 3])];
    }
    bool loads = at >= m->body_at && nf_opcode(m, at) == OpLoad;
    if (loads && nf_is_own_variable(m, m->words[at + 3])) return m->words[at + 3];
    return at >= m->body_at && nf_opcode(m, at) == OpPhi ? id : 0;
}

/* One value that the counter is given. @return false: it is neither where it begins nor a step. */
static bool take_value(const struct nf_module *m, struct counter *k, uint32_t counter, uint32_t value, int *values)
{
    int64_t number;
    if (is_signed_number(m, value, &number)) {
        k->from = number;
        return ++values[0] == 1;
    }
    if (counter_of(m, value, &number) != counter || !number) return false;
    k->step = number;
    return ++values[1] == 1;
}

static bool take_values(const struct bounds *b, struct counter *k, uint32_t counter)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[counter];
    int values[2] = {0, 0};
    if (nf_opcode(m, at) == OpPhi) {
        for (uint32_t word = 3; word < nf_length(m, at); word += 2)
            if (!take_value(m, k, counter, m->words[at + word], values)) return false;
        return values[0] && values[1];
    }
    if (b->c->stored[counter] == NF_KEPT_MORE) return false;
    for (at = b->f->body; at < b->f->end; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpStore && m->words[at + 1] == counter &&
            !take_value(m, k, counter, m->words[at + 2], values))
            return false;
    return values[0] && values[1];
}

static bool holds(uint32_t opcode, int64_t a, int64_t b)
{
    switch (opcode) {
    case OpULessThan: return (uint64_t)a < (uint64_t)b;
    case OpULessThanEqual: return (uint64_t)a <= (uint64_t)b;
    case OpUGreaterThan: return (uint64_t)a > (uint64_t)b;
    case OpUGreaterThanEqual: return (uint64_t)a >= (uint64_t)b;
    case OpSLessThan: return a < b;
    case OpSLessThanEqual: return a <= b;
    case OpSGreaterThan: return a > b;
    case OpSGreaterThanEqual: return a >= b;
    case OpINotEqual: return a != b;
    case OpIEqual: return a == b;
    default: return true;
    }
}

/* A number, or the largest of those that all calls of the function here pass. */
static bool most_passed(const struct bounds *b, uint32_t id, int64_t *most)
{
    const struct nf_module *m = b->c->m;
    uint32_t parameter = m->def[id = nf_kept(b->c, without_conversions(m, id))];
    int64_t number;
    bool any = false;
    if (is_signed_number(m, id, most)) return true;
    if (nf_opcode(m, parameter) != OpFunctionParameter || b->f->address_taken) return false;
    uint32_t index = 4 + nf_parameter_index(m, b->f, parameter);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionCall || m->words[at + 3] != b->f->id) continue;
        if (index >= nf_length(m, at) || !is_signed_number(m, m->words[at + index], &number)) return false;
        if (!any || number > *most) *most = number;
        any = true;
    }
    return any;
}

/* An exit of a loop: its branch, and is it taken before anything else of a round? */
struct way_out {
    uint32_t branch;
    bool early;
};

/* How often the loop goes around at the most before it is left there, ALL: more often, or nobody knows; its counter, and how
 * large that is in the loop. */
static uint32_t rounds_to(const struct bounds *b, struct loop loop, struct way_out out, uint32_t *counter,
                          int64_t *largest)
{
    const struct nf_module *m = b->c->m;
    uint32_t test = m->def[m->words[out.branch + 1]];
    int64_t bound, added;
    struct counter k = {0};
    if (test < m->body_at || nf_operand_count(m, test) != 2) return ALL;
    if (!most_passed(b, nf_operand(m, test, 1), &bound)) return ALL;
    *counter = counter_of(m, nf_operand(m, test, 0), &added);
    if (!*counter || !take_values(b, &k, *counter)) return ALL;
    bool goes_on = is_in(loop, m->def[m->words[out.branch + 2]]);
    uint32_t count = 0;
    *largest = 0;
    for (int64_t value = k.from; count < ALL; value += k.step, count++) {
        bool more = holds(nf_opcode(m, test), value + added, bound) == goes_on;
        if (value > *largest && (more || !out.early)) *largest = value;
        if (!more) return out.early ? count : count + 1;
    }
    return ALL;
}

static bool is_in_first_block(const struct nf_module *m, struct loop loop, uint32_t at)
{
    for (uint32_t next = nf_next(m, loop.begin); next < at; next = nf_next(m, next))
        if (nf_opcode(m, next) == OpLabel) return false;
    return at < loop.end;
}

/* The fewest that one of the loop's exits allows. */
static uint32_t rounds(const struct bounds *b, struct loop loop, uint32_t *counter, int64_t *largest)
{
    const struct nf_module *m = b->c->m;
    uint32_t fewest = ALL;
    for (uint32_t at = loop.begin; at <= loop.end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpBranchConditional) continue;
        if (is_in(loop, m->def[m->words[at + 2]]) == is_in(loop, m->def[m->words[at + 3]])) continue;
        uint32_t of = 0;
        int64_t most = 0;
        uint32_t count = rounds_to(b, loop, (struct way_out){at, is_in_first_block(m, loop, at)}, &of, &most);
        if (count >= fewest) continue;
        fewest = count;
        *counter = of;
        *largest = most;
    }
    return fewest;
}

/* ---- Bits ---- */

static uint32_t bits(struct bounds *b, uint32_t id, int depth);

/* How large a number can be by which something is shifted up: a multiple of the loop's counter. */
static uint32_t most_of(struct bounds *b, uint32_t id, uint32_t counter, int64_t largest, int depth)
{
    const struct nf_module *m = b->c->m;
    int64_t number;
    if (nf_is_number(m, id, &number)) return number >= 0 && number < ALL ? (uint32_t)number : ALL;
    uint32_t at = m->def[id = without_conversions(m, id)];
    if (at < m->body_at || depth > DEEP) return ALL;
    uint32_t opcode = nf_opcode(m, at);
    if (id == counter || (opcode == OpLoad && m->words[at + 3] == counter))
        return largest >= 0 && largest < ALL ? (uint32_t)largest : ALL;
    bool adds = opcode == OpIAdd || opcode == OpBitwiseOr;
    if (!adds && opcode != OpIMul && opcode != OpShiftLeftLogical && opcode != OpBitwiseAnd) return ALL;
    uint32_t x = most_of(b, m->words[at + 3], counter, largest, depth + 1),
             y = most_of(b, m->words[at + 4], counter, largest, depth + 1);
    if (opcode == OpBitwiseAnd) return smaller(x, y);
    if (x == ALL || y == ALL) return ALL;
    return smaller(ALL, opcode == OpIMul ? x * y : opcode == OpShiftLeftLogical ? x << smaller(y, 8) : x + y);
}

/* What a number that grows has more after one time around than before; and the bits that are put in, at the end of it. */
struct growth {
    uint32_t more, most;
    uint32_t counter;
    int64_t largest;
};

static bool is_grown(const struct bounds *b, uint32_t id)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[id];
    return id == b->grown || (at >= m->body_at && nf_opcode(m, at) == OpLoad && m->words[at + 3] == b->grown);
}

/* Is the number made of what grows, in the same expression? */
static bool has_grown(const struct bounds *b, uint32_t id, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[id];
    if (is_grown(b, id)) return true;
    if (at < m->body_at || depth > DEEP || nf_opcode(m, at) == OpLoad || nf_opcode(m, at) == OpPhi) return false;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (has_grown(b, m->words[at + ids.at], depth + 1)) return true;
    return false;
}

static void grow(struct bounds *b, uint32_t id, struct growth *g, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[id], x, y, width, later = g->more; /* it is shifted so far by what was looked at already */
    int64_t by;
    if (is_grown(b, id)) return;
    if (depth > DEEP) {
        g->more = ALL;
        return;
    }
    switch (nf_opcode(m, at)) {
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpIAdd:
        x = m->words[at + 3], y = m->words[at + 4];
        if (!has_grown(b, x, 0)) x = y, y = m->words[at + 3];
        if (has_grown(b, y, 0)) break;
        grow(b, x, g, depth + 1);
        at = m->def[y];
        /* Its place may be known by the loop's counter. */
        if (at >= m->body_at && nf_opcode(m, at) == OpShiftLeftLogical && !nf_is_number(m, m->words[at + 4], &by))
            width = bits(b, m->words[at + 3], depth + 1) + most_of(b, m->words[at + 4], g->counter, g->largest, 0);
        else
            width = bits(b, y, depth + 1);
        g->most = larger(g->most, later + width);
        return;
    case OpSelect:
        grow(b, m->words[at + 4], g, depth + 1);
        grow(b, m->words[at + 5], g, depth + 1);
        return;
    case OpShiftLeftLogical:
        if (!nf_is_number(m, m->words[at + 4], &by) || by < 0 || by > ALL) break;
        g->more += (uint32_t)by;
        grow(b, m->words[at + 3], g, depth + 1);
        return;
    case OpIMul:
        if (!nf_is_number(m, m->words[at + 4], &by) || by <= 0) break;
        g->more += nf_log2((uint64_t)by) + ((by & (by - 1)) != 0);
        grow(b, m->words[at + 3], g, depth + 1);
        return;
    default: break;
    }
    g->more = ALL;
}

/* Of what is `id` at the end of a loop's round, and was `grown` at its beginning: it had `first` bits before the loop, which
 * is left at `outside`. */
static uint32_t bits_grown(struct bounds *b, uint32_t grown, uint32_t id, uint32_t at, uint32_t outside, uint32_t first)
{
    struct growth g = {0};
    uint32_t before = b->grown, all = ALL;
    find_loops(b);
    struct loop loop = loop_between(b, at, outside);
    if (!loop.end || b->unknown) return ALL;
    uint32_t count = rounds(b, loop, &g.counter, &g.largest);
    b->grown = grown;
    if (has_grown(b, id, 0)) {
        grow(b, id, &g, 0);
        if (count && (!g.more || count < ALL) && g.more < ALL)
            all = larger(first + g.more * count, g.most + g.more * (count - 1));
    }
    b->grown = before;
    return smaller(all, ALL);
}

static bool is_scanned(struct bounds *b)
{
    return b->c->scans++ >= MOST_SCANS;
}

/* All that is stored in a variable of the function's own. */
static uint32_t bits_kept(struct bounds *b, uint32_t variable, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t most = 0, before = b->grown, begin = 0;
    if (variable == before || b->c->stored[variable] == NF_KEPT_MORE || is_scanned(b)) return ALL;
    for (uint32_t at = b->f->body; at < b->f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpStore || m->words[at + 1] != variable) continue;
        uint32_t value = m->words[at + 2];
        b->grown = variable;
        bool grows = has_grown(b, value, 0);
        b->grown = before;
        if (grows && !begin) return ALL;
        most = grows ? bits_grown(b, variable, value, at, begin, most) : larger(most, bits(b, value, depth + 1));
        if (!grows) begin = at;
        if (most >= ALL) return ALL;
    }
    return most;
}

/* Is the phi one of a loop's that gives it the value again? Compilers put blocks that leave a loop before it, too. */
static bool comes_round(struct bounds *b, uint32_t phi, uint32_t at, uint32_t value)
{
    uint32_t before = b->grown;
    if (b->c->m->def[value] < at) return false;
    b->grown = phi;
    bool round = has_grown(b, value, 0);
    b->grown = before;
    return round;
}

static uint32_t bits_met(struct bounds *b, uint32_t at, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t most = 0, id = nf_result_id(m, at), before = b->grown, outside = at;
    if (id == before || nf_length(m, at) > LONG || is_scanned(b)) return ALL;
    for (int grown = 0; grown < 2; grown++) {
        for (uint32_t word = 3; word < nf_length(m, at); word += 2) {
            uint32_t value = m->words[at + word], from = m->def[m->words[at + word + 1]];
            if (comes_round(b, id, at, value) != grown) continue;
            most = grown ? bits_grown(b, id, value, at, outside, most) : larger(most, bits(b, value, depth + 1));
            if (!grown) outside = from;
        }
    }
    return smaller(most, ALL);
}

/* Is it a vector of two halves the upper one of which is 0, in a variable perhaps? */
static bool ends_with_zero(struct bounds *b, uint32_t id, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[id], last;
    const struct nf_type *type = nf_type_of(m, id);
    if (type->kind != NF_KIND_VECTOR || type->count != 2 || type->size != 8 || depth > DEEP) return false;
    switch (nf_opcode(m, at)) {
    case OpConstantNull: return true;
    case OpConstantComposite:
    case OpCompositeConstruct: return nf_length(m, at) == 5 && nf_is_zero(m, m->words[at + 4]);
    case OpCompositeInsert:
        last = m->words[at + 5];
        return last == 1 ? nf_is_zero(m, m->words[at + 3]) : ends_with_zero(b, m->words[at + 4], depth + 1);
    case OpLoad:
        if (!nf_is_own_variable(m, m->words[at + 3])) return false;
        id = b->c->stored[m->words[at + 3]];
        return id && id < NF_KEPT_SEVERAL && ends_with_zero(b, id, depth + 1);
    default: return false;
    }
}

static uint32_t bits_returned(struct bounds *b, uint32_t call, int depth)
{
    const struct nf_module *m = b->c->m;
    const struct nf_function *f = &m->functions[m->index_of[m->words[call + 3]]];
    struct bounds callee = {.c = b->c, .f = f};
    uint32_t most = 0;
    if (!f->body || f == b->f || is_scanned(b)) return ALL;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpReturnValue) most = larger(most, bits(&callee, m->words[at + 1], depth + 1));
    return most;
}

static uint32_t bits_of_two(struct bounds *b, uint32_t at, uint32_t width, int depth)
{
    const struct nf_module *m = b->c->m;
    int64_t by;
    uint32_t x = bits(b, m->words[at + 3], depth + 1), opcode = nf_opcode(m, at);
    if (opcode == OpShiftLeftLogical || opcode == OpShiftRightLogical) {
        if (!nf_is_number(m, m->words[at + 4], &by) || by < 0 || by > ALL)
            return opcode == OpShiftLeftLogical ? width : x;
        return opcode == OpShiftLeftLogical ? smaller(width, x + (uint32_t)by) : x > by ? x - (uint32_t)by : 0;
    }
    uint32_t y = bits(b, m->words[at + 4], depth + 1);
    if (opcode == OpBitwiseAnd) return smaller(x, y);
    return smaller(width, larger(x, y) + (opcode == OpIAdd));
}

/* The phi that the result of the expression is for another time around its loop, or 0. */
static uint32_t phi_of(const struct bounds *b, uint32_t id, uint32_t result, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[id], found = 0;
    if (at < m->body_at || depth > DEEP / 2) return 0;
    if (nf_opcode(m, at) == OpPhi) {
        for (uint32_t word = 3; word < nf_length(m, at) && !found; word += 2)
            if (m->words[at + word] == result) found = id;
        return found;
    }
    struct nf_ids ids = nf_ids_at(m, at);
    while (!found && nf_ids_next(&ids))
        found = phi_of(b, m->words[at + ids.at], result, depth + 1);
    return found;
}

static uint32_t bits(struct bounds *b, uint32_t id, int depth)
{
    const struct nf_module *m = b->c->m;
    uint32_t at = m->def[id], known = nf_bits_of(m, id), width = nf_number_width(m, id), phi;
    if (at < m->body_at || depth > DEEP || known < width) return known;
    if (width == ALL && (phi = phi_of(b, id, id, 0)) != 0 && phi != b->grown) return bits_met(b, m->def[phi], depth);
    switch (nf_opcode(m, at)) {
    case OpLoad:
        return nf_is_own_variable(m, m->words[at + 3]) ? smaller(known, bits_kept(b, m->words[at + 3], depth)) : known;
    case OpPhi: return smaller(known, bits_met(b, at, depth));
    case OpSelect: return larger(bits(b, m->words[at + 4], depth + 1), bits(b, m->words[at + 5], depth + 1));
    case OpUConvert: return smaller(known, bits(b, m->words[at + 3], depth + 1));
    case OpBitcast: return ends_with_zero(b, m->words[at + 3], 0) ? ALL / 2 : known;
    case OpFunctionCall: return smaller(known, bits_returned(b, at, depth));
    case OpBitwiseAnd:
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpIAdd:
    case OpShiftLeftLogical:
    case OpShiftRightLogical: return bits_of_two(b, at, width, depth);
    default: return known;
    }
}

bool nf_cannot_have_tag(struct nf_constrainer *c, uint32_t id)
{
    struct bounds b = {.c = c, .f = c->f};
    if (c->scans++ >= MOST_SCANS) return false;
    if (c->m->address_bits == 32 || nf_number_width(c->m, id) != 64 || c->m->def[id] < c->m->body_at) return false;
    return bits(&b, id, 0) <= NF_TAG_AT;
}
