// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 50808 51308 51408 52508 50808 51308 51408 52508
int next(int *seed)
{
    static global int table[4] = {1, 2, 3, 4};
    static global int *at = &table[1];
    static constant int primes[] = {2, 3, 5, 7};
    return at[*seed & 1] * primes[*seed & 3] + table[3];
}
kernel void k(global int *out, global int *in)
{
    static global int hits = 5;
    local int first;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) first = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = (int)i;
    out[i] = next(&x) * 100 + next(&first) + hits * 10000;
}
