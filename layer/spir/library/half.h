/* SPDX-License-Identifier: Apache-2.0 */
/*
 * half.h - math on 16-bit floats and their vectors, computed in 32 bits, which is precise enough for most functions;
 * the last section has the others.
 */

static float OVERLOAD to_float(half x)
{
    return (float)x;
}
static half OVERLOAD to_half(float x)
{
    return (half)x;
}
#define CONVERSIONS(T, n)                                                                                              \
    static float##n OVERLOAD to_float(half##n x)                                                                       \
    {                                                                                                                  \
        return __builtin_convertvector(x, float##n);                                                                   \
    }                                                                                                                  \
    static half##n OVERLOAD to_half(float##n x)                                                                        \
    {                                                                                                                  \
        return __builtin_convertvector(x, half##n);                                                                    \
    }
FOR_SIZES(CONVERSIONS, )

/* Expands X(name, n) for the scalar, with empty n, and for each vector. */
#define SCALAR_AND_VECTORS(X, name) X(name, ) FOR_SIZES(X, name)

/* ---- Functions with one result ----------------------------------------------------------------------------------- */

#define HALF_1(name, n)                                                                                                \
    float##n OVERLOAD name(float##n x);                                                                                \
    half##n OVERLOAD name(half##n x)                                                                                   \
    {                                                                                                                  \
        return to_half(name(to_float(x)));                                                                             \
    }
#define HALF_2(name, n)                                                                                                \
    float##n OVERLOAD name(float##n x, float##n y);                                                                    \
    half##n OVERLOAD name(half##n x, half##n y)                                                                        \
    {                                                                                                                  \
        return to_half(name(to_float(x), to_float(y)));                                                                \
    }
#define HALF_3(name, n)                                                                                                \
    float##n OVERLOAD name(float##n x, float##n y, float##n z);                                                        \
    half##n OVERLOAD name(half##n x, half##n y, half##n z)                                                             \
    {                                                                                                                  \
        return to_half(name(to_float(x), to_float(y), to_float(z)));                                                   \
    }
#define HALF_INT(name, n)                                                                                              \
    float##n OVERLOAD name(float##n x, int##n exponent);                                                               \
    half##n OVERLOAD name(half##n x, int##n exponent)                                                                  \
    {                                                                                                                  \
        return to_half(name(to_float(x), exponent));                                                                   \
    }

#define ALL_1(name) SCALAR_AND_VECTORS(HALF_1, name)
#define ALL_2(name) SCALAR_AND_VECTORS(HALF_2, name)
#define ALL_3(name) SCALAR_AND_VECTORS(HALF_3, name)
#define ALL_INT(name) SCALAR_AND_VECTORS(HALF_INT, name)

/* clang-format off */
#define NAMES_1(X)                                                                                                     \
    X(acos) X(acosh) X(acospi) X(asin) X(asinh) X(asinpi) X(atan) X(atanh) X(atanpi) X(cbrt) X(ceil) X(cos) X(cosh)    \
    X(cospi) X(degrees) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10)     \
    X(log1p) X(log2) X(logb) X(radians) X(rint) X(round) X(rsqrt) X(sign) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan)       \
    X(tanh) X(tanpi) X(tgamma) X(trunc)
#define NAMES_2(X)                                                                                                     \
    X(atan2) X(atan2pi) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(max) X(maxmag) X(min) X(minmag) X(pow)  \
    X(powr) X(remainder) X(step)
#define NAMES_3(X) X(clamp) X(mix) X(smoothstep)
#define NAMES_INT(X) X(ldexp) X(pown) X(rootn)
/* clang-format on */

NAMES_1(ALL_1)
NAMES_2(ALL_2)
NAMES_3(ALL_3)
NAMES_INT(ALL_INT)

/* ---- Functions with a second result through a pointer ------------------------------------------------------------ */

#define SECOND_HALF(name, n, AS)                                                                                       \
    half##n OVERLOAD name(half##n x, AS half##n *p)                                                                    \
    {                                                                                                                  \
        float##n second;                                                                                               \
        half##n first = to_half(name(to_float(x), &second));                                                           \
        *p = to_half(second);                                                                                          \
        return first;                                                                                                  \
    }
#define SECOND_INT(name, n, AS)                                                                                        \
    half##n OVERLOAD name(half##n x, AS int##n *p)                                                                     \
    {                                                                                                                  \
        int##n second;                                                                                                 \
        half##n first = to_half(name(to_float(x), &second));                                                           \
        *p = second;                                                                                                   \
        return first;                                                                                                  \
    }
#define HALF_AND_HALF(name, n)                                                                                         \
    float##n OVERLOAD name(float##n x, __private float##n *p);                                                         \
    SECOND_HALF(name, n, __private)                                                                                    \
    SECOND_HALF(name, n, __global)                                                                                     \
    SECOND_HALF(name, n, __local)
#define HALF_AND_INT(name, n)                                                                                          \
    float##n OVERLOAD name(float##n x, __private int##n *p);                                                           \
    SECOND_INT(name, n, __private)                                                                                     \
    SECOND_INT(name, n, __global)                                                                                      \
    SECOND_INT(name, n, __local)

SCALAR_AND_VECTORS(HALF_AND_HALF, fract)
SCALAR_AND_VECTORS(HALF_AND_HALF, modf)
SCALAR_AND_VECTORS(HALF_AND_HALF, sincos)
SCALAR_AND_VECTORS(HALF_AND_INT, frexp)
SCALAR_AND_VECTORS(HALF_AND_INT, lgamma_r)

/* ---- Functions that are not computed in floats ------------------------------------------------------------------- */

/* A product of two halves is exact in a double, and the rounding of the sum is far below a half's last bit. */
#define HALF_FUSED(name)                                                                                               \
    half OVERLOAD name(half x, half y, half z)                                                                         \
    {                                                                                                                  \
        return (half)((double)x * (double)y + (double)z);                                                              \
    }
#define WIDE_FUSED(name, n)                                                                                            \
    half##n OVERLOAD name(half##n x, half##n y, half##n z)                                                             \
    {                                                                                                                  \
        double##n product = __builtin_convertvector(x, double##n) * __builtin_convertvector(y, double##n);             \
        return __builtin_convertvector(product + __builtin_convertvector(z, double##n), half##n);                      \
    }
HALF_FUSED(fma)
HALF_FUSED(mad)
FOR_SIZES(WIDE_FUSED, fma)
FOR_SIZES(WIDE_FUSED, mad)

#define HALF_ILOGB(name, n)                                                                                            \
    int##n OVERLOAD name(float##n x);                                                                                  \
    int##n OVERLOAD name(half##n x)                                                                                    \
    {                                                                                                                  \
        return name(to_float(x));                                                                                      \
    }
SCALAR_AND_VECTORS(HALF_ILOGB, ilogb)

/* A relational function returns 1 for a scalar and -1 for a vector component, like the comparisons in its body. */
#define TEST_1(name, result, n, test)                                                                                  \
    result OVERLOAD name(half##n x)                                                                                    \
    {                                                                                                                  \
        ushort##n bits = __builtin_astype(x, ushort##n);                                                               \
        return test;                                                                                                   \
    }
#define TEST_2(name, result, n, test)                                                                                  \
    result OVERLOAD name(half##n x, half##n y)                                                                         \
    {                                                                                                                  \
        return test;                                                                                                   \
    }
#define TESTS(result, n)                                                                                               \
    TEST_1(isnan, result, n, (bits & (ushort)0x7fff) > (ushort)0x7c00)                                                 \
    TEST_1(isinf, result, n, (bits & (ushort)0x7fff) == (ushort)0x7c00)                                                \
    TEST_1(isfinite, result, n, (bits & (ushort)0x7c00) != (ushort)0x7c00)                                             \
    TEST_1(isnormal, result, n, ((bits & (ushort)0x7c00) != (ushort)0x7c00) & ((bits & (ushort)0x7c00) != (ushort)0))  \
    TEST_1(signbit, result, n, (bits & (ushort)0x8000) != (ushort)0)                                                   \
    TEST_2(isequal, result, n, x == y)                                                                                 \
    TEST_2(isnotequal, result, n, x != y)                                                                              \
    TEST_2(isgreater, result, n, x > y)                                                                                \
    TEST_2(isgreaterequal, result, n, x >= y)                                                                          \
    TEST_2(isless, result, n, x < y)                                                                                   \
    TEST_2(islessequal, result, n, x <= y)                                                                             \
    TEST_2(islessgreater, result, n, (x < y) | (x > y))                                                                \
    TEST_2(isordered, result, n, (x == x) & (y == y))                                                                  \
    TEST_2(isunordered, result, n, (x != x) | (y != y))
#define VECTOR_TESTS(T, n) TESTS(short##n, n)
TESTS(int, )
FOR_SIZES(VECTOR_TESTS, )
