// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 100000 114004 124004 134004 104004 118008 128008 138008
int *round_up(int *p)
{
    return (int *)(((uintptr_t)p + 15) & ~(uintptr_t)15);
}
int low_bits(void *p)
{
    return (int)((intptr_t)p & 3);
}
kernel void k(global int *out, global int *in)
{
    local int l[16] __attribute__((aligned(16)));
    size_t i = get_global_id(0);
    int x[12] __attribute__((aligned(16)));
    for (int n = 0; n < 12; n++)
        x[n] = n;
    if (get_local_id(0) == 0)
        for (int n = 0; n < 16; n++)
            l[n] = n * 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *round_up(x + i) + *round_up(l + i) * 100 + low_bits(x + 1) + low_bits((char *)l + i) * 10000 +
             (round_up(x) == x) * 100000;
}
