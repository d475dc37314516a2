// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1016 3006 1022 3012 1028 3018 1034 3024
void pick(int **where, int *a, int *b, int c)
{
    *where = c ? a : b;
}
int through(int ***p)
{
    return ***p;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 1000 + i;
    int *p, **q = &p;
    pick(q, &x, (int *)&in[i + 8], in[i] & 1);
    int r = through(&q);
    **q += 3;
    out[i] = r * 2 + x;
}
