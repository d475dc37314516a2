// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1200006 1210006 1220106 1220306 2610022 2620422 2620922 2621522
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int *p = (int *)in + i;
    out[i] = work_group_reduce_add(*p) + 100 * work_group_scan_exclusive_add(*p) +
             10000 * work_group_scan_inclusive_max(*p % 3) + 100000 * work_group_broadcast(*p, 2) +
             1000000 * work_group_any(*p == 3) + 2000000 * work_group_all(*p > 2);
}
