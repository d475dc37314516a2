// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 40020 30121 20222 10323 424 -9475 -9374 -9273
int find(const int *begin, const int *end, int value)
{
    for (const int *p = begin; p < end; ++p)
        if (*p == value) return (int)(p - begin);
    return -1;
}
kernel void k(global int *out, global int *in)
{
    local int l[16];
    size_t i = get_global_id(0);
    int mine[5] = {4, 3, 2, 1, 0};
    for (int n = get_local_id(0); n < 16; n += get_local_size(0))
        l[n] = n * n;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = find(mine, mine + 5, i) * 10000 + find(l, l + 16, (int)(i * i)) * 100 + find(in, in + 64, i + 20);
}
