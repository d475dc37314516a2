/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.h - work-group collectives, through local memory.
 *
 * The work-items use the scratch memory in rounds of at most SLOTS. In a round each of them writes its slot, one
 * work-item folds the slots in order, beginning with the result of earlier rounds, and all read. This is a single pass
 * for any schedule of work-items, with constant local memory for any group size.
 */

#define SLOTS 255

/* Returns SLOTS + 1 elements of local memory; link.c replaces the call by a variable. */
__local ulong *nonflat_scratch(void);

#define SYNC barrier(LOCAL_FENCE)

/* Folds `x` over the work-group. With `exclusive` a work-item gets the fold of those before it, with `reduce` the fold
 * of all. The last slot holds the result that is carried to the next round. */
#define FOLD(function, T, IDENTITY, OP)                                                                                \
    static T CONVERGENT function(T x, bool exclusive, bool reduce)                                                     \
    {                                                                                                                  \
        __local T *slots = (__local T *)nonflat_scratch();                                                             \
        __local T *carry = slots + SLOTS;                                                                              \
        size_t me = get_local_linear_id();                                                                             \
        size_t size = group_size();                                                                                    \
        T result = x;                                                                                                  \
        size_t base = 0;                                                                                               \
        do {                                                                                                           \
            bool mine = me >= base && me < base + SLOTS;                                                               \
            if (mine) slots[me - base] = x;                                                                            \
            SYNC;                                                                                                      \
            if (me == 0) {                                                                                             \
                T sum = base == 0 ? (T)(IDENTITY) : *carry;                                                            \
                size_t count = size - base < SLOTS ? size - base : SLOTS;                                              \
                for (size_t i = 0; i < count; i++) {                                                                   \
                    T before = sum;                                                                                    \
                    sum = base + i == 0 ? slots[i] : (T)OP(sum, slots[i]);                                             \
                    slots[i] = exclusive ? before : sum;                                                               \
                }                                                                                                      \
                *carry = sum;                                                                                          \
            }                                                                                                          \
            SYNC;                                                                                                      \
            if (mine) result = slots[me - base];                                                                       \
            if (reduce) result = *carry;                                                                               \
            SYNC;                                                                                                      \
            base += SLOTS;                                                                                             \
        } while (base < size);                                                                                         \
        return result;                                                                                                 \
    }

#define COLLECTIVE(op, T, IDENTITY, OP)                                                                                \
    FOLD(fold_##op##_##T, T, IDENTITY, OP)                                                                             \
    T OVERLOAD CONVERGENT work_group_reduce_##op(T x)                                                                  \
    {                                                                                                                  \
        return fold_##op##_##T(x, false, true);                                                                        \
    }                                                                                                                  \
    T OVERLOAD CONVERGENT work_group_scan_inclusive_##op(T x)                                                          \
    {                                                                                                                  \
        return fold_##op##_##T(x, false, false);                                                                       \
    }                                                                                                                  \
    T OVERLOAD CONVERGENT work_group_scan_exclusive_##op(T x)                                                          \
    {                                                                                                                  \
        return fold_##op##_##T(x, true, false);                                                                        \
    }

#define BROADCAST(T)                                                                                                   \
    static T CONVERGENT broadcast_##T(T x, bool sender)                                                                \
    {                                                                                                                  \
        __local T *slot = (__local T *)nonflat_scratch();                                                              \
        if (sender) *slot = x;                                                                                         \
        SYNC;                                                                                                          \
        T result = *slot;                                                                                              \
        SYNC;                                                                                                          \
        return result;                                                                                                 \
    }
#define BROADCAST_FROM(T, INDEX)                                                                                       \
    T OVERLOAD CONVERGENT work_group_broadcast(T value, INDEX x)                                                       \
    {                                                                                                                  \
        return broadcast_##T(value, get_local_id(0) == x);                                                             \
    }                                                                                                                  \
    T OVERLOAD CONVERGENT work_group_broadcast(T value, INDEX x, INDEX y)                                              \
    {                                                                                                                  \
        return broadcast_##T(value, get_local_id(0) == x && get_local_id(1) == y);                                     \
    }                                                                                                                  \
    T OVERLOAD CONVERGENT work_group_broadcast(T value, INDEX x, INDEX y, INDEX z)                                     \
    {                                                                                                                  \
        return broadcast_##T(value, get_local_id(0) == x && get_local_id(1) == y && get_local_id(2) == z);             \
    }
/* SPIR-V allows any integer type for the work-item's id, OpenCL C only size_t. */
#define BROADCAST_TO_GROUP(T)                                                                                          \
    BROADCAST(T)                                                                                                       \
    BROADCAST_FROM(T, uint)                                                                                            \
    BROADCAST_FROM(T, ulong)

#define MUL(a, b) ((a) * (b))
#define LOGICAL_AND(a, b) ((a) && (b))
#define LOGICAL_OR(a, b) ((a) || (b))
#define LOGICAL_XOR(a, b) (!(a) != !(b))

#define NUMBERS(T, LOWEST, HIGHEST)                                                                                    \
    COLLECTIVE(add, T, 0, ADD)                                                                                         \
    COLLECTIVE(mul, T, 1, MUL)                                                                                         \
    COLLECTIVE(min, T, HIGHEST, MIN)                                                                                   \
    COLLECTIVE(max, T, LOWEST, MAX)                                                                                    \
    BROADCAST_TO_GROUP(T)
#define INTEGERS(T, LOWEST, HIGHEST)                                                                                   \
    NUMBERS(T, LOWEST, HIGHEST)                                                                                        \
    COLLECTIVE(bitwise_and, T, ~(T)0, AND)                                                                             \
    COLLECTIVE(bitwise_or, T, 0, OR)                                                                                   \
    COLLECTIVE(bitwise_xor, T, 0, XOR)

INTEGERS(char, -128, 127)
INTEGERS(uchar, 0, 255)
INTEGERS(short, -32768, 32767)
INTEGERS(ushort, 0, 65535)
INTEGERS(int, -2147483647 - 1, 2147483647)
INTEGERS(uint, 0, 0xffffffffu)
INTEGERS(long, -9223372036854775807l - 1, 9223372036854775807l)
INTEGERS(ulong, 0, 0xfffffffffffffffful)
NUMBERS(half, -__builtin_inff(), __builtin_inff())
NUMBERS(float, -__builtin_inff(), __builtin_inff())
NUMBERS(double, -__builtin_inf(), __builtin_inf())
COLLECTIVE(logical_and, int, 1, LOGICAL_AND)
COLLECTIVE(logical_or, int, 0, LOGICAL_OR)
COLLECTIVE(logical_xor, int, 0, LOGICAL_XOR)

int OVERLOAD CONVERGENT work_group_all(int predicate)
{
    return work_group_reduce_logical_and(predicate != 0);
}

int OVERLOAD CONVERGENT work_group_any(int predicate)
{
    return work_group_reduce_logical_or(predicate != 0);
}
