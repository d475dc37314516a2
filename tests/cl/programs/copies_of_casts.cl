// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6696 7069 6698 7071 6700 7073 6702 7075
int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * (i + 1);
    return s;
}
kernel void k(global int *out, global int *in)
{
    local int a[16];
    local int3 b[4];
    local int c[8];
    size_t i = get_global_id(0), l = get_local_id(0);
    event_t e = async_work_group_copy(a, in + 8, 16, 0);
    e = async_work_group_copy((local int4 *)b, (const global int4 *)in, 4, e);
    event_t all[2] = {e, async_work_group_strided_copy(c, in + 1, 8, 3, 0)};
    prefetch(in, 8);
    wait_group_events(2, all);
    int r = sum(a, 16) + sum((local int *)b, 16) * 3 + sum(i & 1 ? (const int *)c : in, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = r + (int)i;
}
