// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -cl-opt-disable
// expect: 15 15 16 18 21 25 30 36
int flat(int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int a[2] = {7, 8};
    out[i] = flat(a, 2) + flat(in, i);
}
