// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 300 604 908 1212 1516 1820 2124 2428
int spin(volatile int *p, const int *restrict q)
{
    *p = *p + 1;
    *p = *p * *q;
    return *p;
}
kernel void k(global int *out, global int *in)
{
    volatile local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    volatile int x = i;
    l[j] = 3;
    out[i] = spin(&x, in + 3) * 100 + spin(l + j, in + i);
}
