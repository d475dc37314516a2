/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arithmetic.c - integers that carry addresses, and integers that are numbers.
 *
 *     %t = OpBitwiseOr %ulong %p %ulong_1          t carries what p carries
 *     %u = OpIAdd %ulong %t %count                 so does u, any number of bytes on
 *     %h = OpShiftRightLogical %ulong %p %ulong_4  p is exposed, h is a number
 *     %i = OpUConvert %uint %h                     i is a count, and carries nothing
 *
 * An integer as wide as an address is one of four things, and each instruction makes of them what its role says:
 *
 *     constant, count   short, or with no bits below bit 48: the space of an address is in no bit of it
 *     address           the bits 8 to 47 are those of an address: a value with a set, a region and an offset
 *     number            computed: any address that is exposed, or one that the host knows (graph/exposure.c)
 *
 * A *carrier* (add, subtract, mask, combine, choose, and whatever copies) leaves an address what it is: a sum with a
 * count is an address nearby, a mask that keeps all of it is the same address, and of two addresses the result carries
 * both sets. Every other instruction exposes its operands, if any bit of them that says an address is left in its result,
 * and makes a number, or a count if the result is short (bits.c).
 *
 * The hard case is a result in no window, such as a ^ b of a local and a private address: made a pointer and an integer
 * again it must be the same integer. It is marked NF_LOOSE, and such a pointer has a global part, which keeps all bits.
 *
 * needs: the values of the operands, nf_bits.  gives: the value of the result, what is exposed.
 */
#include "infer/internal.h"

/* ---- What the bits of an integer can hold ---- */

/* A number below 2^40 is no address: no window begins below that, and no memory lies below it but some buffers of devices
 * whose addresses are short, which the host would have to send in fewer than 32 bits. */
enum { COUNT_BITS = 40, COUNT_BITS_32 = 24, ADDRESS_LOW = 8, ADDRESS_HIGH = 48 };
/* The bits of an address in which programs keep flags: its alignment leaves them 0, so that they do not move it. */
enum { FLAGS = 15, WORD = 8 };

/* The bits that say an address: those below are its alignment, and what programs keep there; those above are not used. */
static uint64_t address_mask(const struct nf_module *m)
{
    uint32_t high = m->address_bits == 32 ? 32 : ADDRESS_HIGH;
    return ((uint64_t)1 << high) - ((uint64_t)1 << ADDRESS_LOW);
}

static bool is_count(const struct nf_module *m, struct nf_bits bits)
{
    return bits.length <= (m->address_bits == 32 ? COUNT_BITS_32 : COUNT_BITS);
}

/* Are all bits that may be set above those of addresses? */
static bool is_above(const struct nf_module *m, struct nf_bits bits)
{
    return m->address_bits == 64 && bits.zeros >= ADDRESS_HIGH;
}

/* Which bits of the first operand can be seen in the result, or in what depends on it. */
static uint64_t bits_left(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t value = 0;
    bool known = nf_operand_count(m, at) > 1 && nf_is_number(m, nf_operand(m, at, 1), &value) && value >= 0;
    uint32_t width = nf_result_id(m, at) ? nf_number_width(m, nf_result_id(m, at)) : 0;
    uint64_t all = ~(uint64_t)0;
    switch (nf_opcode(m, at)) {
    case OpUConvert:
    case OpSConvert: return width && width < 64 ? ((uint64_t)1 << width) - 1 : all;
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return known && value < 64 ? all << value : all;
    case OpShiftLeftLogical: return known && value < 64 ? all >> value : all;
    case OpUMod: return known && value && !(value & (value - 1)) ? (uint64_t)value - 1 : all;
    case OpBitwiseAnd:
        if (nf_is_number(m, nf_operand(m, at, 0), &value) || nf_is_number(m, nf_operand(m, at, 1), &value))
            return (uint64_t)value;
        return all;
    default: return all;
    }
}

/* ---- Numbers ---- */

void nf_expose_operands(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    if (!(bits_left(c, at) & address_mask(m))) return;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = m->words[at + ids.at];
        nf_expose(m, nf_flat(m, nf_type_of(m, id), nf_value_of(c, id)));
    }
}

/* Does any operand carry something? */
static bool has_carrier(struct nf_constrainer *c, uint32_t at)
{
    struct nf_ids ids = nf_ids_at(c->m, at);
    while (nf_ids_next(&ids))
        if (nf_value_of(c, c->m->words[at + ids.at]).node) return true;
    return false;
}

struct nf_value nf_numeric(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at);
    const struct nf_type *type = nf_type_of(m, id);
    /* Among sums and products of fractions there is an address only if one went in, bit by bit. */
    bool made = nf_carries(m, type) && (nf_scalar_of(m, type)->kind != NF_KIND_FLOAT || has_carrier(c, at));
    nf_expose_operands(c, at);
    bool whole = type->kind == NF_KIND_INT;
    if (!made || (whole && (is_count(m, c->bits[id]) || is_above(m, c->bits[id])))) return nf_nothing;
    return nf_unflat(m, type, nf_make_number(m));
}

/* ---- Carriers ---- */

/* An address with bits that may lead out of its window. */
static struct nf_value loosened(struct nf_module *m, struct nf_value v)
{
    struct nf_value loose = nf_of_node(nf_node(m, NF_LOOSE));
    nf_flow(m, v, loose);
    return loose;
}

/* What is made of two addresses, by a node of that kind. */
static struct nf_value made_of_both(struct nf_module *m, enum nf_node_kind kind, struct nf_value a, struct nf_value b)
{
    uint32_t both = nf_node_of_kind(m, kind);
    struct nf_value result = nf_of_node(nf_node(m, NF_LOOSE));
    nf_edge(m, a.node, both);
    nf_edge(m, b.node, both);
    nf_edge(m, both, result.node);
    nf_unify(m, a, result);
    return result;
}

/* Two addresses as one integer: either may be got from it with the other one. */
static struct nf_value united(struct nf_constrainer *c, struct nf_value a, struct nf_value b)
{
    struct nf_value result = made_of_both(c->m, NF_NODE_UNITED, a, b);
    nf_unify(c->m, b, result);
    nf_spread(c->m, result, 1, 0, 0);
    return result;
}

bool nf_is_near(const struct nf_module *m, struct nf_bits bits)
{
    return bits.length < nf_window_bits(m);
}

/* An address and `other`, which carries nothing: the address, somewhere near where it was. */
static struct nf_value displaced(struct nf_constrainer *c, struct nf_value v, uint32_t other)
{
    struct nf_bits bits = nf_bits_of(c, other);
    if (is_above(c->m, bits)) return loosened(c->m, v);
    uint32_t multiple = nf_multiple_of(c->m, other);
    nf_spread(c->m, v, multiple > 1 && multiple < 65536 ? multiple : 1, 0, 0);
    return nf_is_near(c->m, bits) ? v : loosened(c->m, v);
}

/* Is it an integer as wide as an address? Vectors of such are numbers when anything is computed with them. */
static bool is_word(const struct nf_module *m, uint32_t at)
{
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    return type->kind == NF_KIND_INT && nf_carries(m, type);
}

struct nf_value nf_added(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    bool subtract = nf_role_at(m, at) == NF_ROLE_subtract;
    int64_t value;
    if (!is_word(m, at) || (!a.node && !b.node) || (subtract && !a.node)) return nf_numeric(c, at);
    if (a.node && b.node) return united(c, a, b);
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    bool near = nf_constant(m, other, &value) && nf_is_near(m, nf_bits_of(c, other));
    if (near && value >= -NF_MAX_OFFSET && value <= NF_MAX_OFFSET)
        return nf_moved(a.node ? a : b, subtract ? -value : value);
    return displaced(c, a.node ? a : b, other);
}

/* In one memory the distance of two addresses is a count. Of two memories it is the only thing by which one is found from
 * the other: then it carries both. */
static struct nf_value distance(struct nf_constrainer *c, struct nf_value a, struct nf_value b)
{
    struct nf_module *m = c->m;
    nf_place_of(m, a), nf_place_of(m, b);
    if (nf_place_of(m, a).region != nf_place_of(m, b).region) nf_unify(m, a, b);
    return made_of_both(m, NF_NODE_DISTANCE, a, b);
}

/* The variable, parameter or load that an integer's address came from, when casts and additions alone lead to it. */
static uint32_t address_root(const struct nf_module *m, uint32_t id)
{
    for (uint32_t steps = 0; steps < m->bound; steps++) {
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
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    if (!a.node || !b.node) return nf_added(c, at);
    if (address_root(c->m, nf_operand(c->m, at, 0)) == address_root(c->m, nf_operand(c->m, at, 1))) return nf_nothing;
    return is_word(c->m, at) ? distance(c, a, b) : nf_numeric(c, at);
}

/* Is a mask of which no constant is known all ones above a count, or else zero? So are ~n and -n if n has no sign. */
static bool keeps_window(const struct nf_constrainer *c, uint32_t mask)
{
    uint32_t at = c->m->def[mask], opcode = nf_opcode(c->m, at);
    if (at < c->m->body_at || (opcode != OpNot && opcode != OpSNegate)) return false;
    struct nf_bits bits = nf_bits_of(c, nf_operand(c->m, at, 0));
    return !bits.sign && nf_is_near(c->m, bits);
}

struct nf_value nf_masked(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    int64_t value;
    if (!is_word(m, at) || (!a.node && !b.node)) return nf_numeric(c, at);
    if (a.node && b.node) return united(c, a, b);
    struct nf_value v = a.node ? a : b;
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    if (!nf_is_number(m, other, &value)) {
        nf_spread(m, v, 1, 0, 0); /* an alignment, or what takes a count off */
        return keeps_window(c, other) ? v : loosened(m, v);
    }
    /* What is left of the middle of an address is all of it, or a number. */
    uint64_t middle = address_mask(m) & (((uint64_t)1 << 40) - 1) & ~(uint64_t)0xffff, low = (uint64_t)value & 0xffff;
    if (((uint64_t)value & middle) != middle) return nf_numeric(c, at);
    if ((low | FLAGS) != 0xffff) nf_spread(m, v, WORD, 0, 0); /* the beginning of what the address lies in */
    uint64_t window = address_mask(m) & ~(((uint64_t)1 << (nf_window_bits(m) - 1)) - 1);
    return ((uint64_t)value & window) == window ? v : loosened(m, v);
}

struct nf_value nf_combined(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    if (!is_word(m, at) || (!a.node && !b.node)) return nf_numeric(c, at);
    if (a.node && b.node) return united(c, a, b);
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    struct nf_bits bits = nf_bits_of(c, other);
    struct nf_value v = a.node ? a : b;
    if (!bits.sign && ((uint64_t)1 << bits.length) - 1 <= FLAGS) return v;
    v = displaced(c, v, other);
    return bits.sign ? loosened(m, v) : v; /* all bits above the count may be set or flipped */
}

struct nf_value nf_chosen(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    bool moves = type->kind == NF_KIND_INT || type->kind == NF_KIND_POINTER || type->aggregate;
    if (!moves || !nf_carries(m, type)) return nf_numeric(c, at);
    struct nf_value result = nf_nothing;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = m->words[at + ids.at];
        struct nf_value v = nf_flat(m, nf_type_of(m, id), nf_value_of(c, id));
        if (!v.node) continue;
        if (!result.node) result = nf_of_node(nf_node(m, 0));
        nf_flow(m, v, result);
    }
    return result.node ? nf_typed(m, type, nf_unflat(m, type, result)) : nf_nothing;
}

/* ---- Conversions and comparisons ---- */

struct nf_value nf_resized(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *from = nf_operand_type(c, at, 0);
    uint32_t width = nf_number_width(m, nf_result_id(m, at)), before = nf_number_width(m, nf_operand(m, at, 0));
    bool whole = width == before || (width >= ADDRESS_HIGH && before >= ADDRESS_HIGH); /* as bit-fields have them */
    if (!whole) return nf_numeric(c, at);
    return nf_typed(m, type, nf_reshaped(m, from, type, nf_operand_value(c, at, 0)));
}

/* Is the constant one between which and another the spaces of addresses lie? */
static bool is_far_constant(const struct nf_constrainer *c, uint32_t id)
{
    int64_t value;
    return nf_is_number(c->m, id, &value) && !is_count(c->m, nf_bits_of(c, id));
}

/* By whether an address is below this number and that, bit by bit, it can be found again; so can a number that holds one bit of
 * it after the other. That an address equals one constant says nothing else of it, and so does a comparison of two. */
void nf_compared(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    uint32_t opcode = nf_opcode(m, at);
    bool equality = opcode == OpIEqual || opcode == OpINotEqual;
    nf_expose_if_number(m, a.node, b.node, !equality);
    if (equality) return;
    if (!b.node && is_far_constant(c, nf_operand(m, at, 1))) nf_expose(m, a);
    if (!a.node && is_far_constant(c, nf_operand(m, at, 0))) nf_expose(m, b);
}
