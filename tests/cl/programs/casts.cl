// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 13 23 33 13 23 33 13 23
int space(void *p)
{
    if (to_global((int *)p)) return 1;
    if (to_local((int *)p)) return 2;
    return to_private((int *)p) ? 3 : 0;
}
kernel void k(global int *out, global int *in)
{
    local int l;
    int x = 0;
    void *all[3] = {in, &l, &x};
    size_t i = get_global_id(0);
    out[i] = space(all[i % 3]) * 10 + space(&x);
}
