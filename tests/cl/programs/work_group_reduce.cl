// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1203 1203 1203 1203 4407 4407 4407 4407
int twice(int *p) { return *p * 2; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    int s = work_group_reduce_add(twice(&x));
    int m = work_group_reduce_max(x);
    out[i] = s * 100 + m;
}
