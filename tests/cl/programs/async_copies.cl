// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 2801 2802 2803 2804 6005 6006 6007 6008
int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
kernel void k(global int *out, global int *in)
{
    local int l[8];
    size_t i = get_global_id(0);
    event_t e = async_work_group_copy(l, in + 4 * get_group_id(0), 8, 0);
    wait_group_events(1, &e);
    int x[2] = {1, (int)i};
    out[i] = sum(l, 8) * 100 + sum(x, 2);
}
