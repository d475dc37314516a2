// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 1 8 3 12 5 24 7
constant int table[4] = {3, 1, 4, 1};
int scaled(int *p, int i) { return *p * table[i]; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    out[i] = scaled(&x, i % 4);
}
