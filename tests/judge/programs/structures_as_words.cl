// SPDX-License-Identifier: Apache-2.0
// A loop or an index walks over a whole structure, as words, from its first member, an array: clang at -O1 and above writes an
// index of that array.
/* TRUTH
{"kernels": [{"name": "k1", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
             {"name": "k2", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
             {"name": "k3", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
             {"name": "k4", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}]}
*/
struct T { int *a[6]; int *b; int *c[12]; };
struct U { int *h; struct T t; int *e; };
__attribute__((noinline)) void fill(struct T *s, int *p, int n) { for (int i = 0; i < n; i++) ((int **)s)[i] = p; }
kernel void k1(global int *out, global int *in)
{
    local int y; y = 5;
    int x = 42;
    struct T s;
    s.b = &x;
    fill(&s, &y, in[2] * 19);
    out[0] = *s.b;
}
__attribute__((noinline)) int *word(struct T *s, int i) { return ((int **)s)[i]; }
kernel void k2(global int *out, global int *in)
{
    local int y; y = 5;
    int x = 42, n = in[2];
    struct T s[2];
    for (int i = 0; i < 6; i++) s[0].a[i] = s[1].a[i] = &x;
    s[0].b = s[1].b = &y;
    out[0] = *word(&s[n], n * 6);
}
kernel void k3(global int *out, global int *in)
{
    local int y; y = 5;
    int x = 42, n = in[2];
    struct U s;
    s.t.b = &x;
    for (int i = 0; i < n * 19; i++) ((int **)&s.t)[i] = &y;
    out[0] = *s.t.b;
}
struct P { int *p, *q; };
struct V { struct P a[3]; struct P b; };
__attribute__((noinline)) void put(struct V *s, int *p, int i) { ((struct P *)s)[i].p = p; }
kernel void k4(global int *out, global int *in)
{
    local int y; y = 5;
    int x = 42;
    struct V s;
    s.b.p = &x;
    put(&s, &y, in[2] * 3);
    out[0] = *s.b.p;
}
