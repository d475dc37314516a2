// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 68020 68020 66040 66060 64080 64090 62090 62090
int all(atomic_int *a, atomic_uint *u)
{
    atomic_fetch_or(a, 64);
    atomic_fetch_and(a, ~1);
    atomic_fetch_xor(a, 6);
    atomic_fetch_min(u, 90u);
    atomic_fetch_max(u, 20u);
    atomic_fetch_sub(a, 2);
    int e = 5;
    int ok = atomic_compare_exchange_strong(a, &e, 9);
    return ok * 1000 + e;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local atomic_int a[4];
    local atomic_uint u[4];
    int t = get_local_id(0);
    atomic_init(&a[t], i);
    atomic_init(&u[t], i * 20);
    int r = all(&a[t], &u[t]);
    out[i] = r * 1000 + atomic_load(&u[t]);
}
