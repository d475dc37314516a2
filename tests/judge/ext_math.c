/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ext_math.c - the functions of the OpenCL extended instruction set on floats, computed in double and rounded to the
 * operand's width.
 */
#include "ext.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static double f_acospi(double x)
{
    return acos(x) / PI;
}
static double f_asinpi(double x)
{
    return asin(x) / PI;
}
static double f_atanpi(double x)
{
    return atan(x) / PI;
}
static double f_cospi(double x)
{
    return cos(fmod(x, 2.0) * PI);
}
static double f_sinpi(double x)
{
    return sin(fmod(x, 2.0) * PI);
}
static double f_tanpi(double x)
{
    return tan(fmod(x, 2.0) * PI);
}
static double f_exp10(double x)
{
    return pow(10.0, x);
}
static double f_rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
static double f_recip(double x)
{
    return 1.0 / x;
}
static double f_degrees(double x)
{
    return x * (180.0 / PI);
}
static double f_radians(double x)
{
    return x * (PI / 180.0);
}
static double f_sign(double x)
{
    return isnan(x) ? 0.0 : x > 0 ? 1.0 : x < 0 ? -1.0 : x;
}
static double f_atan2pi(double y, double x)
{
    return atan2(y, x) / PI;
}
static double f_divide(double x, double y)
{
    return x / y;
}
static double f_maxmag(double x, double y)
{
    return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);
}
static double f_minmag(double x, double y)
{
    return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);
}
static double f_step(double edge, double x)
{
    return x < edge ? 0.0 : 1.0;
}
static double f_mad(double x, double y, double z)
{
    return x * y + z;
}
static double f_clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}
static double f_mix(double x, double y, double a)
{
    return x + (y - x) * a;
}
static double f_smoothstep(double low, double high, double x)
{
    double t = f_clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static double (*const unary[])(double) = {
    [OpenCLstd_Acos] = acos,
    [OpenCLstd_Acosh] = acosh,
    [OpenCLstd_Acospi] = f_acospi,
    [OpenCLstd_Asin] = asin,
    [OpenCLstd_Asinh] = asinh,
    [OpenCLstd_Asinpi] = f_asinpi,
    [OpenCLstd_Atan] = atan,
    [OpenCLstd_Atanh] = atanh,
    [OpenCLstd_Atanpi] = f_atanpi,
    [OpenCLstd_Cbrt] = cbrt,
    [OpenCLstd_Ceil] = ceil,
    [OpenCLstd_Cos] = cos,
    [OpenCLstd_Cosh] = cosh,
    [OpenCLstd_Cospi] = f_cospi,
    [OpenCLstd_Erfc] = erfc,
    [OpenCLstd_Erf] = erf,
    [OpenCLstd_Exp] = exp,
    [OpenCLstd_Exp2] = exp2,
    [OpenCLstd_Exp10] = f_exp10,
    [OpenCLstd_Expm1] = expm1,
    [OpenCLstd_Fabs] = fabs,
    [OpenCLstd_Floor] = floor,
    [OpenCLstd_Lgamma] = lgamma,
    [OpenCLstd_Log] = log,
    [OpenCLstd_Log2] = log2,
    [OpenCLstd_Log10] = log10,
    [OpenCLstd_Log1p] = log1p,
    [OpenCLstd_Logb] = logb,
    [OpenCLstd_Rint] = nearbyint,
    [OpenCLstd_Round] = round,
    [OpenCLstd_Rsqrt] = f_rsqrt,
    [OpenCLstd_Sin] = sin,
    [OpenCLstd_Sinh] = sinh,
    [OpenCLstd_Sinpi] = f_sinpi,
    [OpenCLstd_Sqrt] = sqrt,
    [OpenCLstd_Tan] = tan,
    [OpenCLstd_Tanh] = tanh,
    [OpenCLstd_Tanpi] = f_tanpi,
    [OpenCLstd_Tgamma] = tgamma,
    [OpenCLstd_Trunc] = trunc,
    [OpenCLstd_Half_cos] = cos,
    [OpenCLstd_Half_exp] = exp,
    [OpenCLstd_Half_exp2] = exp2,
    [OpenCLstd_Half_exp10] = f_exp10,
    [OpenCLstd_Half_log] = log,
    [OpenCLstd_Half_log2] = log2,
    [OpenCLstd_Half_log10] = log10,
    [OpenCLstd_Half_recip] = f_recip,
    [OpenCLstd_Half_rsqrt] = f_rsqrt,
    [OpenCLstd_Half_sin] = sin,
    [OpenCLstd_Half_sqrt] = sqrt,
    [OpenCLstd_Half_tan] = tan,
    [OpenCLstd_Native_cos] = cos,
    [OpenCLstd_Native_exp] = exp,
    [OpenCLstd_Native_exp2] = exp2,
    [OpenCLstd_Native_exp10] = f_exp10,
    [OpenCLstd_Native_log] = log,
    [OpenCLstd_Native_log2] = log2,
    [OpenCLstd_Native_log10] = log10,
    [OpenCLstd_Native_recip] = f_recip,
    [OpenCLstd_Native_rsqrt] = f_rsqrt,
    [OpenCLstd_Native_sin] = sin,
    [OpenCLstd_Native_sqrt] = sqrt,
    [OpenCLstd_Native_tan] = tan,
    [OpenCLstd_Degrees] = f_degrees,
    [OpenCLstd_Radians] = f_radians,
    [OpenCLstd_Sign] = f_sign,
};

static double (*const binary[])(double, double) = {
    [OpenCLstd_Atan2] = atan2,
    [OpenCLstd_Atan2pi] = f_atan2pi,
    [OpenCLstd_Copysign] = copysign,
    [OpenCLstd_Fdim] = fdim,
    [OpenCLstd_Fmax] = fmax,
    [OpenCLstd_Fmin] = fmin,
    [OpenCLstd_Fmod] = fmod,
    [OpenCLstd_Hypot] = hypot,
    [OpenCLstd_Maxmag] = f_maxmag,
    [OpenCLstd_Minmag] = f_minmag,
    [OpenCLstd_Pow] = pow,
    [OpenCLstd_Powr] = pow,
    [OpenCLstd_Remainder] = remainder,
    [OpenCLstd_Half_divide] = f_divide,
    [OpenCLstd_Half_powr] = pow,
    [OpenCLstd_Native_divide] = f_divide,
    [OpenCLstd_Native_powr] = pow,
    [OpenCLstd_FMax_common] = fmax,
    [OpenCLstd_FMin_common] = fmin,
    [OpenCLstd_Step] = f_step,
};

static double (*const ternary[])(double, double, double) = {
    [OpenCLstd_Fma] = fma,
    [OpenCLstd_Mad] = f_mad,
    [OpenCLstd_FClamp] = f_clamp,
    [OpenCLstd_Mix] = f_mix,
    [OpenCLstd_Smoothstep] = f_smoothstep,
};

#define COUNT(table) (sizeof table / sizeof *(table))

/* ---- By component ------------------------------------------------------------------------------------------------ */

static void by_component(struct item *item, const struct inst *in, uint32_t number)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *args[3] = {NULL, NULL, NULL};
    bool wide[3] = {true, true, true}; /* a scalar edge or limit applies to every component */
    uint32_t n = in->nops - 2u < 3 ? in->nops - 2u : 3;
    for (uint32_t i = 0; i < n; i++) {
        args[i] = ext_value(item, in, i);
        wide[i] = ext_type(item, in, i)->cells > 1;
    }
    for (uint32_t i = 0; i < in->n; i++) {
        double x[3] = {0, 0, 0};
        uint64_t undef = 0;
        for (uint32_t k = 0; k < n; k++) {
            const struct cell *c = &args[k][wide[k] ? i : 0];
            x[k] = nfj_to_double(c->bits, in->sbits);
            undef |= c->undef;
        }
        double r = n == 1   ? unary[number](x[0])
                   : n == 2 ? binary[number](x[0], x[1])
                            : ternary[number](x[0], x[1], x[2]);
        to[i] = (struct cell){nfj_from_double(r, in->bits), undef ? mask_of(in->bits) : 0, 0, 0};
    }
}

static uint64_t next_after(uint64_t x, uint64_t y, unsigned bits)
{
    double from = nfj_to_double(x, bits), to = nfj_to_double(y, bits);
    uint64_t sign = UINT64_C(1) << (bits - 1);
    if (isnan(from) || isnan(to)) return nfj_from_double((double)NAN, bits);
    if (from == to) return y;
    if (from == 0.0) return (to < 0 ? sign : 0) | 1;
    return (to > from) == (from > 0) ? x + 1 : x - 1;
}

static double root(double x, int64_t n)
{
    double r = pow(fabs(x), 1.0 / (double)n);
    return x < 0 ? (n & 1 ? -r : (double)NAN) : r;
}

static int64_t exponent_of(double x)
{
    return x == 0.0 ? INT32_MIN : isnan(x) || isinf(x) ? INT32_MAX : ilogb(x);
}

/* Executes functions with an integer among operands or results. */
static bool mixed(struct item *item, const struct inst *in, uint32_t number)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *a = ext_value(item, in, 0), *b = in->nops > 3 ? ext_value(item, in, 1) : a;
    unsigned bbits = in->nops > 3 ? ext_type(item, in, 1)->bits : in->sbits;
    bool wide = in->nops > 3 && ext_type(item, in, 1)->cells > 1;
    for (uint32_t i = 0; i < in->n; i++) {
        const struct cell *y = in->nops > 3 ? &b[wide ? i : 0] : &a[i];
        double x = nfj_to_double(a[i].bits, in->sbits);
        int64_t k = sign_extend(y->bits, bbits);
        uint64_t r;
        switch (number) {
        case OpenCLstd_Ldexp:
            r = nfj_from_double(ldexp(x, k > 5000 ? 5000 : k < -5000 ? -5000 : (int)k), in->bits);
            break;
        case OpenCLstd_Pown: r = nfj_from_double(pow(x, (double)k), in->bits); break;
        case OpenCLstd_Rootn: r = nfj_from_double(root(x, k), in->bits); break;
        case OpenCLstd_Ilogb: r = (uint64_t)exponent_of(x) & mask_of(in->bits); break;
        case OpenCLstd_Nextafter: r = next_after(a[i].bits, y->bits, in->bits); break;
        case OpenCLstd_Nan: r = nfj_from_double((double)NAN, in->bits); break;
        default: return false;
        }
        to[i] = (struct cell){r, (a[i].undef | y->undef) ? mask_of(in->bits) : 0, 0, 0};
    }
    return true;
}

/* ---- Geometry ---------------------------------------------------------------------------------------------------- */

static double length_of(const struct cell *a, const struct cell *b, uint32_t n, unsigned bits)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double d = nfj_to_double(a[i].bits, bits) - (b ? nfj_to_double(b[i].bits, bits) : 0.0);
        sum += d * d;
    }
    return sqrt(sum);
}

static void cross(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst;
    double a[3], b[3];
    uint64_t undef = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const struct cell *x = ext_value(item, in, 0) + i, *y = ext_value(item, in, 1) + i;
        a[i] = nfj_to_double(x->bits, in->bits);
        b[i] = nfj_to_double(y->bits, in->bits);
        undef |= x->undef | y->undef;
    }
    for (uint32_t i = 0; i < in->n; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        double r = i < 3 ? a[j] * b[k] - a[k] * b[j] : 0.0;
        to[i] = (struct cell){nfj_from_double(r, in->bits), undef ? mask_of(in->bits) : 0, 0, 0};
    }
}

static bool geometry(struct item *item, const struct inst *in, uint32_t number)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *a = ext_value(item, in, 0);
    uint32_t n = ext_type(item, in, 0)->cells;
    double length;
    switch (number) {
    case OpenCLstd_Cross: cross(item, in); return true;
    case OpenCLstd_Distance:
    case OpenCLstd_Fast_distance:
        length = length_of(a, ext_value(item, in, 1), n, in->sbits);
        *to = (struct cell){nfj_from_double(length, in->bits), 0, 0, 0};
        return true;
    case OpenCLstd_Length:
    case OpenCLstd_Fast_length:
        *to = (struct cell){nfj_from_double(length_of(a, NULL, n, in->sbits), in->bits), 0, 0, 0};
        return true;
    case OpenCLstd_Normalize:
    case OpenCLstd_Fast_normalize:
        length = length_of(a, NULL, n, in->sbits);
        for (uint32_t i = 0; i < n; i++) {
            double x = nfj_to_double(a[i].bits, in->sbits);
            to[i] = (struct cell){nfj_from_double(length > 0 ? x / length : x, in->bits), 0, 0, 0};
        }
        return true;
    default: return false;
    }
}

bool nfj_ext_math(struct item *item, const struct inst *in, uint32_t number)
{
    uint32_t args = in->nops - 2u;
    if ((args == 1 && number < COUNT(unary) && unary[number]) ||
        (args == 2 && number < COUNT(binary) && binary[number]) ||
        (args == 3 && number < COUNT(ternary) && ternary[number])) {
        by_component(item, in, number);
        return true;
    }
    return geometry(item, in, number) || mixed(item, in, number);
}
