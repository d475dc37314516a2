/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integers.c - replaces integer dot products and bit-field instructions by arithmetic and shifts.
 *
 *     %d = OpSDot %uint %v %w                 %v0 = OpCompositeExtract %uchar %v 0; %a0 = OpSConvert %uint %v0
 *                                        ->   ... %p0 = OpIMul %uint %a0 %b0; %d = %p0 + %p1 + ...
 *     %f = OpBitFieldUExtract %uint %v %at %n     %f = %v >> %at << 32 - %n >> 32 - %n, and 0 if %n is 0
 *
 * The hard case is a field of 0 bits: the shift amount would be the width of the type, which is undefined behavior, so
 * a select replaces the result by the one for an empty field.
 *
 * needs: an instruction that the device lacks.  gives: its replacement in the section that is being written
 * (nf_fit.to).
 */
#include "fit/internal.h"

enum { LONGEST_VECTOR = 16, PACKED_PARTS = 4, PACKED_BITS = 8, PACKED_WIDTH = 32 };

/* The shape of an integer type: the bits of a component, and the number of components (0: a scalar). */
struct shape {
    uint32_t type, element, width, count;
};

static struct shape shape_of(const struct nf_fit *f, uint32_t type)
{
    struct shape s = {.type = type, .element = type};
    uint32_t at = f->m->def[type];
    if (nf_opcode(f->m, at) == OpTypeVector) {
        s.element = nf_element_type(f->m, at);
        s.count = nf_component_count(f->m, at);
        at = f->m->def[s.element];
    }
    s.width = nf_opcode(f->m, at) == OpTypeInt ? nf_scalar_width(f->m, at) : 0;
    if (!s.width || s.width > 64 || s.count > LONGEST_VECTOR)
        nf_fail(f->m->arena, NF_REFUSED, 0,
                "a dot product or bit-field instruction has operands other than integers of at most 64 bits");
    return s;
}

static struct shape shape_of_value(const struct nf_fit *f, uint32_t id)
{
    uint32_t at = nf_fit_type_of(f, id);
    if (!at) nf_fail(f->m->arena, NF_REFUSED, 0, "the type of value %u is not known", id);
    return shape_of(f, nf_declared_id(f->m, at));
}

static uint32_t binary(struct nf_fit *f, uint32_t opcode, uint32_t type, uint32_t left, uint32_t right)
{
    uint32_t id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, opcode, type, id, left, right);
    return id;
}

static uint32_t convert(struct nf_fit *f, uint32_t opcode, struct shape to, uint32_t from_width, uint32_t value)
{
    if (to.width == from_width) return value;
    uint32_t id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, opcode, to.type, id, value);
    return id;
}

static uint32_t choose(struct nf_fit *f, uint32_t type, uint32_t condition, uint32_t left, uint32_t right)
{
    uint32_t id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpSelect, type, id, condition, left, right);
    return id;
}

/* Returns a vector of the shape with `one` in each component, or `one` itself if the shape is scalar. */
static uint32_t splat(struct nf_fit *f, struct shape s, uint32_t one)
{
    uint32_t parts[LONGEST_VECTOR];
    if (!s.count) return one;
    uint32_t id = nf_build_id(&f->build);
    for (uint32_t i = 0; i < s.count; i++)
        parts[i] = one;
    nf_fit_construct(f, s.type, id, s.count, parts);
    return id;
}

static uint32_t constant(struct nf_fit *f, struct shape s, uint64_t value)
{
    return splat(f, s, nf_fit_int_constant(f, s.element, s.width, value));
}

static uint64_t all_bits(uint32_t width)
{
    return UINT64_MAX >> (64 - width);
}

/* ---- Dot products ---- */

struct factor {
    uint32_t id;
    struct shape shape;
    bool is_signed, packed;
};

/* Writes component `index` of a factor, extended or truncated to the width of the result. */
static uint32_t component(struct nf_fit *f, const struct factor *v, struct shape result, uint32_t index)
{
    uint32_t opcode = v->is_signed ? OpSConvert : OpUConvert;
    if (!v->packed) {
        uint32_t id = nf_build_id(&f->build);
        NF_FIT_EMIT(f, OpCompositeExtract, v->shape.element, id, v->id, index);
        return convert(f, opcode, result, v->shape.width, id);
    }
    uint32_t above = PACKED_WIDTH - PACKED_BITS, shift = v->is_signed ? OpShiftRightArithmetic : OpShiftRightLogical;
    uint32_t type = v->shape.type, up = constant(f, v->shape, above - PACKED_BITS * index);
    uint32_t top = binary(f, OpShiftLeftLogical, type, v->id, up);
    return convert(f, opcode, result, PACKED_WIDTH, binary(f, shift, type, top, constant(f, v->shape, above)));
}

/* Writes a saturating addition: on overflow the result is the largest or smallest number of the type. */
static uint32_t add_saturated(struct nf_fit *f, struct shape s, bool is_signed, uint32_t left, uint32_t right)
{
    uint32_t sum = binary(f, OpIAdd, s.type, left, right), boolean = nf_fit_bool_type(f);
    if (!is_signed) {
        uint32_t less = binary(f, OpULessThan, boolean, sum, left);
        return choose(f, s.type, less, constant(f, s, all_bits(s.width)), sum);
    }
    uint32_t from_left = binary(f, OpBitwiseXor, s.type, sum, left);
    uint32_t from_right = binary(f, OpBitwiseXor, s.type, sum, right);
    uint32_t lost = binary(f, OpBitwiseAnd, s.type, from_left, from_right);
    uint32_t less = binary(f, OpSLessThan, boolean, lost, constant(f, s, 0));
    uint32_t sign = binary(f, OpShiftRightArithmetic, s.type, left, constant(f, s, s.width - 1));
    uint32_t limit = binary(f, OpBitwiseXor, s.type, sign, constant(f, s, all_bits(s.width) >> 1));
    return choose(f, s.type, less, limit, sum);
}

static void dot(struct nf_fit *f, uint32_t at)
{
    uint32_t type = nf_value_type(f->m, at), left_id = nf_value_operand(f->m, at, 0),
             right_id = nf_value_operand(f->m, at, 1);
    uint32_t opcode = nf_opcode(f->m, at), sum = 0;
    bool both = opcode == OpSDot || opcode == OpSDotAccSat, none = opcode == OpUDot || opcode == OpUDotAccSat;
    bool saturated = opcode >= OpSDotAccSat;
    struct shape result = shape_of(f, type);
    struct factor left = {.id = left_id, .shape = shape_of_value(f, left_id), .is_signed = !none};
    struct factor right = {.id = right_id, .shape = shape_of_value(f, right_id), .is_signed = both};
    left.packed = right.packed = !left.shape.count;
    uint32_t count = left.packed ? PACKED_PARTS : left.shape.count;
    if (left.packed && left.shape.width != PACKED_WIDTH)
        nf_fail(f->m->arena, NF_REFUSED, 0, "a dot product of packed integers of %u bits is not supported",
                left.shape.width);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = component(f, &left, result, i), b = component(f, &right, result, i);
        uint32_t product = binary(f, OpIMul, result.type, a, b);
        sum = sum ? binary(f, OpIAdd, result.type, sum, product) : product;
    }
    if (saturated) sum = add_saturated(f, result, !none, sum, nf_value_operand(f->m, at, 2));
    nf_fit_alias(f, type, nf_value_id(f->m, at), sum);
}

/* ---- Bit fields ---- */

/* Writes the conversion of an offset or a count to the shape of the value that it applies to. */
static uint32_t amount(struct nf_fit *f, struct shape s, uint32_t id)
{
    struct shape own = shape_of_value(f, id), element = {s.element, s.element, s.width, 0};
    return splat(f, s, convert(f, OpUConvert, element, own.width, id));
}

static uint32_t is_zero(struct nf_fit *f, struct shape s, uint32_t value)
{
    uint32_t type = nf_fit_bool_type(f);
    if (s.count) type = nf_fit_vector_type(f, type, s.count);
    return binary(f, OpIEqual, type, value, constant(f, s, 0));
}

/* Writes the number of bits outside of the field, as shift amount: 0 instead of the width if the field has no bits. */
static uint32_t bits_above(struct nf_fit *f, struct shape s, uint32_t none, uint32_t count)
{
    uint32_t zero = constant(f, s, 0);
    return choose(f, s.type, none, zero, binary(f, OpISub, s.type, constant(f, s, s.width), count));
}

static void extract_field(struct nf_fit *f, uint32_t at)
{
    uint32_t type = nf_value_type(f->m, at), base = nf_value_operand(f->m, at, 0);
    struct shape s = shape_of(f, type);
    uint32_t shift = nf_opcode(f->m, at) == OpBitFieldSExtract ? OpShiftRightArithmetic : OpShiftRightLogical;
    uint32_t count = amount(f, s, nf_value_operand(f->m, at, 2)), none = is_zero(f, s, count),
             above = bits_above(f, s, none, count);
    uint32_t offset = choose(f, s.type, none, count, amount(f, s, nf_value_operand(f->m, at, 1)));
    uint32_t low = binary(f, OpShiftRightLogical, s.type, base, offset);
    uint32_t top = binary(f, OpShiftLeftLogical, s.type, low, above), field = binary(f, shift, s.type, top, above);
    NF_FIT_EMIT(f, OpSelect, type, nf_value_id(f->m, at), none, constant(f, s, 0), field);
}

static void insert_field(struct nf_fit *f, uint32_t at)
{
    uint32_t type = nf_value_type(f->m, at), result = nf_value_id(f->m, at), base = nf_value_operand(f->m, at, 0),
             insert = nf_value_operand(f->m, at, 1);
    struct shape s = shape_of(f, type);
    uint32_t count = amount(f, s, nf_value_operand(f->m, at, 3)), none = is_zero(f, s, count),
             above = bits_above(f, s, none, count);
    uint32_t offset = choose(f, s.type, none, count, amount(f, s, nf_value_operand(f->m, at, 2))),
             all = constant(f, s, all_bits(s.width));
    uint32_t low = binary(f, OpShiftRightLogical, s.type, all, above);
    uint32_t mask = binary(f, OpShiftLeftLogical, s.type, low, offset);
    uint32_t moved = binary(f, OpShiftLeftLogical, s.type, insert, offset);
    uint32_t changed = binary(f, OpBitwiseXor, s.type, base, moved);
    uint32_t whole = binary(f, OpBitwiseXor, s.type, base, binary(f, OpBitwiseAnd, s.type, changed, mask));
    NF_FIT_EMIT(f, OpSelect, type, result, none, base, whole);
}

/* Writes a bit reversal: swaps neighboring bits, then pairs, then groups of 4, and so on. */
static void reverse(struct nf_fit *f, uint32_t at)
{
    struct shape s = shape_of(f, nf_value_type(f->m, at));
    uint32_t value = nf_value_operand(f->m, at, 0);
    for (uint32_t step = 1; step < s.width; step *= 2) {
        uint64_t lower = all_bits(s.width) / ((UINT64_C(1) << step) + 1);
        uint32_t mask = constant(f, s, lower), by = constant(f, s, step);
        uint32_t down = binary(f, OpShiftRightLogical, s.type, value, by);
        uint32_t even = binary(f, OpBitwiseAnd, s.type, down, mask), odd = binary(f, OpBitwiseAnd, s.type, value, mask);
        uint32_t up = binary(f, OpShiftLeftLogical, s.type, odd, by);
        value = binary(f, OpBitwiseOr, s.type, even, up);
    }
    nf_fit_alias(f, nf_value_type(f->m, at), nf_value_id(f->m, at), value);
}

bool nf_fit_integers(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    if (!nf_fit_is_dropped(f, NF_HINT_SPELLED, opcode)) return false;
    switch (opcode) {
    case OpBitFieldInsert: insert_field(f, at); break;
    case OpBitFieldSExtract:
    case OpBitFieldUExtract: extract_field(f, at); break;
    case OpBitReverse: reverse(f, at); break;
    default: dot(f, at); break;
    }
    return true;
}
