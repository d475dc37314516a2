// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1110 11 1224 129 1346 255 1476 389
/* OpenCL C has no recursion, but compilers turn tail recursion into loops. */
int sum(const int *p, int n, int so_far)
{
    return n == 0 ? so_far : sum(p + 1, n - 1, so_far + *p);
}
int product(const int *p, int n)
{
    return n == 0 ? 1 : p[n - 1] * product(p, n - 1);
}
int odd(const int *p);
int even(const int *p)
{
    return *p == 0 ? 1 : odd(p - 1);
}
int odd(const int *p)
{
    return *p == 0 ? 0 : even(p - 1);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0), mine[4];
    local int shared[4][4];
    for (int n = 0; n < 4; n++) {
        mine[n] = n + 1;
        shared[t][n] = i;
    }
    out[i] = sum(mine, 4, 0) + 100 * even(in + i) * 11 + product(shared[t], 2) + 110 * (i / 2);
}
