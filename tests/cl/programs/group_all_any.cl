// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 110 110 110 110 10 10 10 10
int odd(const int *p)
{
    return *p & 1;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    out[i] = (work_group_all(odd(&x)) != 0) + 10 * (work_group_any(odd(&x)) != 0) + 100 * (work_group_all(x < 4) != 0) +
             1000 * (work_group_any(odd(in) && x > 6) != 0);
}
