/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arith.c - arithmetic, bit operations and logic, component by component. Undefined bits propagate as in hardware: a
 * sum is undefined from its lowest undefined bit upward, an AND with a defined zero is defined.
 */
#include "judge.h"

#include <math.h>
#include <string.h>

static uint32_t join_prov(uint32_t a, uint32_t b)
{
    if (a == b || b == 0) return a;
    return a == 0 ? b : PROV_MIXED;
}

/* Returns the provenance of a value computed from two operands. */
void nfj_join(struct cell *to, const struct cell *a, const struct cell *b)
{
    to->prov = join_prov(a->prov, b->prov);
    to->undef = a->undef | b->undef;
}

double nfj_to_double(uint64_t bits, unsigned width)
{
    if (width == 16) return nfj_half_to_double((uint16_t)bits);
    if (width == 32) {
        float f;
        uint32_t w = (uint32_t)bits;
        memcpy(&f, &w, 4);
        return (double)f;
    }
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

uint64_t nfj_from_double(double value, unsigned width)
{
    if (width == 16) return nfj_double_to_half(value, 0);
    if (width == 32) {
        float f = (float)value;
        uint32_t w;
        memcpy(&w, &f, 4);
        return w;
    }
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}

/* Returns a mask of all bits from the lowest undefined bit up, which carries can reach. */
static uint64_t carried(uint64_t undef)
{
    return undef | (0 - undef);
}

static uint64_t all_or_none(uint64_t undef)
{
    return undef ? UINT64_MAX : 0;
}

#define OPERANDS(item, in)                                                                                             \
    const struct cell *a = value(item, (in)->a), *b = value(item, (in)->b);                                            \
    struct cell *to = (item)->frame + (in)->dst;                                                                       \
    const unsigned bits = (in)->bits;                                                                                  \
    const uint64_t mask = mask_of(bits)

/* Defines the handler of an instruction with two operands. The expressions use the operands' bits as x and y;
 * `undef_rule`, which gives the undefined bits of the result, also uses `u`, the undefined bits of both operands. */
#define BINARY(name, undef_rule, expression)                                                                           \
    static void name(struct item *item, const struct inst *in)                                                         \
    {                                                                                                                  \
        OPERANDS(item, in);                                                                                            \
        for (uint32_t i = 0; i < in->n; i++) {                                                                         \
            const uint64_t x = a[i].bits, y = b[i].bits, u = a[i].undef | b[i].undef;                                  \
            const uint32_t prov = join_prov(a[i].prov, b[i].prov);                                                     \
            (void)x, (void)y;                                                                                          \
            to[i] = (struct cell){(expression)&mask, u ? (undef_rule)&mask : 0, prov, 0};                              \
        }                                                                                                              \
    }

BINARY(op_iadd, carried(u), x + y)
BINARY(op_imul, carried(u), x *y)
BINARY(op_xor, u, x ^ y)
BINARY(op_and, u &(x | a[i].undef) & (y | b[i].undef), x &y)
BINARY(op_or, u & ~(x & ~a[i].undef) & ~(y & ~b[i].undef), x | y)
BINARY(op_logical_equal, u, ~(x ^ y))

/* The difference of two addresses in one object is not an address. */
static void op_isub(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    for (uint32_t i = 0; i < in->n; i++) {
        uint32_t prov = join_prov(a[i].prov, b[i].prov);
        if (a[i].prov == b[i].prov) prov = 0;
        to[i] = (struct cell){(a[i].bits - b[i].bits) & mask, carried(a[i].undef | b[i].undef) & mask, prov, 0};
    }
}

static uint64_t divide(uint16_t op, unsigned bits, uint64_t x, uint64_t y)
{
    int64_t sx = sign_extend(x, bits), sy = sign_extend(y, bits);
    if (y == 0) return 0;
    if (op == SpvOpUDiv) return x / y;
    if (op == SpvOpUMod) return x % y;
    if (sy == -1) /* the smallest integer divided by -1 overflows */
        return op == SpvOpSDiv ? 0 - x : 0;
    if (op == SpvOpSDiv) return (uint64_t)(sx / sy);
    int64_t rest = sx % sy;
    if (op == SpvOpSMod && rest && (rest < 0) != (sy < 0)) rest += sy;
    return (uint64_t)rest;
}

static void op_divide(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t undef = b[i].bits == 0 ? mask : all_or_none(a[i].undef | b[i].undef) & mask;
        uint32_t prov = join_prov(a[i].prov, b[i].prov);
        to[i] = (struct cell){divide(in->op, bits, a[i].bits, b[i].bits) & mask, undef, prov, 0};
    }
}

static void op_shift(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    for (uint32_t i = 0; i < in->n; i++) {
        struct cell r = {0, mask, a[i].prov, 0};
        unsigned by = (unsigned)b[i].bits;
        if (b[i].undef == 0 && b[i].bits < bits) {
            if (in->op == SpvOpShiftLeftLogical) {
                r.bits = a[i].bits << by;
                r.undef = a[i].undef << by;
            } else if (in->op == SpvOpShiftRightLogical) {
                r.bits = a[i].bits >> by;
                r.undef = (a[i].undef & mask) >> by;
            } else {
                r.bits = (uint64_t)(sign_extend(a[i].bits, bits) >> by);
                r.undef = (uint64_t)(sign_extend(a[i].undef, bits) >> by);
            }
        }
        to[i] = (struct cell){r.bits & mask, r.undef & mask, r.prov, 0};
    }
}

#define UNARY(name, undef_rule, expression)                                                                            \
    static void name(struct item *item, const struct inst *in)                                                         \
    {                                                                                                                  \
        const struct cell *a = value(item, in->a);                                                                     \
        struct cell *to = item->frame + in->dst;                                                                       \
        const uint64_t mask = mask_of(in->bits);                                                                       \
        for (uint32_t i = 0; i < in->n; i++) {                                                                         \
            const uint64_t x = a[i].bits, u = a[i].undef;                                                              \
            to[i] = (struct cell){(expression)&mask, (undef_rule)&mask, a[i].prov, 0};                                 \
        }                                                                                                              \
    }

UNARY(op_not, u, ~x)
UNARY(op_snegate, carried(u), 0 - x)
UNARY(op_fnegate, u, x ^ (UINT64_C(1) << (in->bits - 1)))
UNARY(op_bit_count, all_or_none(u), (uint64_t)__builtin_popcountll(x))

static uint64_t reverse(uint64_t x, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

UNARY(op_bit_reverse, reverse(u, in->bits), reverse(x, in->bits))

static void op_bit_insert(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    uint64_t offset = value(item, in->c)->bits, count = value(item, operand(item, in, 3))->bits;
    uint64_t field = offset + count > bits ? 0 : mask_of((unsigned)count) << offset;
    if (count == 0) field = 0;
    for (uint32_t i = 0; i < in->n; i++) {
        struct cell r = {(a[i].bits & ~field) | (b[i].bits << offset & field),
                         (a[i].undef & ~field) | (b[i].undef << offset & field), 0, 0};
        r.prov = join_prov(a[i].prov, b[i].prov);
        r.bits &= mask;
        to[i] = r;
    }
}

static void op_bit_extract(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    struct cell *to = item->frame + in->dst;
    uint64_t offset = value(item, in->b)->bits, count = value(item, in->c)->bits;
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t field = count ? a[i].bits >> offset & mask_of((unsigned)count) : 0;
        uint64_t undef = count ? a[i].undef >> offset & mask_of((unsigned)count) : 0;
        if (in->op == SpvOpBitFieldSExtract && count)
            field = (uint64_t)sign_extend(field, (unsigned)count) & mask_of(in->bits);
        to[i] = (struct cell){field, all_or_none(undef) & mask_of(in->bits), a[i].prov, 0};
    }
}

/* ---- Extended results: structures of two members ----------------------------------------------------------------- */

static uint64_t high_product(uint64_t x, uint64_t y, unsigned bits, bool is_signed)
{
    if (bits < 64) return is_signed ? (uint64_t)(sign_extend(x, bits) * sign_extend(y, bits)) >> bits : x * y >> bits;
    uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
    uint64_t middle = xh * yl + (xl * yl >> 32), other = xl * yh + (uint32_t)middle;
    uint64_t high = xh * yh + (middle >> 32) + (other >> 32);
    if (is_signed) high -= ((x >> 63) ? y : 0) + ((y >> 63) ? x : 0);
    return high;
}

static void op_wide(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a), *b = value(item, in->b);
    struct cell *to = item->frame + in->dst;
    uint32_t n = in->n / 2;
    unsigned bits = in->sbits;
    uint64_t mask = mask_of(bits);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t x = a[i].bits, y = b[i].bits, low, high, undef = all_or_none(a[i].undef | b[i].undef) & mask;
        switch (in->op) {
        case SpvOpIAddCarry: low = x + y, high = (low & mask) < x; break;
        case SpvOpISubBorrow: low = x - y, high = x < y; break;
        default: low = x * y, high = high_product(x, y, bits, in->op == SpvOpSMulExtended); break;
        }
        to[i] = (struct cell){low & mask, undef, 0, 0};
        to[n + i] = (struct cell){high & mask, undef, 0, 0};
    }
}

/* ---- Floats ------------------------------------------------------------------------------------------------------ */

static double floor_mod(double x, double y)
{
    double r = fmod(x, y);
    return r != 0.0 && (r < 0) != (y < 0) ? r + y : r;
}

/* Rounds once to `width`: a float or half operation that is computed in double has the correct result. */
static uint64_t float_operate(uint16_t op, unsigned width, uint64_t p, uint64_t q)
{
    double x = nfj_to_double(p, width), y = nfj_to_double(q, width), r;
    switch (op) {
    case SpvOpFAdd: r = x + y; break;
    case SpvOpFSub: r = x - y; break;
    case SpvOpFMul: r = x * y; break;
    case SpvOpFDiv: r = x / y; break;
    case SpvOpFRem: r = fmod(x, y); break;
    default: r = floor_mod(x, y); break;
    }
    return nfj_from_double(r, width);
}

static void op_float(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t undef = all_or_none(a[i].undef | b[i].undef) & mask;
        to[i] = (struct cell){float_operate(in->op, bits, a[i].bits, b[i].bits), undef, 0, 0};
    }
}

static void op_vector_times_scalar(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    const struct cell scalar = *b;
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t undef = all_or_none(a[i].undef | scalar.undef) & mask;
        to[i] = (struct cell){float_operate(SpvOpFMul, bits, a[i].bits, scalar.bits), undef, 0, 0};
    }
}

static void op_dot(struct item *item, const struct inst *in)
{
    OPERANDS(item, in);
    const uint32_t *w = item->module->words + in->word;
    uint32_t n = nfj_type(item->module, item->module->ids[w[3]].type)->count;
    struct cell sum = {0, 0, 0, 0};
    for (uint32_t i = 0; i < n; i++) {
        uint64_t product = float_operate(SpvOpFMul, bits, a[i].bits, b[i].bits);
        sum.bits = i ? float_operate(SpvOpFAdd, bits, sum.bits, product) : product;
        sum.undef |= all_or_none(a[i].undef | b[i].undef) & mask;
    }
    *to = sum;
}

/* ---- Scalar operations for atomics and groups -------------------------------------------------------------------- */

static uint64_t float_pick(uint16_t op, unsigned bits, uint64_t x, uint64_t y)
{
    double p = nfj_to_double(x, bits), q = nfj_to_double(y, bits);
    if (isnan(p) || isnan(q)) return isnan(p) ? y : x;
    return (op == 5614 ? q < p : q > p) ? y : x;
}

/* Returns the result of an operation on two scalars. `op` is the opcode of the ordinary instruction, or for minimum,
 * maximum and exchange of the atomic one. */
uint64_t nfj_operate(uint16_t op, unsigned bits, uint64_t x, uint64_t y)
{
    uint64_t mask = mask_of(bits);
    switch (op) {
    case SpvOpIAdd: return (x + y) & mask;
    case SpvOpISub: return (x - y) & mask;
    case SpvOpIMul: return x * y & mask;
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd: return x & y;
    case SpvOpBitwiseOr:
    case SpvOpLogicalOr: return x | y;
    case SpvOpBitwiseXor:
    case SpvOpLogicalNotEqual: return x ^ y;
    case SpvOpAtomicSMin: return sign_extend(y, bits) < sign_extend(x, bits) ? y : x;
    case SpvOpAtomicSMax: return sign_extend(y, bits) > sign_extend(x, bits) ? y : x;
    case SpvOpAtomicUMin: return y < x ? y : x;
    case SpvOpAtomicUMax: return y > x ? y : x;
    case SpvOpFAdd:
    case SpvOpFMul: return float_operate(op, bits, x, y);
    case 5614:
    case 5615: return float_pick(op, bits, x, y); /* OpAtomicFMinEXT, OpAtomicFMaxEXT */
    default: return y;
    }
}

const struct opinfo nfj_arith_ops[] = {
    {SpvOpIAdd, "v", op_iadd},
    {SpvOpISub, "v", op_isub},
    {SpvOpIMul, "v", op_imul},
    {SpvOpUDiv, "v", op_divide},
    {SpvOpSDiv, "v", op_divide},
    {SpvOpUMod, "v", op_divide},
    {SpvOpSRem, "v", op_divide},
    {SpvOpSMod, "v", op_divide},
    {SpvOpSNegate, "v", op_snegate},
    {SpvOpFNegate, "v", op_fnegate},
    {SpvOpFAdd, "v", op_float},
    {SpvOpFSub, "v", op_float},
    {SpvOpFMul, "v", op_float},
    {SpvOpFDiv, "v", op_float},
    {SpvOpFRem, "v", op_float},
    {SpvOpFMod, "v", op_float},
    {SpvOpVectorTimesScalar, "v", op_vector_times_scalar},
    {SpvOpDot, "v", op_dot},
    {SpvOpIAddCarry, "v", op_wide},
    {SpvOpISubBorrow, "v", op_wide},
    {SpvOpUMulExtended, "v", op_wide},
    {SpvOpSMulExtended, "v", op_wide},
    {SpvOpShiftLeftLogical, "v", op_shift},
    {SpvOpShiftRightLogical, "v", op_shift},
    {SpvOpShiftRightArithmetic, "v", op_shift},
    {SpvOpBitwiseAnd, "v", op_and},
    {SpvOpBitwiseOr, "v", op_or},
    {SpvOpBitwiseXor, "v", op_xor},
    {SpvOpNot, "v", op_not},
    {SpvOpBitCount, "v", op_bit_count},
    {SpvOpBitReverse, "v", op_bit_reverse},
    {SpvOpBitFieldInsert, "v", op_bit_insert},
    {SpvOpBitFieldSExtract, "v", op_bit_extract},
    {SpvOpBitFieldUExtract, "v", op_bit_extract},
    {SpvOpLogicalAnd, "v", op_and},
    {SpvOpLogicalOr, "v", op_or},
    {SpvOpLogicalNot, "v", op_not},
    {SpvOpLogicalEqual, "v", op_logical_equal},
    {SpvOpLogicalNotEqual, "v", op_xor},
    {0, NULL, NULL},
};
