// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 10101 10101 10101 10101 101 101 101 101
int before(const int *a, const int *b)
{
    return a < b;
}
int same(const void *a, const void *b)
{
    return a == b;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int v[4];
    local int l[8];
    out[i] = before(v + 1, v + 2) + 10 * before(l + 5, l + 2) + 100 * same(in, in) + 1000 * same(v, v + 1) +
             10000 * before(in + i, in + 4) + 100000 * (same(l, 0));
}
