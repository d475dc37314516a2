/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ext_memory.c - extended instructions with a pointer operand: functions that store a second result, loads and stores
 * of vectors and of half floats.
 */
#include "ext.h"

#include <math.h>

/* ---- Second results ---------------------------------------------------------------------------------------------- */

static double fraction(double x, double *whole, unsigned bits)
{
    static const double below_one[] = {0.99951171875, 0.999999940395355224609375, 0.99999999999999988897769753748};
    *whole = floor(x);
    if (isinf(x)) return copysign(0.0, x);
    return fmin(x - *whole, below_one[bits / 32]);
}

/* Returns the low seven bits of the quotient, with its sign; C's remquo() promises only three. */
static int quotient(double x, double y)
{
    double rest = fmod(fabs(x), 128.0 * fabs(y)), by = fabs(y);
    if (isnan(rest) || by == 0.0) return 0;
    int q = (int)nearbyint((rest - remainder(rest, by)) / by) & 127;
    return signbit(x) != signbit(y) ? -q : q;
}

/* @return the first result for `x`; sets the second, which is an integer for some functions. */
static double compute_both_results(uint32_t number, double x, double y, unsigned bits, double *second)
{
    int i = 0;
    double r = 0;
    switch (number) {
    case OpenCLstd_Fract: return fraction(x, second, bits);
    case OpenCLstd_Modf: r = modf(x, second); return r;
    case OpenCLstd_Sincos: *second = cos(x); return sin(x);
    case OpenCLstd_Frexp: r = frexp(x, &i); break;
    case OpenCLstd_Remquo:
        r = remainder(x, y);
        i = quotient(x, y);
        break;
    default:
        r = lgamma(x);
        i = x < 0 && fmod(floor(x), 2.0) != 0.0 ? -1 : 1;
        break;
    }
    *second = i;
    return r;
}

/* Accesses `n` scalars of `size` bytes each as one access, so that one report names all of them. */
static void move_leaves(struct item *item, const struct inst *in, const struct cell *pointer, enum space space,
                        uint32_t n, uint32_t size, struct cell *cells, bool write)
{
    uint64_t offset;
    struct object *o = nfj_access(item, in, pointer, space, (uint64_t)n * size, write, &offset);
    if (o && pointer->bits % size)
        nfj_report(item, in, "address 0x%llx is not aligned to %u", (unsigned long long)pointer->bits, size);
    for (uint32_t i = 0; i < n; i++) {
        if (!o)
            cells[i] = (struct cell){0, mask_of(size * 8), 0, 0};
        else if (write)
            nfj_store_leaf(o, offset + i * size, size, &cells[i]);
        else
            nfj_load_leaf(o, offset + i * size, size, &cells[i]);
    }
}

static void with_second(struct item *item, const struct inst *in, uint32_t number)
{
    uint32_t last = number == OpenCLstd_Remquo ? 2 : 1;
    /* The pointer may be untyped: the pointee is the result's type, or an int for each component. */
    bool integer = number == OpenCLstd_Frexp || number == OpenCLstd_Remquo || number == OpenCLstd_Lgamma_r;
    uint32_t bits = integer ? 32 : in->bits;
    const struct cell *a = ext_value(item, in, 0), *b = ext_value(item, in, last - 1);
    struct cell *to = item->frame + in->dst, out[16];
    const struct cell address = *ext_value(item, in, last);
    for (uint32_t i = 0; i < in->n && i < 16; i++) {
        double second = 0, x = nfj_to_double(a[i].bits, in->sbits), y = nfj_to_double(b[i].bits, in->sbits);
        uint64_t undef = a[i].undef | b[i].undef;
        double r = compute_both_results(number, x, y, in->sbits, &second);
        to[i] = (struct cell){nfj_from_double(r, in->bits), undef ? mask_of(in->bits) : 0, 0, 0};
        out[i] = (struct cell){0, undef ? mask_of(bits) : 0, 0, 0};
        out[i].bits = integer ? (uint64_t)(int64_t)second & mask_of(bits) : nfj_from_double(second, bits);
    }
    move_leaves(item, in, &address, ext_type(item, in, last)->space, in->n, bits / 8, out, true);
}

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

/* Returns pointer operand `p`, advanced by operand `offset` times `n` elements. */
static struct cell moved(struct item *item, const struct inst *in, uint32_t p, uint32_t offset, uint64_t bytes)
{
    struct cell pointer = *ext_value(item, in, p);
    const struct cell *by = ext_value(item, in, offset);
    pointer.bits = (pointer.bits + by->bits * bytes) & mask_of(item->module->address_bits);
    if (by->undef) pointer.undef = UINT64_MAX;
    return pointer;
}

static void load_vector(struct item *item, const struct inst *in)
{
    uint32_t size = in->bits / 8;
    struct cell pointer = moved(item, in, 1, 0, (uint64_t)in->n * size);
    move_leaves(item, in, &pointer, ext_type(item, in, 1)->space, in->n, size, item->frame + in->dst, false);
}

static void store_vector(struct item *item, const struct inst *in)
{
    const struct type *type = ext_type(item, in, 0);
    struct cell pointer = moved(item, in, 2, 1, type->cells * (uint64_t)(type->bits / 8)), cells[16];
    for (uint32_t i = 0; i < type->cells && i < 16; i++)
        cells[i] = ext_value(item, in, 0)[i];
    move_leaves(item, in, &pointer, ext_type(item, in, 2)->space, type->cells, type->bits / 8, cells, true);
}

/* ---- Halves ------------------------------------------------------------------------------------------------------ */

/* The aligned forms store a vector of three components at intervals of four. */
static uint64_t half_stride(uint32_t n, bool aligned)
{
    return (aligned && n == 3 ? 4 : n) * UINT64_C(2);
}

static void load_halves(struct item *item, const struct inst *in, bool aligned)
{
    struct cell pointer = moved(item, in, 1, 0, half_stride(in->n, aligned));
    struct cell *to = item->frame + in->dst;
    move_leaves(item, in, &pointer, ext_type(item, in, 1)->space, in->n, 2, to, false);
    for (uint32_t i = 0; i < in->n; i++) {
        to[i].bits = nfj_from_double(nfj_half_to_double((uint16_t)to[i].bits), in->bits);
        to[i].undef = to[i].undef ? mask_of(in->bits) : 0;
        to[i].prov = 0;
    }
}

static void store_halves(struct item *item, const struct inst *in, bool aligned, bool rounded)
{
    const struct type *type = ext_type(item, in, 0);
    struct cell pointer = moved(item, in, 2, 1, half_stride(type->cells, aligned)), cells[16];
    int rounding = rounded ? (int)item->module->words[in->word + 8] + 1 : 0;
    for (uint32_t i = 0; i < type->cells && i < 16; i++) {
        const struct cell *from = ext_value(item, in, 0) + i;
        uint16_t half = nfj_double_to_half(nfj_to_double(from->bits, type->bits), rounding);
        cells[i] = (struct cell){half, from->undef ? 0xffff : 0, 0, 0};
    }
    move_leaves(item, in, &pointer, ext_type(item, in, 2)->space, type->cells, 2, cells, true);
}

bool nfj_ext_memory(struct item *item, const struct inst *in, uint32_t number)
{
    switch (number) {
    case OpenCLstd_Fract:
    case OpenCLstd_Frexp:
    case OpenCLstd_Lgamma_r:
    case OpenCLstd_Modf:
    case OpenCLstd_Remquo:
    case OpenCLstd_Sincos: with_second(item, in, number); return true;
    case OpenCLstd_Vloadn: load_vector(item, in); return true;
    case OpenCLstd_Vstoren: store_vector(item, in); return true;
    case OpenCLstd_Vload_half:
    case OpenCLstd_Vload_halfn: load_halves(item, in, false); return true;
    case OpenCLstd_Vloada_halfn: load_halves(item, in, true); return true;
    case OpenCLstd_Vstore_half:
    case OpenCLstd_Vstore_halfn: store_halves(item, in, false, false); return true;
    case OpenCLstd_Vstore_half_r:
    case OpenCLstd_Vstore_halfn_r: store_halves(item, in, false, true); return true;
    case OpenCLstd_Vstorea_halfn: store_halves(item, in, true, false); return true;
    case OpenCLstd_Vstorea_halfn_r: store_halves(item, in, true, true); return true;
    default: return false;
    }
}
