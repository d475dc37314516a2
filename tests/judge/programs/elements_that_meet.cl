// SPDX-License-Identifier: Apache-2.0
// A pointer is to one of two elements of an array, and a constant step leads from it to a third one.
/* TRUTH
{"kernels": [
  {"name": "k1", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
  {"name": "k3", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
  {"name": "k4", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}
  ]}
*/
struct E { int *p; int *q; };
kernel void k1(global int *out, global int *in)
{
    struct E e[3]; local int y; y = 5;
    for (int i = 0; i < 3; i++) e[i].p = &y, e[i].q = in;
    struct E *p = &e[1];
    if (in[2]) p = &e[0];
    out[0] = *p[2].p;
}
struct N { struct E *at; };
struct U { struct E e[3]; int *tail; };
kernel void k3(global int *out, global int *in)
{
    struct U t; int x = 42; local int y; y = 5;
    for (int i = 0; i < 3; i++) t.e[i].p = &y, t.e[i].q = in;
    t.tail = &x;
    t.e[in[2]].q = in;
    struct N n; n.at = &t.e[1];
    struct N *w = &n;
    if (in[2]) w->at = &t.e[0];
    out[0] = *w->at[2].p;
}
kernel void k4(global int *out, global int *in)
{
    struct E e[3]; local int y; y = 5;
    for (int i = 0; i < 3; i++) e[i].p = &y, e[i].q = in;
    struct E *s[2];
    s[0] = &e[1];
    s[in[2]] = &e[0];
    out[0] = *s[in[2]][2].p;
}
