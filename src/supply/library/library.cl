/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.cl - functions that devices lack, in OpenCL C 1.2. generate.py makes words.inc of it, and the files of
 * src/supply take from that what a module needs. No function uses another one's variables, built-in variables, or
 * anything that a device may lack.
 */
#define CONVERGENT __attribute__((convergent))

/* ---- Memory: what LLVM's own functions do, from and to each space ---- */

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

/* Different spaces do not overlap. */
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

/* ---- Collectives of a work-group ---- */

/* All sums up to each work-item, then what `kind` asks for: 0 the last, 1 the own, 2 the one before. `all` has a place for
 * each of at most 1024 work-items, so there are ten steps at most: they are written out. */
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
#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

#define INTEGERS(S, U, bits, least, most)                                                                              \
    SCAN(U, iadd_##bits, 0, ADD)                                                                                       \
    SCAN(U, imul_##bits, 1, MULTIPLY)                                                                                  \
    SCAN(S, smin_##bits, most, LESS)                                                                                   \
    SCAN(S, smax_##bits, least, MORE)                                                                                  \
    SCAN(U, umin_##bits, (U)~(U)0, LESS)                                                                               \
    SCAN(U, umax_##bits, 0, MORE)                                                                                      \
    SCAN(U, and_##bits, (U)~(U)0, AND)                                                                                 \
    SCAN(U, or_##bits, 0, OR)                                                                                          \
    SCAN(U, xor_##bits, 0, XOR)
INTEGERS(char, uchar, 8, CHAR_MIN, CHAR_MAX)
INTEGERS(short, ushort, 16, SHRT_MIN, SHRT_MAX)
INTEGERS(int, uint, 32, INT_MIN, INT_MAX)
INTEGERS(long, ulong, 64, LONG_MIN, LONG_MAX)

/* A number that is none is left out, as fmin and fmax do. */
#define FLESS(a, b) ((b) < (a) || (a) != (a) ? (b) : (a))
#define FMORE(a, b) ((b) > (a) || (a) != (a) ? (b) : (a))
#define FLOATS(T, bits, infinity)                                                                                      \
    SCAN(T, fadd_##bits, (T)0, ADD)                                                                                    \
    SCAN(T, fmul_##bits, (T)1, MULTIPLY)                                                                               \
    SCAN(T, fmin_##bits, infinity, FLESS)                                                                              \
    SCAN(T, fmax_##bits, -infinity, FMORE)
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
