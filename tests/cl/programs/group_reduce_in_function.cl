// SPDX-License-Identifier: Apache-2.0
// A work-group function in a loop over an unnamed pointer.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

int total(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += work_group_reduce_add(p[i]);
    return s;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    int v[2] = {g, 1};
    local int w[2];
    if (l < 2) w[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int a = total(v, 2), b = total(w, 2);
    out[g] = a == (g < 4 ? 6 : 22) + 4 && b == 12 ? g : a;
}
