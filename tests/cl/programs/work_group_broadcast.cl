// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 61 61 61 61 142 142 142 142
int twice(int *p) { return *p * 2; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i] + 1;
    out[i] = work_group_broadcast(twice(&x), 2) * 10 + (work_group_any(x == 3) ? 1 : 0) + (work_group_all(x > 4) ? 2 : 0);
}
