// SPDX-License-Identifier: Apache-2.0
// Recursion that exchanges pointers, nodes that are computed from the addresses of their links, negative indices, packed and returned
// structures.
/* TRUTH
{"kernels": [
  {"name": "rec", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:7,42"}, "global": 1, "local": 1},
  {"name": "mut", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:5,5,7,5"}, "global": 1, "local": 1},
  {"name": "contain", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:507"}, "global": 1, "local": 1},
  {"name": "neg", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:42,7,7,5"}, "global": 1, "local": 1},
  {"name": "packed", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:5,7,5,42"}, "global": 1, "local": 1},
  {"name": "sret", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:742,542,49"}, "global": 1, "local": 1},
  {"name": "many", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:4207,5,4205,49"}, "global": 1, "local": 1},
  {"name": "swaps", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:7,5,42"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) int f(int *p, int *q, int n)
{
    return n ? f(q, p, n - 1) : *p;
}
kernel void rec(global int *out, global int *in)
{
    int x = 42;
    out[0] = f(&x, in, in[2]);
    out[1] = f(&x, in, in[2] + 1);
}
struct L {
    struct L *n;
    int **v;
};
int g2(struct L *l, int *p, int n);
__attribute__((noinline)) int g1(struct L *l, int *p, int n)
{
    if (n) {
        *l->v = p;
        return g2(l->n, p, n - 1);
    }
    return **l->v;
}
__attribute__((noinline)) int g2(struct L *l, int *p, int n)
{
    return n ? g1(l, *l->v, n - 1) : **l->v;
}
kernel void mut(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    int *a = &x, *b = in, *c = &y;
    struct L l1, l2, l3;
    l1.n = &l2;
    l2.n = &l3;
    l3.n = &l1;
    l1.v = &a;
    l2.v = &b;
    l3.v = &c;
    out[0] = g1(&l1, &y, in[2] + 2);
    out[1] = *a;
    out[2] = *b;
    out[3] = *c;
}
struct C {
    int pad;
    int *p;
    struct {
        int k;
        struct C *next;
    } link;
};
#define OFF ((ulong) & ((struct C *)0)->link)
kernel void contain(global int *out, global int *in)
{
    struct C c[3];
    int x = 42;
    local int y;
    y = 5;
    c[0].p = &x;
    c[1].p = in;
    c[2].p = &y;
    for (int i = 0; i < 3; i++) {
        c[i].link.next = &c[(i + in[2]) % 3];
        c[i].link.k = i;
    }
    void *l = &c[in[2]].link;
    struct C *s = (struct C *)((char *)l - 16);
    out[0] = *s->p + *s->link.next->p * 100;
}
kernel void neg(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    int *arr[6];
    for (int i = 0; i < 6; i++)
        arr[i] = (i & 1) ? (int *)&x : (int *)&y;
    arr[1] = in;
    int **p = &arr[4];
    out[0] = *p[-in[2]];
    out[1] = *p[-3];
    p -= in[2];
    out[2] = *p[-2];
    out[3] = **--p;
}
struct __attribute__((packed)) P {
    char c;
    int *p;
    short s;
    int *q;
};
kernel void packed(global int *out, global int *in)
{
    struct P p[2], *r = p;
    int x = 42;
    local int y;
    y = 5;
    p[0].p = &x;
    p[0].q = in;
    p[1].p = &y;
    p[1].q = &x;
    p[0].c = 1;
    p[0].s = 2;
    out[0] = *r[in[2]].p;
    out[1] = *r[in[2] - 1].q;
    char raw[sizeof(struct P)];
    for (int i = 0; i < sizeof(struct P); i++)
        raw[i] = ((char *)&r[in[2]])[i];
    out[2] = *((struct P *)raw)->p;
    out[3] = *((struct P *)raw)->q;
}
struct R {
    int *a;
    int n;
    int *b;
};
__attribute__((noinline)) struct R mk(int *a, int *b, int n)
{
    struct R r;
    r.a = n & 1 ? a : b;
    r.n = n;
    r.b = n & 1 ? b : a;
    return r;
}
kernel void sret(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    struct R r = mk(&x, in, in[2]), s = mk(&y, r.a, in[2] + 1), t = in[2] ? r : s;
    out[0] = *r.a + *r.b * 100;
    out[1] = *s.a + *s.b * 100;
    out[2] = *t.a + *t.b;
}
struct M {
    int *p[100];
    int k;
    int *q[100];
    struct {
        int *a, *b;
    } r[30];
};
kernel void many(global int *out, global int *in)
{
    struct M m;
    int x = 42;
    local int y;
    y = 5;
    m.p[0] = &x;
    m.p[99] = in;
    m.q[0] = &y;
    m.q[99] = &x;
    m.r[0].a = in;
    m.r[29].a = &x;
    m.r[29].b = &y;
    m.k = 3;
    for (int i = 0; i < 30; i++)
        if (m.r[i].a == &x) m.r[(i + 1) % 30].b = m.p[99];
    struct M n = m;
    int i = 98 + in[2];
    out[0] = *n.p[i] + *n.q[i] * 100;
    out[1] = *n.q[i - 99];
    out[2] = *n.r[i - 70].b + *n.r[i - 70].a * 100;
    out[3] = *n.p[i - 99] + *n.r[0].b;
}
kernel void swaps(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    int *a = &x, *b = in, *c = &y;
    for (int i = 0; i < in[2] + 3; i++) {
        int *t = a;
        a = b;
        b = c;
        c = t;
    }
    out[0] = *a;
    out[1] = *b;
    out[2] = *c;
}
