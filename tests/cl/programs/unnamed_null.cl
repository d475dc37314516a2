// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 109395 109401 110695 110703 99395 99405 100695 100707
int get(const int *p, int otherwise)
{
    return p ? *p : otherwise;
}
int *only_if(int c, int *p)
{
    return c ? p : (int *)0;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = i, *n = NULL;
    out[i] = get(only_if(i & 1, &x), -5) + 100 * get(only_if(i & 2, (int *)in + 7), -6) +
             10000 * (only_if(i & 4, &x) == n) + 100000 * !only_if(i & 1, n);
}
