/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convert.c - conversions between types of numbers, and bitcasts. Integer conversions and bitcasts keep the provenance,
 * because an address may pass through any of them.
 */
#include "judge.h"

#include <math.h>
#include <string.h>

#define EACH(item, in)                                                                                                 \
    const struct cell *a = value(item, (in)->a);                                                                       \
    struct cell *to = (item)->frame + (in)->dst;                                                                       \
    const uint64_t mask = mask_of((in)->bits);                                                                         \
    for (uint32_t i = 0; i < (in)->n; i++)

static bool saturates(const struct item *item, const struct inst *in)
{
    const uint32_t *w = item->module->words + in->word;
    return in->op == SpvOpSatConvertSToU || in->op == SpvOpSatConvertUToS || item->module->ids[w[2]].saturate;
}

static void op_uconvert(struct item *item, const struct inst *in)
{
    EACH(item, in)
    to[i] = (struct cell){a[i].bits & mask, a[i].undef & mask, a[i].prov, 0};
}

static void op_sconvert(struct item *item, const struct inst *in)
{
    EACH(item, in)
    {
        uint64_t bits = (uint64_t)sign_extend(a[i].bits, in->sbits);
        uint64_t undef = (uint64_t)sign_extend(a[i].undef, in->sbits);
        to[i] = (struct cell){bits & mask, undef & mask, a[i].prov, 0};
    }
}

/* Saturates to signed from unsigned, or to unsigned from signed, at the limits of the target. */
static void op_saturate(struct item *item, const struct inst *in)
{
    EACH(item, in)
    {
        uint64_t bits = a[i].bits;
        if (in->op == SpvOpSatConvertUToS) {
            bits = bits > mask >> 1 ? mask >> 1 : bits;
        } else {
            int64_t v = sign_extend(bits, in->sbits);
            bits = v < 0 ? 0 : (uint64_t)v > mask ? mask : (uint64_t)v;
        }
        to[i] = (struct cell){bits, a[i].undef ? mask : 0, 0, 0};
    }
}

static double round_as_told(const struct item *item, const struct inst *in, double value)
{
    switch ((int)item->module->ids[item->module->words[in->word + 2]].rounding - 1) {
    case SpvFPRoundingModeRTE: return nearbyint(value);
    case SpvFPRoundingModeRTP: return ceil(value);
    case SpvFPRoundingModeRTN: return floor(value);
    default: return trunc(value);
    }
}

static uint64_t to_integer(double value, unsigned bits, bool is_signed)
{
    double limit = ldexp(1.0, (int)bits - is_signed), low = is_signed ? -limit : 0.0;
    if (isnan(value)) return 0;
    if (value >= limit) return is_signed ? mask_of(bits) >> 1 : mask_of(bits);
    if (value <= low) return is_signed ? UINT64_C(1) << (bits - 1) : 0;
    return is_signed ? (uint64_t)(int64_t)value & mask_of(bits) : (uint64_t)value;
}

static void op_float_to_integer(struct item *item, const struct inst *in)
{
    bool saturate = saturates(item, in), is_signed = in->op == SpvOpConvertFToS;
    EACH(item, in)
    {
        double x = round_as_told(item, in, nfj_to_double(a[i].bits, in->sbits));
        double limit = ldexp(1.0, in->bits - is_signed);
        bool fits = x < limit && (is_signed ? x >= -limit : x > -1.0);
        to[i] = (struct cell){to_integer(x, in->bits, is_signed), a[i].undef || (!fits && !saturate) ? mask : 0, 0, 0};
    }
}

/* A conversion of a 64-bit integer to float must round once. */
static uint64_t from_integer(uint64_t x, unsigned from, unsigned width, bool is_signed)
{
    int64_t s = sign_extend(x, from);
    if (width == 64) return nfj_from_double(is_signed ? (double)s : (double)x, 64);
    float f = is_signed ? (float)s : (float)x;
    if (width == 32) return nfj_from_double((double)f, 32);
    return nfj_double_to_half(is_signed ? (double)s : (double)x, 0);
}

static void op_integer_to_float(struct item *item, const struct inst *in)
{
    EACH(item, in)
    {
        uint64_t bits = from_integer(a[i].bits, in->sbits, in->bits, in->op == SpvOpConvertSToF);
        to[i] = (struct cell){bits, a[i].undef ? mask : 0, 0, 0};
    }
}

static void op_fconvert(struct item *item, const struct inst *in)
{
    int rounding = item->module->ids[item->module->words[in->word + 2]].rounding;
    EACH(item, in)
    {
        double x = nfj_to_double(a[i].bits, in->sbits);
        uint64_t bits = in->bits == 16 ? nfj_double_to_half(x, rounding) : nfj_from_double(x, in->bits);
        to[i] = (struct cell){bits, a[i].undef ? mask : 0, 0, 0};
    }
}

static void op_quantize(struct item *item, const struct inst *in)
{
    EACH(item, in)
    {
        double x = nfj_half_to_double(nfj_double_to_half(nfj_to_double(a[i].bits, 32), 0));
        to[i] = (struct cell){nfj_from_double(x, 32), a[i].undef & mask, 0, 0};
    }
}

/* ---- Bitcasts ---------------------------------------------------------------------------------------------------- */

/* Components of different widths are taken in order of their bits, lowest first. */
static void recut(struct cell *to, uint32_t n, unsigned bits, const struct cell *from, uint32_t count, unsigned sbits)
{
    uint8_t bytes[128] = {0}, undef[128] = {0};
    uint32_t provs[128] = {0};
    unsigned size = sbits / 8;
    for (uint32_t i = 0; i < count && (i + 1) * size <= 128; i++) {
        memcpy(bytes + i * size, &from[i].bits, size);
        memcpy(undef + i * size, &from[i].undef, size);
        for (unsigned k = 0; k < size; k++)
            provs[i * size + k] = from[i].prov;
    }
    size = bits / 8;
    for (uint32_t i = 0; i < n && (i + 1) * size <= 128; i++) {
        struct cell r = {0, 0, 0, 0}, of = {0, 0, 0, 0};
        memcpy(&r.bits, bytes + i * size, size);
        memcpy(&r.undef, undef + i * size, size);
        uint64_t u = r.undef;
        for (unsigned k = 0; k < size; k++) {
            of.prov = provs[i * size + k];
            nfj_join(&r, &r, &of);
        }
        r.undef = u;
        to[i] = r;
    }
}

static void op_bitcast(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    struct cell *to = item->frame + in->dst;
    if (in->bits == in->sbits) {
        memmove(to, a, in->n * sizeof *to);
        return;
    }
    if (in->bits % 8 || in->sbits % 8) nfj_unknown(item, in);
    recut(to, in->n, in->bits, a, in->n * in->bits / in->sbits, in->sbits);
}

const struct opinfo nfj_convert_ops[] = {
    {SpvOpUConvert, "v", op_uconvert},
    {SpvOpSConvert, "v", op_sconvert},
    {SpvOpSatConvertSToU, "v", op_saturate},
    {SpvOpSatConvertUToS, "v", op_saturate},
    {SpvOpConvertFToU, "v", op_float_to_integer},
    {SpvOpConvertFToS, "v", op_float_to_integer},
    {SpvOpConvertSToF, "v", op_integer_to_float},
    {SpvOpConvertUToF, "v", op_integer_to_float},
    {SpvOpFConvert, "v", op_fconvert},
    {SpvOpQuantizeToF16, "v", op_quantize},
    {SpvOpBitcast, "v", op_bitcast},
    {0, NULL, NULL},
};
