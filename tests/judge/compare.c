/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.c - comparisons and classifications. Their results have no provenance, whatever the operands are.
 */
#include "judge.h"

#include <math.h>

static bool decide_integer(uint16_t op, unsigned bits, uint64_t x, uint64_t y)
{
    int64_t sx = sign_extend(x, bits), sy = sign_extend(y, bits);
    switch (op) {
    case SpvOpIEqual: return x == y;
    case SpvOpINotEqual: return x != y;
    case SpvOpULessThan: return x < y;
    case SpvOpULessThanEqual: return x <= y;
    case SpvOpUGreaterThan: return x > y;
    case SpvOpUGreaterThanEqual: return x >= y;
    case SpvOpSLessThan: return sx < sy;
    case SpvOpSLessThanEqual: return sx <= sy;
    case SpvOpSGreaterThan: return sx > sy;
    default: return sx >= sy;
    }
}

/* A result is undefined only if the undefined bits can change it, as far as that is cheap to determine. */
static bool is_decided(uint16_t op, const struct cell *a, const struct cell *b)
{
    uint64_t undef = a->undef | b->undef;
    return (op == SpvOpIEqual || op == SpvOpINotEqual) && ((a->bits ^ b->bits) & ~undef);
}

static void op_integer(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a), *b = value(item, in->b);
    struct cell *to = item->frame + in->dst;
    for (uint32_t i = 0; i < in->n; i++) {
        bool undef = (a[i].undef | b[i].undef) != 0 && !is_decided(in->op, &a[i], &b[i]);
        to[i] = (struct cell){decide_integer(in->op, in->sbits, a[i].bits, b[i].bits), undef, 0, 0};
    }
}

static bool decide_float(uint16_t op, double x, double y)
{
    bool unordered = isnan(x) || isnan(y);
    switch (op) {
    case SpvOpFOrdEqual: return x == y;
    case SpvOpFUnordEqual: return unordered || x == y;
    case SpvOpFOrdNotEqual:
    case SpvOpLessOrGreater: return !unordered && x != y;
    case SpvOpFUnordNotEqual: return unordered || x != y;
    case SpvOpFOrdLessThan: return x < y;
    case SpvOpFUnordLessThan: return unordered || x < y;
    case SpvOpFOrdGreaterThan: return x > y;
    case SpvOpFUnordGreaterThan: return unordered || x > y;
    case SpvOpFOrdLessThanEqual: return x <= y;
    case SpvOpFUnordLessThanEqual: return unordered || x <= y;
    case SpvOpFOrdGreaterThanEqual: return x >= y;
    case SpvOpFUnordGreaterThanEqual: return unordered || x >= y;
    case SpvOpOrdered: return !unordered;
    default: return unordered;
    }
}

static void op_float(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a), *b = value(item, in->b);
    struct cell *to = item->frame + in->dst;
    for (uint32_t i = 0; i < in->n; i++) {
        double x = nfj_to_double(a[i].bits, in->sbits), y = nfj_to_double(b[i].bits, in->sbits);
        bool undef = (a[i].undef | b[i].undef) != 0;
        to[i] = (struct cell){decide_float(in->op, x, y), undef, 0, 0};
    }
}

static bool classify(uint16_t op, double x, uint64_t bits, unsigned width)
{
    static const double smallest[] = {6.103515625e-05, 1.17549435082228750797e-38, 2.2250738585072014e-308};
    switch (op) {
    case SpvOpIsNan: return isnan(x);
    case SpvOpIsInf: return isinf(x);
    case SpvOpIsFinite: return isfinite(x);
    case SpvOpIsNormal: return isfinite(x) && fabs(x) >= smallest[width / 32];
    default: return bits >> (width - 1) & 1;
    }
}

static void op_classify(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    struct cell *to = item->frame + in->dst;
    for (uint32_t i = 0; i < in->n; i++) {
        double x = nfj_to_double(a[i].bits, in->sbits);
        to[i] = (struct cell){classify(in->op, x, a[i].bits, in->sbits), a[i].undef != 0, 0, 0};
    }
}

static void op_any_all(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    const uint32_t *w = item->module->words + in->word;
    uint32_t n = nfj_type(item->module, item->module->ids[w[3]].type)->cells;
    struct cell r = {in->op == SpvOpAll, 0, 0, 0};
    for (uint32_t i = 0; i < n; i++) {
        r.bits = in->op == SpvOpAll ? r.bits & a[i].bits : r.bits | a[i].bits;
        r.undef |= a[i].undef & 1;
    }
    item->frame[in->dst] = r;
}

const struct opinfo nfj_compare_ops[] = {
    {SpvOpIEqual, "v", op_integer},
    {SpvOpINotEqual, "v", op_integer},
    {SpvOpULessThan, "v", op_integer},
    {SpvOpULessThanEqual, "v", op_integer},
    {SpvOpUGreaterThan, "v", op_integer},
    {SpvOpUGreaterThanEqual, "v", op_integer},
    {SpvOpSLessThan, "v", op_integer},
    {SpvOpSLessThanEqual, "v", op_integer},
    {SpvOpSGreaterThan, "v", op_integer},
    {SpvOpSGreaterThanEqual, "v", op_integer},
    {SpvOpFOrdEqual, "v", op_float},
    {SpvOpFUnordEqual, "v", op_float},
    {SpvOpFOrdNotEqual, "v", op_float},
    {SpvOpFUnordNotEqual, "v", op_float},
    {SpvOpFOrdLessThan, "v", op_float},
    {SpvOpFUnordLessThan, "v", op_float},
    {SpvOpFOrdGreaterThan, "v", op_float},
    {SpvOpFUnordGreaterThan, "v", op_float},
    {SpvOpFOrdLessThanEqual, "v", op_float},
    {SpvOpFUnordLessThanEqual, "v", op_float},
    {SpvOpFOrdGreaterThanEqual, "v", op_float},
    {SpvOpFUnordGreaterThanEqual, "v", op_float},
    {SpvOpLessOrGreater, "v", op_float},
    {SpvOpOrdered, "v", op_float},
    {SpvOpUnordered, "v", op_float},
    {SpvOpIsNan, "v", op_classify},
    {SpvOpIsInf, "v", op_classify},
    {SpvOpIsFinite, "v", op_classify},
    {SpvOpIsNormal, "v", op_classify},
    {SpvOpSignBitSet, "v", op_classify},
    {SpvOpAny, "v", op_any_all},
    {SpvOpAll, "v", op_any_all},
    {0, NULL, NULL},
};
