// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 11482 11493 11504 11515 15442 15453 15464 15475
static int sum(const int2 *v, int n)
{
    int2 s = 0;
    for (int i = 0; i < n; i++) s += v[i] * (i + 1);
    return s.x * 2 + s.y;
}
static void reverse(int2 *v, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int2 t = v[i];
        v[i] = v[j].yx;
        v[j] = t;
    }
}
kernel void k(global int *out, global int *in)
{
    local int2 l[8];
    event_t e = async_work_group_copy(l, (const global int2 *)in + get_group_id(0) * 4, 8, 0);
    int2 p[4];
    for (int i = 0; i < 4; i++) p[i] = (int2)(i, in[i + get_local_id(0)]);
    wait_group_events(1, &e);
    reverse(p, 3);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) reverse(l, 8);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(l + 4, (const global int2 *)in + get_group_id(0), 4, 3, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = sum(l, 8) * 10 + sum(p, 4) + sum((global int2 *)in, 3);
}
