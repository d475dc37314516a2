/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storage.h - the beginning of every shape: the types of OpenCL C, and the memories that contain its data.
 *
 *     struct memory { struct node nodes[16]; ulong table[32]; };
 *     SHAPE(struct memory) { ... out[0] = plain(sum(&PICK(3)->nodes[3], m0->table)); }
 *
 * One object of the type is in each of the memories IN_PRIVATE, IN_LOCAL and IN_GLOBAL that are defined; m0, m1, m2 are
 * generic pointers to them, PLACES is their number, MEMORIES the list of all, and PICK(i) one that is known only at run
 * time. WHICH(i) is its number. With IN_TURN the shape runs three times, each time with all its data in another memory.
 * Input is in[64], of 32 bits, and wide[32], of 64; results go to out[64]. Outside OpenCL C the same file is a C
 * program that prints out[], one number a line.
 */
#define NOINLINE __attribute__((noinline))
#define NULL ((void *)0)
#define offset_of(type, member) __builtin_offsetof(type, member)

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong2 __attribute__((ext_vector_type(2)));
typedef ulong ulong4 __attribute__((ext_vector_type(4)));

#ifndef __OPENCL_C_VERSION__
#include <stdbool.h>
#define kernel
#define global
#define local static
#define IN_PRIVATE
#endif

#if defined IN_PRIVATE || defined IN_TURN
#define OWN(type) type own;
#else
#define OWN(type)
#endif
#if defined IN_LOCAL || defined IN_TURN
#define NEAR(type) local type near;
#else
#define NEAR(type)
#endif

#if defined IN_PRIVATE && defined IN_LOCAL && defined IN_GLOBAL
#define PLACES 3
#define ARGUMENTS(type) (type *)&own, (type *)&near, (type *)far
#elif defined IN_PRIVATE && defined IN_LOCAL
#define PLACES 2
#define ARGUMENTS(type) (type *)&own, (type *)&near
#elif defined IN_PRIVATE && defined IN_GLOBAL
#define PLACES 2
#define ARGUMENTS(type) (type *)&own, (type *)far
#elif defined IN_LOCAL && defined IN_GLOBAL
#define PLACES 2
#define ARGUMENTS(type) (type *)&near, (type *)far
#else
#define PLACES 1
#ifdef IN_PRIVATE
#define ARGUMENTS(type) (type *)&own
#elif defined IN_LOCAL
#define ARGUMENTS(type) (type *)&near
#else
#define ARGUMENTS(type) (type *)far
#endif
#endif

#ifdef IN_TURN
#define RUN(type)                                                                                                      \
    shape(out, in, wide, which, (type *)&own);                                                                         \
    shape(out, in, wide, which, (type *)&near);                                                                        \
    shape(out, in, wide, which, (type *)far);
#else
#define RUN(type) shape(out, in, wide, which, ARGUMENTS(type));
#endif

#if PLACES == 1
#define MEMORIES m0
#define PARAMETERS(type) type *m0
#define WHICH(i) 0
#define PICK(i) m0
#elif PLACES == 2
#define MEMORIES m0, m1
#define PARAMETERS(type) type *m0, type *m1
#define WHICH(i) (which[i] & 1)
#define PICK(i) (WHICH(i) ? m1 : m0)
#else
#define MEMORIES m0, m1, m2
#define PARAMETERS(type) type *m0, type *m1, type *m2
#define WHICH(i) (which[i] % 3)
#define PICK(i) (WHICH(i) == 0 ? m0 : WHICH(i) == 1 ? m1 : m2)
#endif

#define INPUTS global const uint *in, global const ulong *wide, global const uchar *which
#define SHAPE(type)                                                                                                    \
    void shape(global uint *out, INPUTS, PARAMETERS(type));                                                            \
    kernel void k(global uint *out, INPUTS, global type *far){NEAR(type) OWN(type) RUN(type)} HOST void shape(         \
        global uint *out, INPUTS, PARAMETERS(type))

/* Returns the number without provenance, so that the judge compares it. */
NOINLINE uint plain(uint value)
{
    volatile uint result = 0;
    for (uint i = 0; i < 32; i++)
        if (value >> i & 1) result += 1u << i;
    return result;
}

#ifdef __OPENCL_C_VERSION__
#define AS(type, value) __builtin_astype(value, type)
#define HOST
#else
#define AS(type, value)                                                                                                \
    ({                                                                                                                 \
        __typeof__(value) from = value;                                                                                \
        type to;                                                                                                       \
        __builtin_memcpy(&to, &from, sizeof to);                                                                       \
        to;                                                                                                            \
    })
int printf(const char *format, ...);
#define HOST                                                                                                           \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        static uint out[64];                                                                                           \
        static const uint in[] = {IN};                                                                                 \
        static const ulong wide[] = {WIDE};                                                                            \
        static const uchar places[] = {PLACE};                                                                         \
        k(out, in, wide, places, NULL);                                                                                \
        for (int i = 0; i < 64; i++)                                                                                   \
            printf("%u\n", out[i]);                                                                                    \
        return 0;                                                                                                      \
    }
#endif
