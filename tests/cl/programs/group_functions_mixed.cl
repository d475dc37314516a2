// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 37426 37426 37426 37426 36708 36708 36708 36708
static int fold(const int *values, int count)
{
    int all = 0;
    for (int i = 0; i < count; i++) all = all * 3 + values[i];
    return all;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    int p[5], id = get_global_id(0), me = get_local_id(0), x = in[id] * 3 % 7;
    p[0] = work_group_reduce_add(x);
    p[1] = work_group_scan_exclusive_add(x);
    p[2] = work_group_scan_inclusive_max(x);
    p[3] = work_group_broadcast(x, 2);
    p[4] = work_group_any(x == 6) * 2 + work_group_all(x < 7);
    l[me] = fold(p, 5);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = fold(l, 4) + work_group_reduce_min(fold(in + id, 2));
}
