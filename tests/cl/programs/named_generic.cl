// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 11 12 13 14 15 16 17 18
int f(__generic int *p, __generic const int *q)
{
    return *p + *q;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int x = 3;
    __generic int *g = in + i;
    const int *h = &x;
    out[i] = f(g, h) + f(&x, out == 0 ? 0 : in + 5);
}
