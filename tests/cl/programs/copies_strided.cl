// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 8 16 24 44 52 60 68
int at(int *p, int i)
{
    return p[i];
}
kernel void k(global int *out, global int *in)
{
    local int l[8], m[4];
    int i = get_global_id(0), t = get_local_id(0), g = get_group_id(0) * 4;
    event_t e = async_work_group_copy(l, in + g, 4, 0);
    e = async_work_group_strided_copy(m, in + g * 10, 4, 7, e);
    prefetch(in, 4);
    wait_group_events(1, &e);
    out[i] = at(l, t) + at(m, t);
}
