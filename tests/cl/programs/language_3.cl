// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 10 21 32 43 54 65 76 87
int first(int *p) { return *p; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i] + 1;
    out[i] = first(&x) * 10 + first(in + i);
}
