// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 500 505 505 660 646 626 606
int mix(int *p)
{
    return (*p * 5) % 7;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    int a = work_group_scan_inclusive_max(mix(&x)), b = work_group_scan_inclusive_min(mix(&x)),
        c = work_group_scan_exclusive_max(mix(&x));
    out[i] = a * 100 + b * 10 + (c < 0 ? 0 : c);
}
