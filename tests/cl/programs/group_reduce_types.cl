// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 30030 30030 30030 30030 110074 110074 110074 110074
void tell(long *l, uint *u, float *f, int x)
{
    *l = x * 5000000000L;
    *u = 4000000000u + x;
    *f = x * 0.5f;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    long l;
    uint u;
    float f;
    tell(&l, &u, &f, in[i]);
    long sum = work_group_reduce_add(l);
    uint high = work_group_reduce_max(u);
    float low = work_group_reduce_min(f);
    out[i] = (int)(sum / 1000000000L) * 1000 + (int)(high - 4000000000u) * 10 + (int)(low * 2);
}
