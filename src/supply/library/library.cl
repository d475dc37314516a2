/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.cl - functions that devices lack, in OpenCL C 1.2.
 *
 * generate.py compiles this file to words.inc, and library.c copies the functions that a module needs from there. No
 * function uses variables of the program scope, built-in variables, or features that a device may lack, except half and
 * double in functions for these types.
 */
#define CONVERGENT __attribute__((convergent))

/* ---- LLVM's memory intrinsics, for each pair of storage classes, whose SPIR-V numbers are in the names ---- */

#define FILL(space, to)                                                                                                \
    void nonflat_fill_##to(space volatile uchar *target, uchar value, ulong size)                                      \
    {                                                                                                                  \
        for (ulong i = 0; i < size; i++)                                                                               \
            target[i] = value;                                                                                         \
    }
FILL(private, 7)
FILL(local, 4)
FILL(global, 5)

#define UP(target, source, size)                                                                                       \
    for (ulong i = 0; i < size; i++)                                                                                   \
        target[i] = source[i];
#define DOWN(target, source, size)                                                                                     \
    for (ulong i = size; i > 0; i--)                                                                                   \
        target[i - 1] = source[i - 1];

/* Memory of different storage classes does not overlap, so these functions copy in ascending order only. */
#define COPY(target_space, to, source_space, from)                                                                     \
    void nonflat_move_##to##_##from(target_space volatile uchar *target, source_space const volatile uchar *source,    \
                                    ulong size)                                                                        \
    {                                                                                                                  \
        UP(target, source, size)                                                                                       \
    }
#define MOVE(space, number)                                                                                            \
    void nonflat_move_##number##_##number(space volatile uchar *target, space const volatile uchar *source,            \
                                          ulong size)                                                                  \
    {                                                                                                                  \
        if ((ulong)target > (ulong)source) {                                                                           \
            DOWN(target, source, size)                                                                                 \
        } else {                                                                                                       \
            UP(target, source, size)                                                                                   \
        }                                                                                                              \
    }
MOVE(private, 7)
MOVE(local, 4)
MOVE(global, 5)
COPY(private, 7, local, 4)
COPY(private, 7, global, 5)
COPY(private, 7, constant, 0)
COPY(local, 4, private, 7)
COPY(local, 4, global, 5)
COPY(local, 4, constant, 0)
COPY(global, 5, private, 7)
COPY(global, 5, local, 4)
COPY(global, 5, constant, 0)

/* ---- Group operations of a work-group ---- */

/* Computes an inclusive scan, and returns the sum that `kind` selects: 0 the last sum, 1 the work-item's own sum, 2 its
 * predecessor's. `all` has an element for each work-item, of which there are at most 1024, so ten unrolled steps
 * suffice. */
#define SCAN(T, name, none, op)                                                                                        \
    CONVERGENT __attribute__((noinline)) void nonflat_step_##name(local T *all, uint own, uint step)                   \
    {                                                                                                                  \
        T before = none;                                                                                               \
        if (own >= step) before = all[own - step];                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        T after = all[own];                                                                                            \
        all[own] = op(before, after);                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
    }                                                                                                                  \
    CONVERGENT T nonflat_scan_##name(local T *all, uint own, uint size, uint kind, T value)                            \
    {                                                                                                                  \
        all[own] = value;                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        nonflat_step_##name(all, own, 1);                                                                              \
        nonflat_step_##name(all, own, 2);                                                                              \
        nonflat_step_##name(all, own, 4);                                                                              \
        nonflat_step_##name(all, own, 8);                                                                              \
        nonflat_step_##name(all, own, 16);                                                                             \
        nonflat_step_##name(all, own, 32);                                                                             \
        nonflat_step_##name(all, own, 64);                                                                             \
        nonflat_step_##name(all, own, 128);                                                                            \
        nonflat_step_##name(all, own, 256);                                                                            \
        nonflat_step_##name(all, own, 512);                                                                            \
        T result = kind == 2 ? none : all[kind == 0 ? size - 1 : own];                                                 \
        if (kind == 2 && own > 0) result = all[own - 1];                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return result;                                                                                                 \
    }
/* Computes the same result as SCAN, in loops: for floating-point additions and multiplications, whose results depend on
 * the order, for larger work-groups, and for CPUs, where a barrier costs more than a loop. The order is that of native
 * implementations on CPUs, so that a program has the same results as natively. Scans are sequential, and so is a
 * reduction of `kind` 3, for functions that were compiled without optimizations. Other reductions combine eight lanes,
 * each of which combines every eighth value. */
#define LANES 8
#define SCAN_IN_ORDER(T, name, none, op)                                                                               \
    CONVERGENT T nonflat_scan_##name##_in_order(local T *all, uint own, uint size, uint kind, T value)                            \
    {                                                                                                                  \
        uint stride = kind == 0 ? LANES : 1, last = size < LANES ? size : LANES;                                       \
        all[own] = value;                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (own < stride)                                                                                              \
            for (uint i = own + stride; i < size; i += stride) {                                                       \
                value = op(value, all[i]);                                                                             \
                all[kind == 0 ? own : i] = value;                                                                      \
            }                                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        T result = all[kind == 0 ? 0 : kind == 3 ? size - 1 : own];                                                    \
        for (uint i = 1; i < (kind == 0 ? last : 0); i++)                                                              \
            result = op(result, all[i]);                                                                               \
        if (kind == 2) result = own > 0 ? all[own - 1] : none;                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return result;                                                                                                 \
    }
#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

#define BOTH(T, name, none, op)                                                                                        \
    SCAN(T, name, none, op)                                                                                            \
    SCAN_IN_ORDER(T, name, none, op)
#define INTEGERS(S, U, bits, least, most)                                                                              \
    BOTH(U, iadd_##bits, 0, ADD)                                                                                       \
    BOTH(U, imul_##bits, 1, MULTIPLY)                                                                                  \
    BOTH(S, smin_##bits, most, LESS)                                                                                   \
    BOTH(S, smax_##bits, least, MORE)                                                                                  \
    BOTH(U, umin_##bits, (U)~(U)0, LESS)                                                                               \
    BOTH(U, umax_##bits, 0, MORE)                                                                                      \
    BOTH(U, and_##bits, (U)~(U)0, AND)                                                                                 \
    BOTH(U, or_##bits, 0, OR)                                                                                          \
    BOTH(U, xor_##bits, 0, XOR)
INTEGERS(int, uint, 32, INT_MIN, INT_MAX)
INTEGERS(long, ulong, 64, LONG_MIN, LONG_MAX)

/* NaN operands are ignored, as by fmin and fmax. */
#define FLESS(a, b) ((b) < (a) || (a) != (a) ? (b) : (a))
#define FMORE(a, b) ((b) > (a) || (a) != (a) ? (b) : (a))
#define FLOATS(T, bits, infinity)                                                                                      \
    SCAN_IN_ORDER(T, fadd_##bits, (T)0, ADD)                                                                           \
    SCAN_IN_ORDER(T, fmul_##bits, (T)1, MULTIPLY)                                                                      \
    BOTH(T, fmin_##bits, infinity, FLESS)                                                                              \
    BOTH(T, fmax_##bits, -infinity, FMORE)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
FLOATS(half, 16, (half)INFINITY)
FLOATS(float, 32, INFINITY)
FLOATS(double, 64, (double)INFINITY)

#define BROADCAST(T, bits)                                                                                             \
    CONVERGENT T nonflat_broadcast_##bits(local T *all, uint own, uint chosen, T value)                                \
    {                                                                                                                  \
        if (own == chosen) *all = value;                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        T result = *all;                                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return result;                                                                                                 \
    }
BROADCAST(uchar, 8)
BROADCAST(ushort, 16)
BROADCAST(uint, 32)
BROADCAST(ulong, 64)

/* ---- Mathematics on floats, in integer arithmetic where a float operation would round ---- */

#pragma OPENCL FP_CONTRACT OFF
#define SIGN 0x80000000u
#define INFINITE 0x7f800000u

/* Returns the bits of the float nearest to `mantissa` times 2^`exponent`, ties to even. The lowest bit of `mantissa`
 * is also the sticky bit. */
uint nonflat_round_32(ulong mantissa, int exponent)
{
    if (!mantissa) return 0;
    for (int step = 32; step > 0; step /= 2)
        if (!(mantissa >> (64 - step))) {
            mantissa <<= step;
            exponent -= step;
        }
    int biased = exponent + 190, shift = biased > 0 ? 40 : 41 - biased; /* its value is 1.x times 2^(exponent + 63) */
    if (biased > 254) return INFINITE;
    if (shift > 64) return 0;
    ulong kept = shift > 63 ? 0 : mantissa >> shift, middle = 1ul << (shift - 1);
    ulong rest = mantissa & (middle | (middle - 1));
    if (rest > middle || (rest == middle && kept & 1)) kept++;
    return (biased > 0 ? (uint)(biased - 1) << 23 : 0) + (uint)kept;
}

/* Rounds like nonflat_round_32() for a float that is then converted to half: truncates, and ORs the sticky bit into the
 * lowest bit, so that only the conversion rounds. Results of operations on halves neither overflow nor underflow a
 * float. */
uint nonflat_cut_32(ulong mantissa, int exponent)
{
    if (!mantissa) return 0;
    for (int step = 32; step > 0; step /= 2)
        if (!(mantissa >> (64 - step))) {
            mantissa <<= step;
            exponent -= step;
        }
    return ((uint)(exponent + 189) << 23) + (uint)(mantissa >> 40 | (mantissa & 0xfffffffffful ? 1 : 0));
}

/* Splits a finite nonzero float into a 24-bit integer and the `exponent` of two that it is multiplied by. */
#define TAKE_APART(bits, mantissa, exponent)                                                                           \
    uint mantissa = bits & 0x7fffffu;                                                                                  \
    int exponent = (int)(bits >> 23 & 255) - 150;                                                                      \
    if (exponent == -150)                                                                                              \
        exponent++;                                                                                                    \
    else                                                                                                               \
        mantissa |= 0x800000u;

#define FUSED(name, rounded)                                                                                           \
    float name(float a, float b, float c)                                                                              \
    {                                                                                                                  \
        uint ua = as_uint(a), ub = as_uint(b), uc = as_uint(c), sign = (ua ^ ub) & SIGN;                               \
        if ((ua & ~SIGN) >= INFINITE || (ub & ~SIGN) >= INFINITE || !(ua & ~SIGN) || !(ub & ~SIGN)) return a * b + c;  \
        if ((uc & ~SIGN) >= INFINITE) return c + c;                                                                    \
        TAKE_APART(ua, ma, ea)                                                                                         \
        TAKE_APART(ub, mb, eb)                                                                                         \
        ulong product = (ulong)ma * mb << 14;                                                                          \
        int exponent = ea + eb - 14;                                                                                   \
        if (!(uc & ~SIGN)) return as_float(rounded(product, exponent) | sign);                                         \
        TAKE_APART(uc, mc, ec)                                                                                         \
        ulong added = (ulong)mc << 38;                                                                                 \
        ec -= 38;                                                                                                      \
        int apart = exponent - ec;                                                                                     \
        if (apart >= 0) {                                                                                              \
            added = apart > 63 ? 1 : added >> apart | (added & ((1ul << apart) - 1) ? 1 : 0);                          \
        } else {                                                                                                       \
            apart = -apart;                                                                                            \
            product = apart > 63 ? 1 : product >> apart | (product & ((1ul << apart) - 1) ? 1 : 0);                    \
            exponent = ec;                                                                                             \
        }                                                                                                              \
        if (sign == (uc & SIGN)) return as_float(rounded(product + added, exponent) | sign);                           \
        if (product == added) return 0.0f;                                                                             \
        if (product > added) return as_float(rounded(product - added, exponent) | sign);                               \
        return as_float(rounded(added - product, exponent) | (uc & SIGN));                                             \
    }
FUSED(nonflat_fma_32, nonflat_round_32)
FUSED(nonflat_fma_16, nonflat_cut_32)

/* Reduces an angle above pi/4: returns the number of quarter turns, modulo 4, and the remaining angle, in [-pi/4,
 * pi/4], as the sum of two floats. The angle is multiplied by 2/pi in fixed point (Payne and Hanek): the bits worth
 * multiples of four quarter turns are skipped, and the next 96 bits suffice. */
#define WINDOW(w, next) (skipped ? w << skipped | next >> (32 - skipped) : w)
uint nonflat_quarters(uint bits, private float *high, private float *low)
{
    uint w0 = 0, w1 = 0xa2f9836eu, w2 = 0x4e441529u, w3 = 0xfc2757d1u, w4 = 0xf534ddc0u, w5 = 0xdb629599u;
    uint w6 = 0x3c439041u, w7 = 0xfe5163abu, mantissa = (bits & 0x7fffffu) | 0x800000u;
    int skipped = (int)(bits >> 23) - 120;
    for (; skipped >= 32; skipped -= 32) {
        w0 = w1;
        w1 = w2;
        w2 = w3;
        w3 = w4;
        w4 = w5;
        w5 = w6;
        w6 = w7;
        w7 = 0;
    }
    ulong third = (ulong)WINDOW(w2, w3) * mantissa, second = (ulong)WINDOW(w1, w2) * mantissa + (third >> 32);
    ulong turned = second + ((ulong)(WINDOW(w0, w1) * mantissa) << 32); /* fixed point, 2.62 quarter turns */
    uint quarters = (uint)((turned + (1ul << 61)) >> 62);
    ulong left = turned - ((ulong)quarters << 62);
    uint sign = left >> 63 ? SIGN : 0;
    if (sign) left = 0 - left;
    int exponent = -62;
    for (int step = 32; step > 0; step /= 2)
        if (left && !(left >> (64 - step))) {
            left <<= step;
            exponent -= step;
        }
    /* Multiply by pi/2, whose bits are 0xc90fdaa2 2168c235, with one before the binary point. */
    ulong lh = left >> 32, ll = left & 0xffffffffu, ph = 0xc90fdaa2u, pl = 0x2168c235u;
    ulong middle = lh * pl + (ll * pl >> 32), other = ll * ph + (middle & 0xffffffffu);
    ulong radians = lh * ph + (middle >> 32) + (other >> 32); /* times 2^(exponent + 1) */
    uint scale = (uint)(exponent + 41 + 127) << 23;
    *high = as_float(as_uint((float)(radians >> 40) * as_float(scale)) | sign);
    scale = (uint)(exponent + 17 + 127) << 23;
    *low = as_float(as_uint((float)(radians >> 16 & 0xffffffu) * as_float(scale)) | sign);
    return quarters & 3;
}

/* The sine and the cosine of `high` + `low`, which is at most pi/4 in magnitude. */
float nonflat_sine(float high, float low)
{
    float square = high * high;
    float series = square * (1.0f / 120 + square * (-1.0f / 5040 + square * (1.0f / 362880))) - 1.0f / 6;
    return high + (high * square * series + low * (1.0f - 0.5f * square));
}
float nonflat_cosine(float high, float low)
{
    float square = high * high;
    float series = 1.0f / 24 + square * (-1.0f / 720 + square * (1.0f / 40320 - square * (1.0f / 3628800)));
    float half_square = 0.5f * square, near = 1.0f - half_square;
    return near + ((1.0f - near - half_square) + (square * square * series - high * low));
}

#define EIGHTH 0x3f490fdbu
#define TINY 0x39800000u
#define REDUCE(angle)                                                                                                  \
    float high = angle, low = 0;                                                                                       \
    uint bits = as_uint(angle) & ~SIGN, quarters = 0;                                                                  \
    if (bits >= INFINITE) return angle - angle;                                                                        \
    if (bits > EIGHTH) {                                                                                               \
        quarters = nonflat_quarters(bits, &high, &low);                                                                \
        if (angle < 0) {                                                                                               \
            high = -high;                                                                                              \
            low = -low;                                                                                                \
            quarters = 4 - quarters;                                                                                   \
        }                                                                                                              \
    }
float nonflat_sin_32(float angle)
{
    REDUCE(angle)
    if (bits < TINY) return angle;
    float result = quarters & 1 ? nonflat_cosine(high, low) : nonflat_sine(high, low);
    return quarters & 2 ? -result : result;
}
float nonflat_cos_32(float angle)
{
    REDUCE(angle)
    float result = quarters & 1 ? nonflat_sine(high, low) : nonflat_cosine(high, low);
    return (quarters + 1) & 2 ? -result : result;
}
float nonflat_tan_32(float angle)
{
    REDUCE(angle)
    if (bits < TINY) return angle;
    float sine = nonflat_sine(high, low), cosine = nonflat_cosine(high, low);
    return quarters & 1 ? -(cosine / sine) : sine / cosine;
}

/* Returns the quotient of remquo: the lowest seven bits of the quotient rounded to nearest, with its sign. */
int nonflat_quotient_32(float x, float y)
{
    uint ux = as_uint(x) & ~SIGN, uy = as_uint(y) & ~SIGN, quotient = 0;
    if (ux >= INFINITE || uy > INFINITE || !uy || uy == INFINITE || !ux) return 0;
    TAKE_APART(ux, mx, ex)
    TAKE_APART(uy, my, ey)
    ulong left = mx, by = my;
    for (; !(by & 0x800000u); ey--)
        by <<= 1;
    for (; !(left & 0x800000u); ex--)
        left <<= 1;
    if (ex < ey - 1) return 0;
    if (ex < ey) by <<= 1; /* the quotient is 0 or 1: only the final rounding matters */
    for (int i = ex - ey; i >= 0; i--) {
        quotient = quotient << 1 | (left >= by);
        if (left >= by) left -= by;
        if (i) left <<= 1;
    }
    ulong twice = left << 1;
    if (twice > by || (twice == by && quotient & 1)) quotient++;
    quotient &= 127;
    return (as_uint(x) ^ as_uint(y)) & SIGN ? -(int)quotient : (int)quotient;
}

/* ---- Complex numbers: products, quotients and absolute values, as compilers' run-time libraries have them ---------- */

/* The formulas and the order of operations are those of C11, G.5.1, so that a result without rounding is that of any
 * host, and a quotient that of a library which follows the example there. Macros of one T have its bits: SIGN_, INF_
 * and ONE_, the number of its fraction's bits and the bias of its exponent. */
#pragma OPENCL FP_CONTRACT OFF
#define SIGN_32 SIGN
#define INF_32 INFINITE
#define ONE_32 0x3f800000u
#define SIGN_64 0x8000000000000000ul
#define INF_64 0x7ff0000000000000ul
#define ONE_64 0x3ff0000000000000ul

#define COMPLEX(n, T, U, fraction, bias)                                                                               \
    U nonflat_magnitude_##n(T x) { return as_##U(x) & ~SIGN_##n; }                                                     \
    bool nonflat_is_nan_##n(T x) { return nonflat_magnitude_##n(x) > INF_##n; }                                        \
    bool nonflat_is_infinite_##n(T x) { return nonflat_magnitude_##n(x) == INF_##n; }                                  \
    T nonflat_boxed_##n(T x)                                                                                           \
    {                                                                                                                  \
        return as_##T((as_##U(x) & SIGN_##n) | (nonflat_is_infinite_##n(x) ? ONE_##n : 0));                            \
    }                                                                                                                  \
    T nonflat_zeroed_##n(T x) { return nonflat_is_nan_##n(x) ? as_##T(as_##U(x) & SIGN_##n) : x; }                     \
    /* Returns the product of zero and a number that is not NaN: Mesa 25.0 forgets the sign of such a product. */      \
    T nonflat_vanished_##n(T x)                                                                                        \
    {                                                                                                                  \
        return as_##T((as_##U(x) & SIGN_##n) | (nonflat_is_infinite_##n(x) ? INF_##n | 1 : 0));                        \
    }                                                                                                                  \
    T##2 nonflat_product_##n(T a, T b, T c, T d)                                                                       \
    {                                                                                                                  \
        T ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                              \
        T##2 product = (T##2)(ac - bd, ad + bc);                                                                       \
        bool again = false;                                                                                            \
        if (!nonflat_is_nan_##n(product.x) || !nonflat_is_nan_##n(product.y)) return product;                          \
        if (nonflat_is_infinite_##n(a) || nonflat_is_infinite_##n(b)) {                                                \
            a = nonflat_boxed_##n(a), b = nonflat_boxed_##n(b);                                                        \
            c = nonflat_zeroed_##n(c), d = nonflat_zeroed_##n(d);                                                      \
            again = true;                                                                                              \
        }                                                                                                              \
        if (nonflat_is_infinite_##n(c) || nonflat_is_infinite_##n(d)) {                                                \
            c = nonflat_boxed_##n(c), d = nonflat_boxed_##n(d);                                                        \
            a = nonflat_zeroed_##n(a), b = nonflat_zeroed_##n(b);                                                      \
            again = true;                                                                                              \
        }                                                                                                              \
        if (!again && (nonflat_is_infinite_##n(ac) || nonflat_is_infinite_##n(bd) || nonflat_is_infinite_##n(ad) ||    \
                       nonflat_is_infinite_##n(bc))) {                                                                 \
            a = nonflat_zeroed_##n(a), b = nonflat_zeroed_##n(b);                                                      \
            c = nonflat_zeroed_##n(c), d = nonflat_zeroed_##n(d);                                                      \
            again = true;                                                                                              \
        }                                                                                                              \
        if (again) product = as_##T(INF_##n) * (T##2)(a * c - b * d, a * d + b * c);                                   \
        return product;                                                                                                \
    }                                                                                                                  \
    /* Returns the exponent of a finite number that is not zero, from its magnitude. */                                \
    int nonflat_exponent_##n(U magnitude)                                                                              \
    {                                                                                                                  \
        int exponent = (int)(magnitude >> fraction) - bias;                                                            \
        if (exponent > -bias) return exponent;                                                                         \
        for (exponent++; !(magnitude >> fraction); exponent--)                                                         \
            magnitude <<= 1;                                                                                           \
        return exponent;                                                                                               \
    }                                                                                                                  \
    /* Returns x times a power of two, rounded once: two factors are needed only where the first is exact, or where    \
     * the result is zero. */                                                                                          \
    T nonflat_scaled_##n(T x, int exponent)                                                                            \
    {                                                                                                                  \
        int half_of_it = exponent / 2, rest = exponent;                                                                \
        if (exponent <= -bias || exponent >= bias) {                                                                   \
            x *= as_##T((U)(half_of_it + bias) << fraction);                                                           \
            rest -= half_of_it;                                                                                        \
        }                                                                                                              \
        return x * as_##T((U)(rest + bias) << fraction);                                                               \
    }                                                                                                                  \
    T##2 nonflat_quotient_of_complex_##n(T a, T b, T c, T d)                                                           \
    {                                                                                                                  \
        U mc = nonflat_magnitude_##n(c), md = nonflat_magnitude_##n(d), most = mc > md ? mc : md;                      \
        int exponent = 0;                                                                                              \
        if (most > INF_##n) most = mc < md ? mc : md; /* the other one, unless both are NaN */                         \
        if (most && most < INF_##n) {                                                                                  \
            exponent = -nonflat_exponent_##n(most);                                                                    \
            c = nonflat_scaled_##n(c, exponent);                                                                       \
            d = nonflat_scaled_##n(d, exponent);                                                                       \
        }                                                                                                              \
        T divisor = c * c + d * d;                                                                                     \
        T##2 quotient = (T##2)(nonflat_scaled_##n((a * c + b * d) / divisor, exponent),                                \
                               nonflat_scaled_##n((b * c - a * d) / divisor, exponent));                               \
        if (!nonflat_is_nan_##n(quotient.x) || !nonflat_is_nan_##n(quotient.y)) return quotient;                       \
        if (divisor == 0 && (!nonflat_is_nan_##n(a) || !nonflat_is_nan_##n(b)))                                        \
            return as_##T(INF_##n | (as_##U(c) & SIGN_##n)) * (T##2)(a, b);                                            \
        if ((nonflat_is_infinite_##n(a) || nonflat_is_infinite_##n(b)) && mc < INF_##n && md < INF_##n) {              \
            a = nonflat_boxed_##n(a), b = nonflat_boxed_##n(b);                                                        \
            return as_##T(INF_##n) * (T##2)(a * c + b * d, b * c - a * d);                                             \
        }                                                                                                              \
        if (most == INF_##n && nonflat_magnitude_##n(a) < INF_##n && nonflat_magnitude_##n(b) < INF_##n) {             \
            c = nonflat_boxed_##n(c), d = nonflat_boxed_##n(d);                                                        \
            return (T##2)(nonflat_vanished_##n(a * c + b * d), nonflat_vanished_##n(b * c - a * d));                   \
        }                                                                                                              \
        return quotient;                                                                                               \
    }                                                                                                                  \
    T nonflat_absolute_##n(T x, T y)                                                                                   \
    {                                                                                                                  \
        U mx = nonflat_magnitude_##n(x), my = nonflat_magnitude_##n(y), most = mx > my ? mx : my;                      \
        if (mx == INF_##n || my == INF_##n) return as_##T(INF_##n);                                                    \
        if (most > INF_##n) return x + y;                                                                              \
        if (!most) return 0;                                                                                           \
        int exponent = nonflat_exponent_##n(most);                                                                     \
        x = nonflat_scaled_##n(x, -exponent);                                                                          \
        y = nonflat_scaled_##n(y, -exponent);                                                                          \
        return nonflat_scaled_##n(sqrt(x * x + y * y), exponent);                                                      \
    }
COMPLEX(32, float, uint, 23, 127)
COMPLEX(64, double, ulong, 52, 1023)
#pragma OPENCL FP_CONTRACT DEFAULT

/* ---- A failed assert of SYCL: prints the facts that need no string operands, and the work-item continues --------- */

void nonflat_assert_failed(int line, ulong global_x, ulong global_y, ulong global_z, ulong local_x, ulong local_y,
                           ulong local_z)
{
    printf("line %d: global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] an assertion failed.\n", line, global_x,
           global_y, global_z, local_x, local_y, local_z);
}
