/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csmith.h - what a program of Csmith needs, for OpenCL C and for the host's C: exact integer types, the sum of results, and arithmetic that
 * is defined for all operands. COUNT counts the operations on the host.
 */
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

#ifdef __OPENCL_VERSION__
#define COUNT
#else
static uint64_t count;
#define COUNT count++;
#endif

#define transparent_crc(value, name, flag) sum = (sum ^ (uint64_t)(value)) * 1099511628211ul

#define SIGNED(T, U, W, MIN)                                                                                           \
    static T safe_unary_minus_func_##T##_s(T a)                                                                        \
    {                                                                                                                  \
        COUNT return a == MIN ? a : (T)-a;                                                                             \
    }                                                                                                                  \
    static T safe_add_func_##T##_s_s(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return (T)((U)a + (U)b);                                                                                 \
    }                                                                                                                  \
    static T safe_sub_func_##T##_s_s(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return (T)((U)a - (U)b);                                                                                 \
    }                                                                                                                  \
    static T safe_mul_func_##T##_s_s(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return (T)(U)((uint64_t)a * (uint64_t)b);                                                                \
    }                                                                                                                  \
    static T safe_div_func_##T##_s_s(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return b == 0 || (a == MIN && b == -1) ? a : (T)(a / b);                                                 \
    }                                                                                                                  \
    static T safe_mod_func_##T##_s_s(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return b == 0 || (a == MIN && b == -1) ? a : (T)(a % b);                                                 \
    }                                                                                                                  \
    static T safe_lshift_func_##T##_s_s(T a, int b)                                                                    \
    {                                                                                                                  \
        COUNT return a < 0 || b < 0 || b >= W ? a : (T)((U)a << b);                                                    \
    }                                                                                                                  \
    static T safe_lshift_func_##T##_s_u(T a, unsigned int b)                                                           \
    {                                                                                                                  \
        COUNT return a < 0 || b >= W ? a : (T)((U)a << b);                                                             \
    }                                                                                                                  \
    static T safe_rshift_func_##T##_s_s(T a, int b)                                                                    \
    {                                                                                                                  \
        COUNT return a < 0 || b < 0 || b >= W ? a : (T)(a >> b);                                                       \
    }                                                                                                                  \
    static T safe_rshift_func_##T##_s_u(T a, unsigned int b)                                                           \
    {                                                                                                                  \
        COUNT return a < 0 || b >= W ? a : (T)(a >> b);                                                                \
    }
#define UNSIGNED(T, W)                                                                                                 \
    static T safe_unary_minus_func_##T##_u(T a)                                                                        \
    {                                                                                                                  \
        COUNT return (T)-a;                                                                                            \
    }                                                                                                                  \
    static T safe_add_func_##T##_u_u(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return (T)(a + b);                                                                                       \
    }                                                                                                                  \
    static T safe_sub_func_##T##_u_u(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return (T)(a - b);                                                                                       \
    }                                                                                                                  \
    static T safe_mul_func_##T##_u_u(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return (T)((uint64_t)a * (uint64_t)b);                                                                   \
    }                                                                                                                  \
    static T safe_div_func_##T##_u_u(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return b == 0 ? a : (T)(a / b);                                                                          \
    }                                                                                                                  \
    static T safe_mod_func_##T##_u_u(T a, T b)                                                                         \
    {                                                                                                                  \
        COUNT return b == 0 ? a : (T)(a % b);                                                                          \
    }                                                                                                                  \
    static T safe_lshift_func_##T##_u_s(T a, int b)                                                                    \
    {                                                                                                                  \
        COUNT return b < 0 || b >= W ? a : (T)(a << b);                                                                \
    }                                                                                                                  \
    static T safe_lshift_func_##T##_u_u(T a, unsigned int b)                                                           \
    {                                                                                                                  \
        COUNT return b >= W ? a : (T)(a << b);                                                                         \
    }                                                                                                                  \
    static T safe_rshift_func_##T##_u_s(T a, int b)                                                                    \
    {                                                                                                                  \
        COUNT return b < 0 || b >= W ? a : (T)(a >> b);                                                                \
    }                                                                                                                  \
    static T safe_rshift_func_##T##_u_u(T a, unsigned int b)                                                           \
    {                                                                                                                  \
        COUNT return b >= W ? a : (T)(a >> b);                                                                         \
    }

SIGNED(int8_t, uint8_t, 8, -128)
SIGNED(int16_t, uint16_t, 16, -32768)
SIGNED(int32_t, uint32_t, 32, (-2147483647 - 1))
SIGNED(int64_t, uint64_t, 64, (-9223372036854775807L - 1))
UNSIGNED(uint8_t, 8)
UNSIGNED(uint16_t, 16)
UNSIGNED(uint32_t, 32)
UNSIGNED(uint64_t, 64)
