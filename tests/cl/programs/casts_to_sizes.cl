// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int ints(int *p, int *q)
{
    uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
    intptr_t d = (intptr_t)q - (intptr_t)p;
    int *r = (int *)(a + 4);
    int ok = r == p + 1 && *r == p[1] && d == (q - p) * 4 && (a & 3) == 0 && b > a;
    ptrdiff_t e = q - p;
    int *s = (int *)((char *)p + e * sizeof *p);
    ok &= s == q && (a ^ b ^ a) == b && (bool)p && !(bool)(int *)0;
    void *v = (void *)(size_t)s;
    return ok && *(int *)v == *q;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int a[4] = {1, 2, 3, 4};
    local int l[8];
    l[get_local_id(0)] = 5;
    l[get_local_id(0) + 4] = 6;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = ints(a, a + 3) && ints(l, l + 5) && ints(in, in + 9);
}
