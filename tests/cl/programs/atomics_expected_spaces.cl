// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 34401 34401 34401 34401 37411 34401 34401 34401
int cas(volatile atomic_int *a, int *expected, int v)
{
    return atomic_compare_exchange_strong(a, expected, v);
}
kernel void k(global int *out, global int *in)
{
    local atomic_int a[4];
    local int e[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    int mine = i;
    atomic_init(&a[j], 3);
    e[j] = 3;
    int r1 = cas(&a[j], &e[j], 4), r2 = cas(&a[j], &mine, 7);
    out[i] = r1 + 10 * r2 + 100 * mine + 1000 * atomic_load(&a[j]) + 10000 * e[j];
}
