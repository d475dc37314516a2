// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1000 1041 1002 1043 1004 1045 1006 1047
typedef union {
    int *p;
    ulong bits;
    uchar bytes[8];
} both_t;
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 40 + i;
    both_t a, b;
    a.p = i & 1 ? &x : (int *)&in[i];
    for (int n = 0; n < (int)sizeof(int *); n++)
        b.bytes[n] = a.bytes[n];
    out[i] = *b.p + (a.p == b.p) * 1000;
}
