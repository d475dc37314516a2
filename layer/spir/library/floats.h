/* SPDX-License-Identifier: Apache-2.0 */
/*
 * floats.h - functions on floats and doubles that devices lack.
 *
 * The precision of half_ functions is a minimum, so they call the full-precision functions.
 */

#define LESS_EXACT_1(T, name)                                                                                          \
    T OVERLOAD name(T x);                                                                                              \
    T OVERLOAD half_##name(T x)                                                                                        \
    {                                                                                                                  \
        return name(x);                                                                                                \
    }
#define LESS_EXACT(T)                                                                                                  \
    LESS_EXACT_1(T, cos)                                                                                               \
    LESS_EXACT_1(T, exp)                                                                                               \
    LESS_EXACT_1(T, exp2)                                                                                              \
    LESS_EXACT_1(T, exp10)                                                                                             \
    LESS_EXACT_1(T, log)                                                                                               \
    LESS_EXACT_1(T, log2)                                                                                              \
    LESS_EXACT_1(T, log10)                                                                                             \
    LESS_EXACT_1(T, rsqrt)                                                                                             \
    LESS_EXACT_1(T, sin)                                                                                               \
    LESS_EXACT_1(T, sqrt)                                                                                              \
    LESS_EXACT_1(T, tan)                                                                                               \
    T OVERLOAD powr(T x, T y);                                                                                         \
    T OVERLOAD half_powr(T x, T y)                                                                                     \
    {                                                                                                                  \
        return powr(x, y);                                                                                             \
    }                                                                                                                  \
    T OVERLOAD half_divide(T x, T y)                                                                                   \
    {                                                                                                                  \
        return x / y;                                                                                                  \
    }                                                                                                                  \
    T OVERLOAD half_recip(T x)                                                                                         \
    {                                                                                                                  \
        return 1.0f / x;                                                                                               \
    }
#define LESS_EXACT_WIDE(T, n) LESS_EXACT(T##n)
LESS_EXACT(float)
FOR_SIZES(LESS_EXACT_WIDE, float)

/* LLVM's intrinsic, which the translation of a floating-point remainder uses. */
#define COPYSIGN(name, T, BITS, SIGN)                                                                                  \
    T nonflat_copysign_##name(T x, T y)                                                                                \
    {                                                                                                                  \
        BITS sign = __builtin_astype(y, BITS) & SIGN;                                                                  \
        return __builtin_astype((__builtin_astype(x, BITS) & ~SIGN) | sign, T);                                        \
    }
#define COPYSIGN_FLOAT(T, n) COPYSIGN(v##n##f32, float##n, uint##n, 0x80000000u)
#define COPYSIGN_DOUBLE(T, n) COPYSIGN(v##n##f64, double##n, ulong##n, 0x8000000000000000ul)
COPYSIGN(f32, float, uint, 0x80000000u)
COPYSIGN(f64, double, ulong, 0x8000000000000000ul)
FOR_SIZES(COPYSIGN_FLOAT, float)
FOR_SIZES(COPYSIGN_DOUBLE, double)
