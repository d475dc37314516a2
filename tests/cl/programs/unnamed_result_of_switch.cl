// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 1010 11035 3071 10115 36141 6175 19220 21246
int *pick(int which, int *a, int *b, int *c)
{
    switch (which) {
    case 0: return a;
    case 1: return b;
    default: return c;
    }
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    int i = get_global_id(0), t = get_local_id(0);
    int p = i * 3;
    l[t] = i * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *q = pick(i % 3, &p, l + (3 - t), in + i);
    *q += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *q * 1000 + p * 10 + l[t];
}
