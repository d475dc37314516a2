/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - instructions that compute addresses: casts, selects, integer arithmetic. Access chains are in chains.c,
 * what happens to the top bits in tags.c.
 *
 *     %n = OpIAdd %bits %eight                     n is bits, 8 bytes on
 *     %n = OpIAdd %bits %other                     n may be either, anywhere
 *
 * The hard case is an integer: the sum of two that carry addresses carries both sets (host + local is ambiguous, not
 * local), the difference of two addresses in one object carries none.
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

struct nf_value nf_added(struct nf_constrainer *c, uint32_t at, bool subtract)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    int64_t value;
    if (type->kind != NF_KIND_INT || (a.node && b.node) || nf_operand_above(m, at)) return nf_joined(c, at, false, 0);
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    if (!a.node && !b.node) return nf_nothing;
    if (subtract && !a.node) return nf_joined(c, at, false, 0);
    struct nf_value v = a.node ? a : b;
    if (nf_constant(m, other, &value) && value >= -NF_MAX_OFFSET && value <= NF_MAX_OFFSET)
        return nf_moved(v, subtract ? -value : value);
    uint32_t multiple = nf_multiple_of(m, other);
    if (!nf_stays_narrow(c, at)) nf_spread(m, v, multiple > 1 && multiple < 65536 ? multiple : 1, 0, 0);
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
    /* The distance of two addresses in one object is a number; of others, if nobody makes an address of it. */
    bool distance = nf_operand_value(c, at, 0).node && nf_operand_value(c, at, 1).node;
    if (distance && address_root(c->m, nf_operand(c->m, at, 0)) == address_root(c->m, nf_operand(c->m, at, 1)))
        return nf_nothing;
    if (distance) c->distances_in = c->f;
    return nf_added(c, at, true);
}

/* Is the number no longer than half an address, or is that all of it but a constant above addresses? */
static bool is_half_at_most(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id], half = m->address_bits / 2;
    if (nf_bits_of(m, id) <= half) return true;
    uint32_t above = at < m->body_at ? 0 : nf_operand_above(m, at);
    if (!above || !nf_is_number(m, m->words[at + above], &(int64_t){0})) return false;
    uint32_t rest = m->words[at + 7 - above], from = m->def[rest];
    bool widened = from >= m->body_at && nf_opcode(m, from) == OpSConvert;
    return nf_bits_of(m, widened ? m->words[from + 3] : rest) <= half;
}

struct nf_value nf_to_pointer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_operand(m, at, 0);
    struct nf_value v = nf_flat(m, nf_type_of(m, id), nf_value_of(c, id));
    if (type->storage != NF_STORAGE_GENERIC || type->kind != NF_KIND_POINTER)
        return nf_typed(m, type, nf_unflat(m, type, v));
    if (!v.node && nf_is_zero(m, id)) return nf_nothing;
    if (!v.node && m->def[id] < m->body_at) return nf_number_pointer(m);
    /* Half an address at the most is none of the host's, and no hole that digits of the host's could fill. */
    bool small = v.node && is_half_at_most(m, id);
    struct nf_value pointer = nf_of_node(nf_node(m, small ? NF_FEW : NF_HOLE));
    nf_flow(m, v, pointer);
    if (v.node && (nf_has_no_tag(m, id) || nf_cannot_have_tag(c, id))) nf_lose_tag(c, at, v, pointer);
    return pointer;
}

struct nf_value nf_bitcast(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    const struct nf_type *from = nf_operand_type(c, at, 0);
    if (type->kind == NF_KIND_POINTER && from->kind != NF_KIND_POINTER) return nf_to_pointer(c, at, type);
    return nf_typed(c->m, type, nf_reshaped(c->m, from, type, nf_operand_value(c, at, 0)));
}

/* A number with a fraction can be an address, in 53 bits. */
struct nf_value nf_converted_number(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    const struct nf_type *from = nf_operand_type(c, at, 0);
    uint64_t count = type->kind == NF_KIND_VECTOR ? type->count : 1;
    if (type->size < 8 * count || from->size < 8 * count) return nf_nothing;
    return nf_joined(c, at, false, NF_EDGE_SHED | NF_EDGE_LOSE);
}

/* A sum of it is one too; but nearly all sums of numbers with a fraction are never an integer again, and none of those
 * was one before. */
struct nf_value nf_computed_fraction(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    uint64_t count = type->kind == NF_KIND_VECTOR ? type->count : 1;
    if (!nf_returns_fractions(c->m) || type->size < 8 * count) return nf_nothing;
    return nf_joined(c, at, false, NF_EDGE_SHED | NF_EDGE_LOSE);
}

/* To more bits or fewer. What was no wider than half an address is a piece of one, or a number that somebody counted. */
struct nf_value nf_resized(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    const struct nf_module *m = c->m;
    const struct nf_type *from = nf_operand_type(c, at, 0);
    uint32_t width = nf_number_width(m, nf_result_id(m, at)), before = nf_number_width(m, nf_operand(m, at, 0));
    struct nf_value end = width < before ? nf_end_of_word(c, at) : nf_nothing;
    if (end.node) return end;
    if (width < before) return nf_joined(c, at, true, width > 32 ? NF_EDGE_LOSE : NF_EDGE_SHED);
    bool widens = width > before && 2 * before <= m->address_bits;
    if (widens) return nf_joined(c, at, true, NF_EDGE_SHED | NF_EDGE_NARROW);
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
