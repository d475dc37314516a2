// SPDX-License-Identifier: Apache-2.0
// A pointer leads into a declared array of structures, or into storage that is declared as a structure of numbers: only there
// is an index beyond the array used.
/* TRUTH
{"kernels": [
  {"name": "k1", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
  {"name": "k2", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}
  ]}
*/
struct E { int *p; int *q; };
struct R { ulong a, b, c, d, e, f, g, h, i, j; };
kernel void k1(global int *out, global int *in)
{
    struct E t[3]; int x = 42; local int y; y = 5;
    for (int i = 0; i < 3; i++) t[i].p = &x, t[i].q = &x;
    struct R r;
    r.i = (ulong)(int *)&y;
    struct E *w = (struct E *)&r;
    if (in[2] > 1) w = t;
    int k = in[2] + 3;
    out[0] = *w[k].p;
}
kernel void k2(global int *out, global int *in)
{
    struct E t[3]; int x = 42; local int y; y = 5;
    for (int i = 0; i < 3; i++) t[i].p = &x, t[i].q = &x;
    struct R r;
    struct E *w = t;
    if (in[2]) w = (struct E *)&r;
    w[4].p = &y;
    for (int i = 0; i < 4; i++) w++;
    out[0] = *w->p;
}
