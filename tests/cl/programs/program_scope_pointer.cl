// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 6 3 8 1 6 3 8
global int values[4] = {5, 6, 7, 8};
int pick(int *p, int i) { return p[i]; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int a[4] = {1, 2, 3, 4};
    out[i] = pick(i & 1 ? (int *)values : a, i % 4);
}
