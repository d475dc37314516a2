// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++
// expect: 100 101 102 103 104 105 106 107
void swap(int &a, int &b) { int t = a; a = b; b = t; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 100;
    swap(x, in[i]);
    out[i] = x + in[i];
}
