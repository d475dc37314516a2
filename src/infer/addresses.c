/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - instructions that compute addresses: casts, selects, integer arithmetic. Access chains are in chains.c.
 *
 *     %n = OpIAdd %bits %eight                     n is bits, 8 bytes on
 *     %n = OpIAdd %bits %other                     n may be either, anywhere
 *
 * The hard case is an integer: the sum of two that carry addresses carries both sets (host + local is ambiguous, not
 * local), the difference of two addresses in one object carries none, and a mask may take a tag away.
 */
#include "infer/parts.h"

static struct nf_value merged(struct nf_constrainer *c, const struct nf_type *type, const uint32_t *ids, uint32_t count)
{
    struct nf_module *m = c->m;
    struct nf_value values[2] = {nf_value_of(c, ids[0]), nf_value_of(c, ids[count - 1])};
    if (!values[0].node && !values[1].node) return nf_nothing;
    if (type->aggregate) {
        struct nf_value content = nf_fresh_content(m);
        for (uint32_t i = 0; i < count; i++)
            nf_flow_value(m, type, values[i], content);
        return content;
    }
    bool concrete = nf_is_concrete_pointer(type);
    struct nf_value result = nf_of_node(nf_node(m, concrete ? nf_space_of(m, type) : 0));
    nf_meet(m, values, count, result, !concrete);
    return result;
}

/* Are only bits set in the integer that stand above all of an address? */
static bool is_above_addresses(const struct nf_module *m, uint32_t id)
{
    enum { ADDRESS_BITS = 48 };
    uint32_t at = m->def[id];
    int64_t value;
    if (nf_constant(m, id, &value)) return !((uint64_t)value & (((uint64_t)1 << ADDRESS_BITS) - 1));
    if (at < m->body_at || nf_operand_count(m, at) < 2 || !nf_constant(m, nf_operand(m, at, 1), &value)) return false;
    if (nf_opcode(m, at) == OpShiftLeftLogical) return value >= ADDRESS_BITS;
    return nf_opcode(m, at) == OpBitwiseAnd && is_above_addresses(m, nf_operand(m, at, 1));
}

/* Which operand of the instruction only sets bits beside an address, a count or a kind: its word, 0 for none. */
static uint32_t operand_above(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode != OpBitwiseOr && opcode != OpBitwiseXor && opcode != OpIAdd && opcode != OpISub) return 0;
    if (is_above_addresses(m, m->words[at + 4])) return 4;
    return opcode != OpISub && is_above_addresses(m, m->words[at + 3]) ? 3 : 0;
}

/* What points where its low bits do. */
static struct nf_value beside(struct nf_constrainer *c, uint32_t at, uint32_t above)
{
    struct nf_value low = nf_value_of(c, c->m->words[at + 7 - above]), high = nf_value_of(c, c->m->words[at + above]);
    if (!high.node) return low;
    struct nf_value result = nf_of_node(nf_node(c->m, 0));
    nf_edge(c->m, high.node, result.node, 0);
    nf_flow(c->m, low, result);
    return result;
}

/* Any bits of any operand, at any distance from where they pointed. */
struct nf_value nf_joined(struct nf_constrainer *c, uint32_t at, bool keep_place, uint32_t filters)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    struct nf_value result = nf_nothing, only = nf_nothing;
    uint32_t carriers = 0, opcode = nf_opcode(m, at), above = operand_above(m, at);
    if (above) return beside(c, at, above);
    /* How far something is shifted is in none of its bits. */
    bool shifts = opcode == OpShiftLeftLogical || opcode == OpShiftRightLogical || opcode == OpShiftRightArithmetic;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        if (walk.kind != NF_OPERAND_ID || (shifts && walk.at != 3)) continue;
        uint32_t id = m->words[at + walk.at];
        struct nf_value v = nf_flat(m, nf_type_of(m, id), nf_value_of(c, id));
        if (!v.node) continue;
        if (carriers++ == 0) {
            only = v;
            continue;
        }
        if (!result.node) {
            result = nf_of_node(nf_node(m, 0));
            nf_flow(m, only, result);
            if (filters) nf_edge(m, only.node, result.node, filters);
        }
        nf_flow(m, v, result);
        if (filters) nf_edge(m, v.node, result.node, filters);
    }
    if (carriers == 1 && filters) {
        result = nf_of_node(nf_node(m, 0));
        nf_edge(m, only.node, result.node, filters);
        nf_unify(m, only, result);
    } else if (carriers == 1) {
        result = only;
    }
    if (result.node && !keep_place) nf_spread(m, result, 1, 0, 0);
    return carriers ? nf_unflat(m, type, result) : nf_nothing;
}

struct nf_value nf_added(struct nf_constrainer *c, uint32_t at, bool subtract)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    int64_t value;
    if (type->kind != NF_KIND_INT || (a.node && b.node) || operand_above(m, at)) return nf_joined(c, at, false, 0);
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    if (!a.node && !b.node) return nf_nothing;
    if (subtract && !a.node) return nf_joined(c, at, false, 0);
    struct nf_value v = a.node ? a : b;
    if (nf_constant(m, other, &value) && value >= -NF_MAX_OFFSET && value <= NF_MAX_OFFSET)
        return nf_moved(v, subtract ? -value : value);
    uint32_t multiple = nf_multiple_of(m, other, 0);
    nf_spread(m, v, multiple > 1 && multiple < 65536 ? multiple : 1, 0, 0);
    return v;
}

/* The variable, parameter or load that an integer's address came from, when casts and additions alone lead to it. */
static uint32_t address_root(const struct nf_module *m, uint32_t id)
{
    for (int steps = 0; steps < 32; steps++) {
        uint32_t at = m->def[id];
        switch (nf_role_at(m, at)) {
        case NF_ROLE_to_integer:
        case NF_ROLE_to_pointer:
        case NF_ROLE_cast:
        case NF_ROLE_bitcast:
        case NF_ROLE_copy: id = nf_operand(m, at, 0); break;
        case NF_ROLE_chain:
            if (nf_opcode(m, at) >= OpUntypedAccessChainKHR) return id;
            id = nf_operand(m, at, 0);
            break;
        default: return id;
        }
    }
    return id;
}

struct nf_value nf_subtracted(struct nf_constrainer *c, uint32_t at)
{
    /* The distance of two addresses in one object is a number. */
    if (nf_operand_value(c, at, 0).node && nf_operand_value(c, at, 1).node &&
        address_root(c->m, nf_operand(c->m, at, 0)) == address_root(c->m, nf_operand(c->m, at, 1)))
        return nf_nothing;
    return nf_added(c, at, true);
}

struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_operand(m, at, 0);
    struct nf_value v = nf_flat(m, nf_type_of(m, id), nf_value_of(c, id));
    if (type->storage != NF_STORAGE_GENERIC || type->kind != NF_KIND_POINTER)
        return nf_typed(m, type, nf_unflat(m, type, v));
    if (!v.node && nf_is_zero(m, id)) return nf_nothing;
    struct nf_value pointer = nf_of_node(nf_node(m, NF_HOLE));
    nf_flow(m, v, pointer);
    return pointer;
}

struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    const struct nf_type *from = nf_operand_type(c, at, 0);
    if (type->kind == NF_KIND_POINTER && from->kind != NF_KIND_POINTER) return nf_to_pointer(c, at, type);
    return nf_typed(c->m, type, nf_reshaped(c->m, from, type, nf_operand_value(c, at, 0)));
}

struct nf_value nf_selected(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!nf_may_carry(type)) return nf_nothing;
    uint32_t condition = nf_opcode(m, m->def[m->words[at + 3]]);
    if (condition == OpConstantTrue) return nf_typed(m, type, nf_operand_value(c, at, 1));
    if (condition == OpConstantFalse) return nf_typed(m, type, nf_operand_value(c, at, 2));
    return merged(c, type, m->words + at + 4, 2);
}

/* ---- Masks ---- */

enum { PUT_ELSEWHERE = 255 };

/* The bit at which `other`, an operand of an OpBitwiseOr, begins: the amount that it was shifted by, or 0. */
static uint8_t begin_of(const struct nf_module *m, uint32_t other)
{
    uint32_t at = m->def[other];
    int64_t amount;
    if (at < m->body_at || nf_opcode(m, at) != OpShiftLeftLogical) return 0;
    return nf_constant(m, nf_operand(m, at, 1), &amount) && amount > 0 && amount < 64 ? (uint8_t)amount : 0;
}

static void note_use(struct nf_constrainer *c, uint32_t at, uint32_t operand)
{
    const struct nf_module *m = c->m;
    uint32_t id = m->words[at + operand];
    c->use_count[id] += c->use_count[id] < UINT8_MAX;
    bool joins = nf_opcode(m, at) == OpBitwiseOr && (operand == 3 || operand == 4);
    uint8_t begin = joins ? begin_of(m, m->words[at + 7 - operand]) : 0;
    c->put_back[id] = begin && (!c->put_back[id] || c->put_back[id] == begin) ? begin : PUT_ELSEWHERE;
}

static void note_uses(struct nf_constrainer *c)
{
    struct nf_module *m = c->m;
    c->put_back = NF_NEW(m->arena, uint8_t, m->bound);
    c->use_count = NF_NEW(m->arena, uint8_t, m->bound);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk))
            if (walk.kind == NF_OPERAND_ID) note_use(c, at, walk.at);
    }
}

/* Are the bits that the mask takes off put back from elsewhere, wherever the result is used? So compilers copy a
 * pointer of which they have one byte apart from the others. */
static bool is_put_back(struct nf_constrainer *c, uint32_t at, uint64_t mask)
{
    if (mask & (mask + 1)) return false;
    if (!c->put_back) note_uses(c);
    uint8_t begin = c->put_back[nf_result_id(c->m, at)];
    return begin && begin != PUT_ELSEWHERE && mask >> begin == 0 && mask >> (begin - 1) == 1;
}

#define ADDRESS_MASK 0xff00000000u

/* Masking an address to its low bits takes the tag off that it may have in memory; what it points to stays. Where
 * the top bits are masked too, and the two halves ORed back together, it is like any pointer that was split in
 * words: whole, with its tag. */
struct nf_value nf_masked(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    int64_t a, b;
    bool first = nf_constant(m, nf_operand(m, at, 0), &a), second = nf_constant(m, nf_operand(m, at, 1), &b);
    uint64_t mask = (uint64_t)(first ? a : second ? b : -1);
    /* No device has all of its memory below 2^40: a smaller mask is one of a number that shares a word with addresses. */
    bool keeps_address = (~mask & ADDRESS_MASK) == 0 && mask >> NF_TAG_AT != 15;
    bool keeps_tag = (first || second) && mask >> NF_TAG_AT == 15;
    bool loses = keeps_address && !is_put_back(c, at, mask);
    return nf_joined(c, at, keeps_address, loses ? NF_EDGE_LOSE : keeps_tag ? 0 : NF_EDGE_SHED);
}

/* ---- Shifts ---- */

/* How many low bits of the integer `id` may be set. */
static uint32_t bits_of(const struct nf_module *m, uint32_t id, int depth)
{
    uint32_t at = m->def[id], width = nf_width_of(m, nf_type_of(m, id)), from;
    int64_t value;
    if (nf_constant(m, id, &value))
        return value < 0 ? width : value ? 64 - (uint32_t)__builtin_clzll((uint64_t)value) : 0;
    if (depth > 4 || at < m->body_at) return width;
    switch (nf_opcode(m, at)) {
    case OpUConvert: from = bits_of(m, m->words[at + 3], depth + 1); return from < width ? from : width;
    case OpShiftRightLogical:
        from = bits_of(m, m->words[at + 3], depth + 1);
        if (!nf_constant(m, m->words[at + 4], &value) || value < 0 || value > 64) return from;
        return from > value ? from - (uint32_t)value : 0;
    case OpUDiv:
        from = bits_of(m, m->words[at + 3], depth + 1);
        if (!nf_constant(m, m->words[at + 4], &value) || value <= 0) return from;
        value = 63 - __builtin_clzll((uint64_t)value);
        return from > value ? from - (uint32_t)value : 0;
    case OpBitwiseAnd: {
        uint32_t a = bits_of(m, m->words[at + 3], depth + 1), b = bits_of(m, m->words[at + 4], depth + 1);
        return a < b ? a : b;
    }
    default: return width;
    }
}

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
static bool is_made_whole(const struct nf_module *m, uint32_t use, uint32_t id, uint32_t at, uint32_t amount)
{
    uint32_t opcode = nf_opcode(m, use), operand = m->def[nf_operand(m, at, 0)];
    if (opcode != OpBitwiseOr && opcode != OpIAdd && opcode != OpISub && opcode != OpBitwiseXor) return false;
    uint32_t other = m->words[use + (m->words[use + 3] == id ? 4 : 3)], from = m->def[other];
    if (from < m->body_at) return false;
    bool grows = operand >= m->body_at && (nf_opcode(m, operand) == OpPhi || nf_opcode(m, operand) == OpLoad);
    if (grows && nf_opcode(m, from) == OpUConvert && bits_of(m, other, 0) == amount) return true;
    if ((opcode == OpIAdd || opcode == OpISub) && bits_of(m, other, 0) > 32) return true;
    return is_other_half(m, other, at, amount);
}

/* Is that so wherever it is used, not far from here? */
static bool is_filled_up(struct nf_constrainer *c, uint32_t at, uint32_t amount)
{
    enum { FAR = 64 };
    const struct nf_module *m = c->m;
    if (!c->put_back) note_uses(c);
    uint32_t id = nf_result_id(m, at), uses = c->use_count[id], use = nf_next(m, at);
    for (int i = 0; uses && i < FAR && use < c->f->end; i++, use = nf_next(m, use)) {
        struct nf_operands walk = nf_walk(m, use);
        while (nf_operands_next(&walk)) {
            if (walk.kind != NF_OPERAND_ID || m->words[use + walk.at] != id) continue;
            if (!is_made_whole(m, use, id, at, amount)) return false;
            uses--;
        }
    }
    return !uses;
}

/* Up by a number of bits, constant or not: what was a piece of an address may be part of a whole one, and a whole one
 * loses its top bits. What is shifted beyond bit 48 makes no address by itself. */
struct nf_value nf_shifted_up(struct nf_constrainer *c, uint32_t at, bool known, uint32_t amount)
{
    const struct nf_module *m = c->m;
    uint32_t bits = bits_of(m, nf_operand(m, at, 0), 0), width = nf_width_of(m, nf_type(m, nf_result_type(m, at)));
    uint32_t filters = NF_EDGE_SHED;
    if (!known || (amount >= 8 && amount < 48)) filters |= NF_EDGE_PROMOTE;
    bool loses = width == 64 && (known ? bits + amount > width : bits > 32) && nf_operand_value(c, at, 0).node;
    /* One bit: the two top bits of the canonical form are the same. */
    if (loses && (!known || (amount > 1 && !is_filled_up(c, at, amount)))) filters |= NF_EDGE_LOSE;
    if (!known || amount < 48) return nf_joined(c, at, false, known && !amount ? 0 : filters);
    struct nf_value from = nf_operand_value(c, at, 0), result = nf_of_node(nf_node(c->m, 0));
    if (from.node) nf_edge(c->m, from.node, result.node, filters);
    return result;
}
