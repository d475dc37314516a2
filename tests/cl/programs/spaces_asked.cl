// SPDX-License-Identifier: Apache-2.0
// The results of to_global, to_local and to_private for four kinds of pointers, including null.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

int kind(void *p)
{
    return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    local char a[4];
    long b;
    int r = kind(a + l) * 100 + kind(&b) * 10 + kind(in + g);
    void *n = g & 1 ? (void *)&b : (void *)out;
    out[g] = r == 231 && kind(n) == (g & 1 ? 3 : 1) && kind(0) == 0 ? g : r;
}
