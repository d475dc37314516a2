// SPDX-License-Identifier: Apache-2.0
// names: none
// expect: 18 18 18 18 18 18 18 18
/* The module has no OpName. The function is long enough not to be inlined by llvmpipe. */
__attribute__((noinline)) int sum(global int *l, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += l[i] % 7 == 0 ? l[i] : l[i] % 5 == 0 ? l[i] * 2 : l[i] % 3 == 0 ? l[i] - 1 : l[i] & 7;
    for (int i = 0; i < n; i++)
        all ^= l[i] % 7 == 0 ? l[i] : l[i] % 5 == 0 ? l[i] * 2 : l[i] % 3 == 0 ? l[i] - 1 : l[i] & 7;
    return all;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = sum(in, 8);
}
