/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_bits.c - known bits: the range of each integer, which distinguishes counts from addresses.
 *
 *     %w = OpSConvert %ulong %i                 31 bits and a sign, if i has 32
 *     %s = OpIMul %ulong %w %ulong_24           36 bits and a sign: a count, and no address
 *     %t = OpShiftLeftLogical %ulong %k %48     64 bits, the lowest 48 of which are zeros: above every address
 *
 * The known bits of a result follow from the known bits of the operands. Each function is visited in the order
 * of its instructions, and once more if a phi uses a later result: n instructions take O(n) time. The result of a load
 * or a call may have all bits of its type, the result of a phi all but trailing zeros; built-in variables, such as
 * work-item ids, have 32.
 *
 * The hard case is the sign: a negative index has all higher bits set after its conversion to 64 bits, so `sign` is a
 * fact of its own beside the length.
 *
 * needs: constants, and definitions before uses.  gives: nf_bits, by id.
 */
#include "infer/internal.h"

uint32_t nf_number_width(const struct nf_module *m, uint32_t id)
{
    const struct nf_type *scalar = nf_scalar_of(m, nf_type_of(m, id));
    return scalar->kind == NF_KIND_FLOAT ? 8 * scalar->size : nf_width_of(m, scalar);
}

/* If `id` is `before` plus or minus a second operand, returns that operand's id; otherwise 0. */
static uint32_t step_from(const struct nf_module *m, uint32_t id, uint32_t before)
{
    uint32_t at = m->def[id];
    if (at < m->body_at || (nf_opcode(m, at) != OpIAdd && nf_opcode(m, at) != OpISub)) return 0;
    return nf_value_operand(m, at, 0) == before ? nf_value_operand(m, at, 1) : 0;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static struct nf_bits make_bits(uint32_t length, uint32_t zeros, bool sign)
{
    return (struct nf_bits){(uint8_t)length, (uint8_t)zeros, sign};
}

static struct nf_bits bits_of_constant(int64_t value)
{
    uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;
    uint32_t zeros = value ? (uint32_t)__builtin_ctzll((uint64_t)value) : 64;
    return make_bits(magnitude ? 64 - (uint32_t)__builtin_clzll(magnitude) : 0, zeros, value < 0);
}

struct nf_bits nf_bits_of(const struct nf_constrainer *c, uint32_t id)
{
    int64_t value;
    if (c->m->def[id] >= c->m->body_at) return c->bits[id];
    if (nf_constant(c->m, id, &value)) return bits_of_constant(value);
    return make_bits(nf_number_width(c->m, id), 0, false);
}

/* An integer below 2^COUNT_BITS is a count: the default windows and those of the layer lie above it. Some devices with
 * short addresses have buffers below it, but the analysis takes such an address for a count only if the host passed it
 * in integers that are shorter than an address. */
enum { COUNT_BITS = 40, COUNT_BITS_32 = 24 };

bool nf_is_count(const struct nf_module *m, struct nf_bits bits)
{
    return bits.length <= (m->address_bits == 32 ? COUNT_BITS_32 : COUNT_BITS);
}

bool nf_is_above(const struct nf_module *m, struct nf_bits bits)
{
    return m->address_bits == 64 && bits.zeros >= NF_ADDRESS_END;
}

bool nf_is_far(const struct nf_constrainer *c, uint32_t id)
{
    struct nf_bits bits = nf_bits_of(c, id);
    return !nf_is_count(c->m, bits) && !nf_is_above(c->m, bits);
}

/* Returns the length of the integer if it is read as unsigned, as logical shifts and unsigned divisions do. */
static uint32_t unsigned_length(struct nf_bits bits, uint32_t width)
{
    return bits.sign ? width : bits.length;
}

static struct nf_bits shifted(const struct nf_constrainer *c, uint32_t at, struct nf_bits a, uint32_t width)
{
    int64_t by;
    bool left = nf_opcode(c->m, at) == OpShiftLeftLogical;
    bool known = nf_constant(c->m, nf_operand(c->m, at, 1), &by) && by >= 0 && by < 64;
    uint32_t count = known ? (uint32_t)by : 0;
    if (left) return make_bits(known ? smaller(width, a.length + count) : width, smaller(64, a.zeros + count), a.sign);
    bool sign = nf_opcode(c->m, at) == OpShiftRightArithmetic && (a.sign || a.length == width);
    uint32_t length = sign ? a.length : unsigned_length(a, width);
    return make_bits(length > count ? length - count : 0, known && a.zeros > count ? a.zeros - count : 0, sign);
}

/* Returns the known bits of an AND, which is at most as long as an operand without a sign. */
static struct nf_bits masked(struct nf_bits a, struct nf_bits b)
{
    uint32_t length = larger(a.length, b.length);
    if (!a.sign && !b.sign)
        length = smaller(a.length, b.length);
    else if (!a.sign || !b.sign)
        length = a.sign ? b.length : a.length;
    return make_bits(length, larger(a.zeros, b.zeros), a.sign && b.sign);
}

static struct nf_bits bits_of_two(const struct nf_constrainer *c, uint32_t at, uint32_t width)
{
    struct nf_bits a = nf_bits_of(c, nf_operand(c->m, at, 0)), b = nf_bits_of(c, nf_operand(c->m, at, 1));
    uint32_t length = larger(a.length, b.length), zeros = smaller(a.zeros, b.zeros);
    bool sign = a.sign || b.sign;
    switch (nf_opcode(c->m, at)) {
    case OpShiftLeftLogical:
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return shifted(c, at, a, width);
    case OpUDiv: return make_bits(unsigned_length(a, width), 0, false);
    case OpSDiv: return make_bits(smaller(width, a.length + 1u), 0, true); /* -128 by -1 is 128 */
    case OpUMod: return make_bits(smaller(unsigned_length(a, width), unsigned_length(b, width)), 0, 0);
    case OpSRem: return make_bits(smaller(a.length, b.length), 0, true);
    case OpSMod: return make_bits(b.length, 0, true); /* a small negative number modulo a large number is large */
    case OpIMul:
        length = a.length + b.length + (a.sign && b.sign);
        return make_bits(smaller(width, length), smaller(64, a.zeros + b.zeros), sign);
    case OpBitwiseAnd: return masked(a, b);
    case OpISub: sign = true; /* fall through */
    case OpIAdd: return make_bits(smaller(width, length + 1), zeros, sign);
    default: return make_bits(length, zeros, sign);
    }
}

static struct nf_bits converted(const struct nf_constrainer *c, uint32_t at, uint32_t width)
{
    uint32_t operand = nf_operand(c->m, at, 0), before = nf_number_width(c->m, operand);
    struct nf_bits from = nf_bits_of(c, operand);
    if (nf_opcode(c->m, at) == OpUConvert) {
        from.length = (uint8_t)unsigned_length(from, before);
        from.sign = false;
    } else if (from.length == before && !from.sign) {
        from.length--;
        from.sign = true;
    }
    return from.length > width ? make_bits(width, from.zeros, false) : from;
}

/* Returns the known bits of a phi: the trailing zeros that all incoming values have. For a value that is the phi plus
 * or minus a step, the zeros of the step count. In the first visit, a later definition has no known zeros. */
static struct nf_bits bits_of_phi(struct nf_constrainer *c, uint32_t at, uint32_t width)
{
    const struct nf_module *m = c->m;
    uint32_t earlier = 64, zeros = 64; /* of earlier incoming values; of all incoming values */
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++) {
        uint32_t id = nf_phi_value(m, at, i), step = step_from(m, id, nf_value_id(m, at));
        if (step) id = step;
        if (id == nf_value_id(m, at)) continue;
        zeros = smaller(zeros, nf_bits_of(c, id).zeros);
        if (m->def[id] < at) earlier = smaller(earlier, nf_bits_of(c, id).zeros);
    }
    if (zeros < earlier && !c->revisit) c->revisit = at;
    return make_bits(width, zeros, false);
}

static struct nf_bits bits_of_result(struct nf_constrainer *c, uint32_t at, uint32_t width)
{
    const struct nf_module *m = c->m;
    struct nf_bits a, b;
    uint32_t opcode = nf_opcode(m, at);
    if ((opcode >= OpIAdd && opcode <= OpSMod) || (opcode >= OpShiftRightLogical && opcode <= OpBitwiseAnd))
        return bits_of_two(c, at, width);
    switch (opcode) {
    case OpUConvert:
    case OpSConvert: return converted(c, at, width);
    case OpPhi: return bits_of_phi(c, at, width);
    case OpSNegate:
    case OpNot: a = nf_bits_of(c, nf_operand(m, at, 0)); return make_bits(smaller(width, a.length + 1u), 0, true);
    case OpSelect:
        a = nf_bits_of(c, nf_select_true(m, at)), b = nf_bits_of(c, nf_select_false(m, at));
        return make_bits(larger(a.length, b.length), smaller(a.zeros, b.zeros), a.sign || b.sign);
    default: return make_bits(width, 0, false);
    }
}

void nf_note_bits(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    enum { BUILT_IN_BITS = 32 };
    uint32_t id = nf_result_id(m, at);
    uint32_t kind = id ? nf_scalar_of(m, nf_type_of(m, id))->kind : NF_KIND_VOID;
    if (kind != NF_KIND_INT && kind != NF_KIND_FLOAT) return;
    uint32_t width = nf_number_width(m, id);
    c->bits[id] = kind == NF_KIND_INT ? bits_of_result(c, at, width) : make_bits(width, 0, false);
    bool from_device = nf_opcode(m, at) == OpLoad && nf_type_of(m, nf_load_pointer(m, at))->storage == NF_STORAGE_INPUT;
    uint32_t whole = nf_opcode(m, at) == OpCompositeExtract ? nf_value_operand(m, at, 0) : 0;
    if (from_device) c->bits[id].length = (uint8_t)smaller(c->bits[id].length, BUILT_IN_BITS);
    if (m->def[whole] >= m->body_at && nf_type_of(m, whole)->kind == NF_KIND_VECTOR) c->bits[id] = c->bits[whole];
}
