/* SPDX-License-Identifier: Apache-2.0 */
/*
 * half.h - math on 16-bit floats by way of 32-bit ones, whose results are exact enough for any of them.
 */

#define HALF_1(name)                                                                                                   \
    float OVERLOAD name(float x);                                                                                      \
    half OVERLOAD name(half x)                                                                                         \
    {                                                                                                                  \
        return (half)name((float)x);                                                                                   \
    }
#define HALF_2(name)                                                                                                   \
    float OVERLOAD name(float x, float y);                                                                             \
    half OVERLOAD name(half x, half y)                                                                                 \
    {                                                                                                                  \
        return (half)name((float)x, (float)y);                                                                         \
    }
#define HALF_3(name)                                                                                                   \
    float OVERLOAD name(float x, float y, float z);                                                                    \
    half OVERLOAD name(half x, half y, half z)                                                                         \
    {                                                                                                                  \
        return (half)name((float)x, (float)y, (float)z);                                                               \
    }
#define HALF_INT(name)                                                                                                 \
    float OVERLOAD name(float x, int n);                                                                               \
    half OVERLOAD name(half x, int n)                                                                                  \
    {                                                                                                                  \
        return (half)name((float)x, n);                                                                                \
    }
#define HALF_POINTER(name, AS)                                                                                         \
    float OVERLOAD name(float x, AS float *p);                                                                         \
    half OVERLOAD name(half x, AS half *p)                                                                             \
    {                                                                                                                  \
        float second;                                                                                                  \
        half first = (half)name((float)x, &second);                                                                    \
        *p = (half)second;                                                                                             \
        return first;                                                                                                  \
    }
#define HALF_INT_POINTER(name)                                                                                         \
    float OVERLOAD name(float x, __private int *p);                                                                    \
    half OVERLOAD name(half x, __private int *p)                                                                       \
    {                                                                                                                  \
        return (half)name((float)x, p);                                                                                \
    }

HALF_1(acos)
HALF_1(acosh)
HALF_1(acospi) HALF_1(asin) HALF_1(asinh) HALF_1(asinpi) HALF_1(atan) HALF_1(atanh) HALF_1(atanpi) HALF_1(cbrt)
    HALF_1(ceil) HALF_1(cos) HALF_1(cosh) HALF_1(cospi) HALF_1(degrees) HALF_1(erf) HALF_1(erfc) HALF_1(exp)
        HALF_1(exp10) HALF_1(exp2) HALF_1(expm1) HALF_1(fabs) HALF_1(floor) HALF_1(lgamma) HALF_1(log) HALF_1(log10)
            HALF_1(log1p) HALF_1(log2) HALF_1(logb) HALF_1(radians) HALF_1(rint) HALF_1(round) HALF_1(rsqrt)
                HALF_1(sign) HALF_1(sin) HALF_1(sinh) HALF_1(sinpi) HALF_1(sqrt) HALF_1(tan) HALF_1(tanh) HALF_1(tanpi)
                    HALF_1(tgamma) HALF_1(trunc) HALF_2(atan2) HALF_2(atan2pi) HALF_2(copysign) HALF_2(fdim)
                        HALF_2(fmax) HALF_2(fmin) HALF_2(fmod) HALF_2(hypot) HALF_2(max) HALF_2(maxmag) HALF_2(min)
                            HALF_2(minmag) HALF_2(pow) HALF_2(powr) HALF_2(remainder) HALF_2(step) HALF_3(clamp)
                                HALF_3(mix) HALF_3(smoothstep) HALF_INT(ldexp) HALF_INT(pown) HALF_INT(rootn)
                                    HALF_POINTER(fract, __private) HALF_POINTER(modf, __private)
                                        HALF_POINTER(sincos, __private) HALF_INT_POINTER(frexp)
                                            HALF_INT_POINTER(lgamma_r)

/* A product of two halves is exact in a double, and a sum of three such terms rounds there far below a half's last bit.
 */
#define HALF_FUSED(name)                                                                                               \
    half OVERLOAD name(half x, half y, half z)                                                                         \
    {                                                                                                                  \
        return (half)((double)x * (double)y + (double)z);                                                              \
    }
                                                HALF_FUSED(fma) HALF_FUSED(mad)

                                                    int OVERLOAD ilogb(float x);
int OVERLOAD ilogb(half x)
{
    return ilogb((float)x);
}

#define HALF_TEST_1(name, test)                                                                                        \
    int OVERLOAD name(half x)                                                                                          \
    {                                                                                                                  \
        ushort bits = __builtin_astype(x, ushort);                                                                     \
        return test;                                                                                                   \
    }
HALF_TEST_1(isnan, (bits & 0x7fff) > 0x7c00)
HALF_TEST_1(isinf, (bits & 0x7fff) == 0x7c00)
HALF_TEST_1(isfinite, (bits & 0x7c00) != 0x7c00)
HALF_TEST_1(isnormal, (bits & 0x7c00) != 0x7c00 && (bits & 0x7c00) != 0)
HALF_TEST_1(signbit, bits >> 15)

#define HALF_TEST_2(name, test)                                                                                        \
    int OVERLOAD name(half x, half y)                                                                                  \
    {                                                                                                                  \
        return test;                                                                                                   \
    }
HALF_TEST_2(isequal, x == y)
HALF_TEST_2(isnotequal, x != y)
HALF_TEST_2(isgreater, x > y)
HALF_TEST_2(isgreaterequal, x >= y)
HALF_TEST_2(isless, x < y)
HALF_TEST_2(islessequal, x <= y)
HALF_TEST_2(islessgreater, x<y || x> y)
HALF_TEST_2(isordered, x == x && y == y)
HALF_TEST_2(isunordered, x != x || y != y)
