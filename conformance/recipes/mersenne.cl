/* SPDX-License-Identifier: Apache-2.0
 * mersenne.cl - each work-group squares its number modulo 2^EXPONENT - 1, `steps` times, and subtracts a constant after each square. Squares
 * are computed from the digits in local memory and from a private copy in turn. */
#include "mersenne_digits.h"

enum { DONE, ROUNDING, READY };

kernel __attribute__((reqd_work_group_size(DIGITS, 1, 1)))
void square_often(global int *numbers, global uint *state, global ulong *hashes, constant int *minus, uint steps,
                  local int *tile, local long *carries)
{
    uint at = get_local_id(0), group = get_group_id(0);
    int copy[DIGITS];
    float error = 0;
    numbers += group * DIGITS;
    tile[at] = numbers[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < steps; step++) {
        for (uint i = 0; i < DIGITS; i++)
            copy[i] = tile[i];
        const int *from = tile;
        if (step & 1) from = copy;
        long value = square_digit(from, at);
        compare_in_doubles(from, at, value, &error);
        if (at == 0) value -= minus[group];
        for (uint pass = 0; pass < 3; pass++) {
            long carry, *to = &carries[at];
            if (pass & 1) to = &carry;
            value = carry_step(value, to, is_wide(at));
            if (pass & 1) carries[at] = carry;
            barrier(CLK_LOCAL_MEM_FENCE);
            value += carries[(at + DIGITS - 1) % DIGITS];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        tile[at] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    numbers[at] = tile[at];
    atomic_max(&state[ROUNDING], as_uint(error));
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (at == 0) {
        hashes[2 * group] = hash_of(tile);
        hashes[2 * group + 1] = hash_of(numbers);
        atomic_store((atomic_uint *)&state[READY + group], 1 + first_difference(numbers, tile));
        atomic_fetch_add_explicit((atomic_uint *)&state[DONE], 1, memory_order_relaxed, memory_scope_device);
    }
}
