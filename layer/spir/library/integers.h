/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integers.h - LLVM's integer intrinsics in OpenCL C, for devices that interpret LLVM IR and support few intrinsics.
 */

#define FOR_WIDTHS(X) X(8, uchar, char) X(16, ushort, short) X(32, uint, int) X(64, ulong, long)

/* The functions for one width. */
#define BIT_FUNCTIONS(W, U, S)                                                                                         \
    U nonflat_ctpop_i##W(U x)                                                                                          \
    {                                                                                                                  \
        U count = 0;                                                                                                   \
        for (; x; x &= (U)(x - 1))                                                                                     \
            count++;                                                                                                   \
        return count;                                                                                                  \
    }                                                                                                                  \
    U nonflat_ctlz_i##W(U x, bool poison)                                                                              \
    {                                                                                                                  \
        U count = 0;                                                                                                   \
        for (U bit = (U)((U)1 << (W - 1)); bit && !(x & bit); bit >>= 1)                                               \
            count++;                                                                                                   \
        return count;                                                                                                  \
    }                                                                                                                  \
    U nonflat_cttz_i##W(U x, bool poison)                                                                              \
    {                                                                                                                  \
        U count = 0;                                                                                                   \
        for (; count < W && !(x & 1); x >>= 1)                                                                         \
            count++;                                                                                                   \
        return count;                                                                                                  \
    }                                                                                                                  \
    U nonflat_bitreverse_i##W(U x)                                                                                     \
    {                                                                                                                  \
        U reversed = 0;                                                                                                \
        for (int i = 0; i < W; i++, x >>= 1)                                                                           \
            reversed = (U)(reversed << 1 | (x & 1));                                                                   \
        return reversed;                                                                                               \
    }                                                                                                                  \
    U nonflat_fshl_i##W(U high, U low, U shift)                                                                        \
    {                                                                                                                  \
        shift &= W - 1;                                                                                                \
        return shift ? (U)(high << shift | low >> (W - shift)) : high;                                                 \
    }                                                                                                                  \
    U nonflat_fshr_i##W(U high, U low, U shift)                                                                        \
    {                                                                                                                  \
        shift &= W - 1;                                                                                                \
        return shift ? (U)(high << (W - shift) | low >> shift) : low;                                                  \
    }                                                                                                                  \
    U nonflat_abs_i##W(U x, bool poison)                                                                               \
    {                                                                                                                  \
        return (S)x < 0 ? (U)(0 - x) : x;                                                                              \
    }                                                                                                                  \
    U nonflat_uadd_sat_i##W(U a, U b)                                                                                  \
    {                                                                                                                  \
        U sum = (U)(a + b);                                                                                            \
        return sum < a ? (U)-1 : sum;                                                                                  \
    }                                                                                                                  \
    U nonflat_usub_sat_i##W(U a, U b)                                                                                  \
    {                                                                                                                  \
        return a < b ? (U)0 : (U)(a - b);                                                                              \
    }                                                                                                                  \
    S OVERLOAD ctz(S x)                                                                                                \
    {                                                                                                                  \
        return (S)nonflat_cttz_i##W((U)x, false);                                                                      \
    }                                                                                                                  \
    U OVERLOAD ctz(U x)                                                                                                \
    {                                                                                                                  \
        return nonflat_cttz_i##W(x, false);                                                                            \
    }
FOR_WIDTHS(BIT_FUNCTIONS)

#define WIDE_CTZ(T, n)                                                                                                 \
    T##n OVERLOAD ctz(T##n x)                                                                                          \
    {                                                                                                                  \
        T##n result;                                                                                                   \
        for (int i = 0; i < n; i++)                                                                                    \
            result[i] = ctz(x[i]);                                                                                     \
        return result;                                                                                                 \
    }
#define WIDE_CTZ_OF(T) FOR_SIZES(WIDE_CTZ, T)
FOR_INTEGERS(WIDE_CTZ_OF)
