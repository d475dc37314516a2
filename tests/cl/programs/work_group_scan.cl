// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 200 601 1203 800 1804 3009 4415
int twice(int *p) { return *p * 2; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    out[i] = work_group_scan_inclusive_add(twice(&x)) * 100 + work_group_scan_exclusive_add(x);
}
