// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int kind(const void *p)
{
    return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0;
}
int kind2(int *p)
{
    switch (get_fence(p)) {
    case CLK_GLOBAL_MEM_FENCE: return 1;
    case CLK_LOCAL_MEM_FENCE: return 2;
    default: return 3;
    }
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), x;
    local int l;
    global int *g = to_global((int *)in);
    local int *ll = to_local((int *)&l);
    private int *pp = to_private((int *)&x);
    out[i] = kind(out) == 1 && kind(&l) == 2 && kind(&x) == 3 && kind(0) == 0 && kind2(in) == 1 && kind2(&l) == 2 &&
             kind2(&x) == 3 && g == in && ll == &l && pp == &x;
}
