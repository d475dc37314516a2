// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 105 106 107 108 109 110 111 112
int *larger(int *a, int *b) { return *a > *b ? a : b; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 5;
    *larger(&x, in + i) += 100;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = x + in[i];
}
