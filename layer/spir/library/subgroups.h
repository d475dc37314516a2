/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subgroups.h - sub-groups of one work-item each.
 *
 * A device without sub-groups may define their size, and with size 1 every operation is trivial: a work-item
 * communicates with itself only. Shuffles from a lane other than 0 have an undefined result anyway.
 */

uint OVERLOAD get_sub_group_size(void)
{
    return 1;
}

uint OVERLOAD get_max_sub_group_size(void)
{
    return 1;
}

uint OVERLOAD get_num_sub_groups(void)
{
    return (uint)group_size();
}

uint OVERLOAD get_enqueued_num_sub_groups(void)
{
    return (uint)(get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2));
}

uint OVERLOAD get_sub_group_id(void)
{
    return (uint)get_local_linear_id();
}

uint OVERLOAD get_sub_group_local_id(void)
{
    return 0;
}

int OVERLOAD sub_group_elect(void)
{
    return 1;
}

/* ---- Predicates -------------------------------------------------------------------------------------------------- */

#define ITSELF(name)                                                                                                   \
    int OVERLOAD name(int predicate)                                                                                   \
    {                                                                                                                  \
        return predicate != 0;                                                                                         \
    }
ITSELF(sub_group_all)
ITSELF(sub_group_any)
ITSELF(sub_group_non_uniform_all)
ITSELF(sub_group_non_uniform_any)

uint4 OVERLOAD sub_group_ballot(int predicate)
{
    return (uint4)(predicate != 0, 0, 0, 0);
}

int OVERLOAD sub_group_inverse_ballot(uint4 ballot)
{
    return (int)(ballot.x & 1);
}

int OVERLOAD sub_group_ballot_bit_extract(uint4 ballot, uint index)
{
    uint word = index < 32 ? ballot.x : index < 64 ? ballot.y : index < 96 ? ballot.z : ballot.w;
    return (int)(word >> (index & 31) & 1);
}

#define BALLOT(name, result)                                                                                           \
    uint OVERLOAD name(uint4 ballot)                                                                                   \
    {                                                                                                                  \
        return result;                                                                                                 \
    }
BALLOT(sub_group_ballot_bit_count, ballot.x & 1)
BALLOT(sub_group_ballot_inclusive_scan, ballot.x & 1)
BALLOT(sub_group_ballot_exclusive_scan, 0)
BALLOT(sub_group_ballot_find_lsb, 0)
BALLOT(sub_group_ballot_find_msb, 0)

#define MASK(name, bits)                                                                                               \
    uint4 OVERLOAD name(void)                                                                                          \
    {                                                                                                                  \
        return (uint4)(bits, 0, 0, 0);                                                                                 \
    }
MASK(get_sub_group_eq_mask, 1)
MASK(get_sub_group_ge_mask, 1)
MASK(get_sub_group_le_mask, 1)
MASK(get_sub_group_gt_mask, 0)
MASK(get_sub_group_lt_mask, 0)

/* ---- Values ------------------------------------------------------------------------------------------------------ */

#define KEEP(name, T)                                                                                                  \
    T OVERLOAD name(T x)                                                                                               \
    {                                                                                                                  \
        return x;                                                                                                      \
    }
#define KEEP_FROM(name, T, L)                                                                                          \
    T OVERLOAD name(T x, L lane)                                                                                       \
    {                                                                                                                  \
        return x;                                                                                                      \
    }
#define FIXED(name, T, value)                                                                                          \
    T OVERLOAD name(T x)                                                                                               \
    {                                                                                                                  \
        return (T)(value);                                                                                             \
    }

/* The subgroup has one element: a reduction and an inclusive scan return that element, an exclusive scan the
 * identity. */
#define SUBGROUP_FOLD(op, T, IDENTITY)                                                                                 \
    KEEP(sub_group_reduce_##op, T)                                                                                     \
    KEEP(sub_group_scan_inclusive_##op, T)                                                                             \
    FIXED(sub_group_scan_exclusive_##op, T, IDENTITY)                                                                  \
    KEEP(sub_group_non_uniform_reduce_##op, T)                                                                         \
    KEEP(sub_group_non_uniform_scan_inclusive_##op, T)                                                                 \
    FIXED(sub_group_non_uniform_scan_exclusive_##op, T, IDENTITY)                                                      \
    KEEP_FROM(sub_group_clustered_reduce_##op, T, uint)

/* Intel's shuffles up and down take two values of each work-item: distance 0 returns the current one, and any other
 * distance crosses the edge of the sub-group. */
#define INTEL_SHUFFLE(T)                                                                                               \
    KEEP_FROM(intel_sub_group_shuffle, T, uint)                                                                        \
    KEEP_FROM(intel_sub_group_shuffle_xor, T, uint)                                                                    \
    T OVERLOAD intel_sub_group_shuffle_up(T previous, T current, uint delta)                                           \
    {                                                                                                                  \
        return delta == 0 ? current : previous;                                                                        \
    }                                                                                                                  \
    T OVERLOAD intel_sub_group_shuffle_down(T current, T next, uint delta)                                             \
    {                                                                                                                  \
        return delta == 0 ? current : next;                                                                            \
    }

#define SUBGROUP_VALUE(T)                                                                                              \
    KEEP_FROM(sub_group_broadcast, T, uint)                                                                            \
    KEEP_FROM(sub_group_non_uniform_broadcast, T, uint)                                                                \
    KEEP(sub_group_broadcast_first, T)                                                                                 \
    KEEP_FROM(sub_group_shuffle, T, uint)                                                                              \
    KEEP_FROM(sub_group_shuffle_xor, T, uint)                                                                          \
    KEEP_FROM(sub_group_shuffle_up, T, uint)                                                                           \
    KEEP_FROM(sub_group_shuffle_down, T, uint)                                                                         \
    KEEP_FROM(sub_group_rotate, T, int)                                                                                \
    INTEL_SHUFFLE(T)                                                                                                   \
    int OVERLOAD sub_group_non_uniform_all_equal(T x)                                                                  \
    {                                                                                                                  \
        return 1;                                                                                                      \
    }

#define SUBGROUP_NUMBER(T, LOWEST, HIGHEST)                                                                            \
    SUBGROUP_VALUE(T)                                                                                                  \
    SUBGROUP_FOLD(add, T, 0)                                                                                           \
    SUBGROUP_FOLD(mul, T, 1)                                                                                           \
    SUBGROUP_FOLD(min, T, HIGHEST)                                                                                     \
    SUBGROUP_FOLD(max, T, LOWEST)
#define SUBGROUP_INTEGER(T, LOWEST, HIGHEST)                                                                           \
    SUBGROUP_NUMBER(T, LOWEST, HIGHEST)                                                                                \
    SUBGROUP_FOLD(and, T, ~(T)0)                                                                                       \
    SUBGROUP_FOLD(or, T, 0)                                                                                            \
    SUBGROUP_FOLD(xor, T, 0)                                                                                           \
    SUBGROUP_FOLD(bitwise_and, T, ~(T)0)                                                                               \
    SUBGROUP_FOLD(bitwise_or, T, 0)                                                                                    \
    SUBGROUP_FOLD(bitwise_xor, T, 0)

SUBGROUP_INTEGER(char, -128, 127)
SUBGROUP_INTEGER(uchar, 0, 255)
SUBGROUP_INTEGER(short, -32768, 32767)
SUBGROUP_INTEGER(ushort, 0, 65535)
SUBGROUP_INTEGER(int, -2147483647 - 1, 2147483647)
SUBGROUP_INTEGER(uint, 0, 0xffffffffu)
SUBGROUP_INTEGER(long, -9223372036854775807l - 1, 9223372036854775807l)
SUBGROUP_INTEGER(ulong, 0, 0xfffffffffffffffful)
SUBGROUP_NUMBER(half, -__builtin_inff(), __builtin_inff())
SUBGROUP_NUMBER(float, -__builtin_inff(), __builtin_inff())
SUBGROUP_NUMBER(double, -__builtin_inf(), __builtin_inf())
SUBGROUP_FOLD(logical_and, int, 1)
SUBGROUP_FOLD(logical_or, int, 0)
SUBGROUP_FOLD(logical_xor, int, 0)

/* ---- Block reads and writes: the block is the element of the only work-item -------------------------------------- */

#define BLOCK(suffix, T)                                                                                               \
    T OVERLOAD intel_sub_group_block_read##suffix(const __global T *p)                                                 \
    {                                                                                                                  \
        return *p;                                                                                                     \
    }                                                                                                                  \
    void OVERLOAD intel_sub_group_block_write##suffix(__global T *p, T value)                                          \
    {                                                                                                                  \
        *p = value;                                                                                                    \
    }
BLOCK(, uint)
BLOCK(_uc, uchar)
BLOCK(_us, ushort)
BLOCK(_ul, ulong)
