/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arithmetic.c - arithmetic on integers that carry addresses, and on numbers (docs/inference.md has the rules).
 *
 *     %t = OpBitwiseOr %ulong %p %ulong_1          t carries the address of p
 *     %u = OpIAdd %ulong %t %count                 u carries it at an unknown distance
 *     %h = OpShiftRightLogical %ulong %p %ulong_4  p is exposed, h is a number
 *     %i = OpUConvert %uint %h                     i is a count, and carries nothing
 *
 * *Carriers* (copies, and the roles add, subtract, mask, combine, choose and order on single words) preserve
 * provenance, but constant masks that clear bits in the middle of an address, and x - p, do not. Other arithmetic
 * exposes its operands if a bit that identifies the space of an address reaches its result; nf_compared() decides for
 * comparisons. The result is a count if it is short (known_bits.c), else a *number*: any exposed address.
 *
 * The hard case is a result outside of all windows, such as a ^ b of a local and a private address: a conversion to a
 * pointer and back must return the same integer. Such a result is NF_LOOSE, so its pointer has a global part.
 *
 * needs: the values of the operands, and nf_bits.  gives: the value of the result, and exposed addresses.
 */
#include "infer/internal.h"

/* ---- The bits of counts and addresses ---- */

/* The lowest bit of an address that helps to identify its space: lower bits tell nothing about it. */
enum { ADDRESS_LOW = 8 };
/* Returns a mask of the bits of an address in which programs store flags: word alignment makes them 0. */
static uint32_t flags_of(const struct nf_module *m)
{
    return nf_word_size(m) - 1;
}

/* Returns the bits that identify the space of an address. The bits above them are unused. */
static uint64_t address_mask(const struct nf_module *m)
{
    uint32_t high = m->address_bits == 32 ? 32 : NF_ADDRESS_END;
    return ((uint64_t)1 << high) - ((uint64_t)1 << ADDRESS_LOW);
}

/* Returns true if the type is an integer or a pointer as wide as an address, or a vector of these. */
static bool has_whole_words(const struct nf_module *m, const struct nf_type *type)
{
    const struct nf_type *scalar = nf_scalar_of(m, type);
    return scalar->kind != NF_KIND_FLOAT && scalar->size == nf_word_size(m);
}

/* Returns true if addresses and the type's scalars have 64 bits: a NaN test shows of bits 0-47 only if all are 0. */
static bool is_double(const struct nf_module *m, const struct nf_type *type)
{
    return nf_scalar_of(m, type)->size == 8 && m->address_bits == 64;
}

/* Returns a mask of the bits of the first operand that is not constant: those on which the result may depend. */
static uint64_t bits_left(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    int64_t value = 0;
    bool known = nf_operand_count(m, at) > 1 && nf_constant(m, nf_operand(m, at, 1), &value);
    uint64_t all = ~(uint64_t)0;
    uint32_t opcode = nf_opcode(m, at);
    const struct nf_type *type = nf_operand_type(c, at, 0);
    if (opcode >= OpIsNan && opcode <= OpUnordered && is_double(m, type)) return all << NF_ADDRESS_END;
    if (!has_whole_words(m, type)) return all;
    switch (opcode) {
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return known && value >= 0 && value < 64 ? all << value : all;
    case OpUMod: return known && value > 0 && !(value & (value - 1)) ? (uint64_t)value - 1 : all;
    case OpBitwiseAnd: return known || nf_constant(m, nf_operand(m, at, 0), &value) ? (uint64_t)value : all;
    default: return all;
    }
}

/* ---- Numbers ---- */

void nf_expose_operands(struct nf_constrainer *c, uint32_t at, uint32_t result)
{
    struct nf_module *m = c->m;
    bool whole = bits_left(c, at) & address_mask(m);
    bool stores = nf_role_at(m, at) == NF_ROLE_out || nf_role_at(m, at) == NF_ROLE_call; /* through a pointer */
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);) {
        struct nf_value v = nf_scalar_value(c, nf_current_id(&ids));
        if (stores && nf_type_of(m, nf_current_id(&ids))->kind == NF_KIND_POINTER) continue;
        nf_edge(m, v.node, result);
        if (whole)
            nf_expose(m, v);
        else /* the carry of a sum is above the bits of an address, and any byte of a moved word may be the lowest */
            nf_expose_if_number(m, v.node, 0);
    }
}

static bool has_carrier(struct nf_constrainer *c, uint32_t at)
{
    for (struct nf_ids ids = nf_ids_at(c->m, at); nf_ids_next(&ids);)
        if (nf_value_of(c, nf_current_id(&ids)).node) return true;
    return false;
}

struct nf_value nf_numeric_result(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at);
    const struct nf_type *type = nf_type_of(m, id);
    /* A floating-point number needs a node only where it merges with other values (nf_value_or_count()). */
    bool made = nf_is_tracked_type(m, type) && (type->kind != NF_KIND_FLOAT || has_carrier(c, at));
    if (type->kind == NF_KIND_INT && (nf_is_count(m, c->bits[id]) || nf_is_above(m, c->bits[id]))) made = false;
    struct nf_value number = made ? nf_make_number(m) : nf_nothing;
    uint32_t apart = made && m->graph->tracks_distances ? nf_node_of_kind(m, NF_NODE_APART) : 0;
    nf_edge(m, apart, number.node);
    nf_expose_operands(c, at, apart);
    return made ? nf_as_aggregate(m, type, number) : nf_nothing;
}

/* ---- Carriers ---- */

/* Returns `v` with NF_LOOSE and NF_NUMBER, because a value that has a node may hold a count instead of an address. */
static struct nf_value or_number(struct nf_module *m, struct nf_value v)
{
    struct nf_value either = nf_with_evidence(m, v, NF_LOOSE);
    nf_flow(m, nf_make_number(m), either);
    return either;
}

static struct nf_value combine(struct nf_module *m, enum nf_node_kind kind, struct nf_value a, struct nf_value b)
{
    uint32_t both = nf_node_of_kind(m, kind);
    struct nf_value result = nf_of_node(nf_node(m, NF_LOOSE));
    nf_edge(m, a.node, both);
    nf_edge(m, b.node, both);
    nf_edge(m, both, result.node);
    nf_unify(m, a, result);
    return result;
}

/* Returns an integer that combines two addresses: a program may compute each address from it and the other address. */
static struct nf_value united(struct nf_constrainer *c, struct nf_value a, struct nf_value b)
{
    struct nf_value result = combine(c->m, NF_NODE_UNITED, a, b);
    nf_unify(c->m, b, result);
    nf_smear_offsets(c->m, result, 1, 0, 0);
    return result;
}

/* Returns true if the sum of an address and an integer with these bits stays in the address's window. The base is in
 * the middle of the window, and objects lie in its middle half. */
static bool is_near(const struct nf_module *m, struct nf_bits bits)
{
    return bits.length < nf_window_bits(m) - 1;
}

/* Returns `v` after a count has changed the integer: null becomes a count. */
static struct nf_value changed(struct nf_module *m, struct nf_value v)
{
    struct nf_value result = nf_of_node(nf_node(m, 0));
    uint32_t count = nf_node_of_kind(m, NF_NODE_CHANGED);
    nf_edge(m, v.node, count);
    nf_edge(m, count, result.node);
    nf_unify(m, v, result);
    return result;
}

/* Returns the address `v` moved by the integer `other`, which carries none: smeared over the multiples of a power of
 * two that divides `other`, and loose if it may leave its window; bits above an address add only NF_COUNT. If `other`
 * may exceed a count, the result may be a number, because `v` may be a count: `if (p & 1ul << 45) x |= 1ul << 45`. */
static struct nf_value displaced(struct nf_constrainer *c, struct nf_value v, uint32_t other)
{
    struct nf_bits bits = nf_bits_of(c, other);
    if (nf_is_above(c->m, bits)) return nf_with_evidence(c->m, v, NF_COUNT);
    uint32_t multiple = nf_multiple_of(c, other);
    nf_smear_offsets(c->m, v, multiple > 1 && multiple < 65536 ? multiple : 1, 0, 0);
    if (nf_is_far(c, other)) return or_number(c->m, v);
    return is_near(c->m, bits) ? changed(c->m, v) : nf_with_evidence(c->m, v, NF_LOOSE);
}

/* Returns true if the result is a pointer-sized integer. Arithmetic on vectors of such integers results in numbers. */
static bool is_word(const struct nf_module *m, uint32_t at)
{
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    return type->kind == NF_KIND_INT && nf_is_tracked_type(m, type);
}

/* Returns `v` plus or minus the integer `other`. */
static struct nf_value moved(struct nf_constrainer *c, struct nf_value v, uint32_t other, bool subtract)
{
    int64_t value;
    bool near = nf_constant(c->m, other, &value) && is_near(c->m, nf_bits_of(c, other));
    if (near && value >= -NF_MAX_OFFSET && value <= NF_MAX_OFFSET)
        return nf_offset_by(changed(c->m, v), subtract ? -value : value);
    return displaced(c, v, other);
}

/* Returns the id from which `id` is derived by conversions, copies and access chains only. */
static uint32_t address_root(struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    for (uint32_t steps = 0; steps < m->bound; steps++) {
        uint32_t at = m->def[id];
        enum nf_role role = nf_role_at(m, at);
        bool untyped = role == NF_ROLE_chain && nf_opcode(m, at) >= OpUntypedAccessChainKHR;
        bool converts = role == NF_ROLE_to_integer || role == NF_ROLE_to_pointer;
        if (untyped || (!converts && !nf_derives_pointer(role)) || nf_has_address_index(c, at)) break;
        id = nf_operand(m, at, 0);
    }
    return id;
}

/* Returns true if the integer is a converted pointer: the pointer's evidence states whether it may be null. */
static bool is_of_pointer(const struct nf_module *m, uint32_t id)
{
    return m->def[id] >= m->body_at && nf_role_at(m, m->def[id]) == NF_ROLE_to_integer;
}

/* Returns the difference of two pointers: a count if both are addresses in one known space and neither may be null
 * (NF_NODE_DISTANCE). Otherwise it carries both addresses: a program can compute each from it and the other address. */
static struct nf_value distance(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    if (nf_place_of(m, a).region != nf_place_of(m, b).region) nf_unify(m, a, b);
    return combine(m, NF_NODE_DISTANCE, a, b);
}

/* Returns `v` AND `other`; a number if `other` is a constant that clears any of bits 16 to 39 (of 32 bits: 16-31). */
static struct nf_value masked(struct nf_constrainer *c, uint32_t at, struct nf_value v, uint32_t other)
{
    struct nf_module *m = c->m;
    int64_t value;
    if (!nf_constant(m, other, &value)) {
        nf_smear_offsets(m, v, 1, 0, 0); /* the mask aligns the address, or removes a count from its unused bits */
        return nf_with_evidence(m, v, NF_LOOSE);
    }
    uint64_t middle = address_mask(m) & (((uint64_t)1 << 40) - 1) & ~(uint64_t)0xffff, low = (uint64_t)value & 0xffff;
    if (((uint64_t)value & middle) != middle) return nf_numeric_result(c, at);
    bool aligns = (low | flags_of(m)) != 0xffff;
    if (aligns) nf_smear_offsets(m, v, flags_of(m) + 1, 0, 0); /* the result is below `v`, perhaps device address 0 */
    if (low != 0xffff) nf_note_flags(m, v);
    uint64_t window = address_mask(m) & ~(((uint64_t)1 << (nf_window_bits(m) - 1)) - 1);
    return !aligns && ((uint64_t)value & window) == window ? v : nf_with_evidence(m, v, NF_LOOSE);
}

/* Returns `v` with the bits of the integer `other` set or flipped. */
static struct nf_value combined(struct nf_constrainer *c, struct nf_value v, uint32_t other)
{
    struct nf_bits bits = nf_bits_of(c, other);
    uint32_t flag_bits = (uint32_t)__builtin_popcount(flags_of(c->m));
    if (!bits.sign && bits.length <= flag_bits) {
        nf_note_flags(c->m, v);
        return changed(c->m, v);
    }
    v = displaced(c, v, other);
    return bits.sign ? nf_with_evidence(c->m, v, NF_LOOSE) : v; /* a negative integer sets or flips all higher bits */
}

struct nf_value nf_carried(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    enum nf_role role = nf_role_at(m, at);
    if (!is_word(m, at) || (!a.node && !b.node) || (role == NF_ROLE_subtract && !a.node))
        return nf_numeric_result(c, at);
    /* A count that is doubled repeatedly becomes a number, and so does the sum of two counts from one cell. */
    if (a.node && a.node == b.node && role == NF_ROLE_add) return or_number(m, united(c, a, b));
    if (a.node && b.node) return united(c, a, b);
    struct nf_value v = a.node ? a : b;
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    if (role == NF_ROLE_mask) return masked(c, at, v, other);
    return role == NF_ROLE_combine ? combined(c, v, other) : moved(c, v, other, role == NF_ROLE_subtract);
}

struct nf_value nf_subtracted(struct nf_constrainer *c, uint32_t at)
{
    struct nf_value a = nf_operand_value(c, at, 0), b = nf_operand_value(c, at, 1);
    if (!a.node || !b.node) return nf_carried(c, at);
    if (address_root(c, nf_operand(c->m, at, 0)) == address_root(c, nf_operand(c->m, at, 1))) return nf_nothing;
    bool pointers = is_of_pointer(c->m, nf_operand(c->m, at, 0)) && is_of_pointer(c->m, nf_operand(c->m, at, 1));
    return pointers && is_word(c->m, at) ? distance(c->m, a, b) : nf_carried(c, at);
}

/* Returns true for an exclusive scan: its result in the first work-item is no operand, but the operation's identity. */
static bool is_exclusive_scan(const struct nf_module *m, uint32_t at)
{
    enum { EXCLUSIVE_SCAN = 2 };
    bool group = nf_role_at(m, at) == NF_ROLE_order && nf_opcode(m, at) != OpExtInst;
    return group && nf_group_operation(m, at) == EXCLUSIVE_SCAN;
}

struct nf_value nf_chosen(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    bool moves = type->kind == NF_KIND_INT || type->kind == NF_KIND_POINTER || type->aggregate;
    if (!moves || !nf_is_tracked_type(m, type)) return nf_numeric_result(c, at);
    if (!has_carrier(c, at)) return nf_nothing;
    struct nf_value result = nf_of_node(nf_node(m, 0));
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);) {
        uint32_t id = nf_current_id(&ids);
        nf_flow(m, nf_as_scalar(m, nf_type_of(m, id), nf_value_or_count(c, id)), result);
    }
    if (nf_role_at(m, at) == NF_ROLE_order) nf_expose_if_number(m, result.node, 0);
    if (is_exclusive_scan(m, at))
        m->graph->nodes[result.node].base |= NF_NULL | NF_COUNT; /* an item gets the identity */
    return nf_as_typed(m, type, nf_as_aggregate(m, type, result));
}

/* ---- Conversions and comparisons ---- */

struct nf_value nf_resize_integer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *from = nf_operand_type(c, at, 0);
    uint32_t width = nf_number_width(m, nf_result_id(m, at)), before = nf_number_width(m, nf_operand(m, at, 0));
    bool whole =
        width == before || (width >= NF_ADDRESS_END && before >= NF_ADDRESS_END); /* bit-fields have such widths */
    return whole ? nf_as_typed(m, type, nf_convert_shape(m, from, type, nf_operand_value(c, at, 0)))
                 : nf_numeric_result(c, at);
}

/* A program can find an address bit by bit: by ordered comparisons with counts or constants, or by any comparison with
 * a number, or with the address itself after a constant has changed it, as in (p | 1ul << 45) == p. A comparison with
 * another address reveals no bits. */
void nf_compared(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value v[2] = {nf_scalar_value(c, nf_operand(m, at, 0)), nf_scalar_value(c, nf_operand(m, at, 1))};
    uint32_t opcode = nf_opcode(m, at);
    bool equality = opcode == OpIEqual || opcode == OpINotEqual || nf_role_at(m, at) == NF_ROLE_compare;
    bool parts = nf_scalar_of(m, nf_operand_type(c, at, 0))->size != nf_word_size(m);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t other = nf_operand(m, at, 1 - i);
        bool ordered = !equality && !v[1 - i].node && !nf_is_zero(m, other);
        if (parts || ordered) nf_expose(m, v[i]);
    }
    nf_expose_if_number(m, v[0].node, v[1].node);
}
