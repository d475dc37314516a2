// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int old(volatile local int *l, volatile global int *g)
{
    int ok = atomic_add(l, 3) == 0;
    ok &= atom_add(l, 1) == 3 || 1;
    ok &= atomic_inc(g) == -1;
    ok &= atomic_cmpxchg(g, 0, 8) == 0;
    ok &= atomic_xchg(g, 2) == 8;
    ok &= atomic_min(g, 1) == 2 && atomic_max(g, 9) == 1 && atomic_dec(g) == 9 && atomic_sub(g, 3) == 8 &&
          atomic_or(g, 2) == 5 && atomic_xor(g, 1) == 7 && atomic_and(g, 2) == 6;
    return ok && *g == 2;
}
int any(int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local int l[4];
    l[get_local_id(0)] = 0;
    out[i] = old(&l[get_local_id(0)], out + i) && any(&l[get_local_id(0)]) >= 3 && any(out + i) == 2;
}
