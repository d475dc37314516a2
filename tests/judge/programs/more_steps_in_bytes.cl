// SPDX-License-Identifier: Apache-2.0
// Steps in bytes from array elements: in a callee, in loops, through memory, and of an integer.
/* TRUTH
{"kernels": [{"name": "k1", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
             {"name": "k2", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
             {"name": "k3", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
             {"name": "k4", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}]}
*/
struct T { int *head; int *v[4]; int *tail; };
struct E { int *p; int *q; };
struct U { struct E e[3]; int *tail; };
#define SETU struct U t; int x = 42; local int y; y = 5; for (int i = 0; i < 3; i++) t.e[i].p = &x, t.e[i].q = (int *)in; t.tail = &y;
__attribute__((noinline)) void put(char *p, int *v) { *(int **)(p + 8) = v; }
kernel void k1(global int *out, global int *in)
{
    struct T t; int x = 42; local int y; y = 5;
    for (int i = 0; i < 4; i++) t.v[i] = &x;
    t.tail = t.head = &x;
    put((char *)&t.v[in[2] + 2], &y);
    out[0] = *t.tail;
}
kernel void k2(global int *out, global int *in)
{
    SETU
    struct E *e = &t.e[in[2]];
    ulong i = (ulong)e;
    for (int k = 0; k < in[2] + 1; k++) i += sizeof(struct E);
    out[0] = *((struct E *)i)->p;
}
kernel void k3(global int *out, global int *in)
{
    SETU
    char *i = (char *)&t.e[in[2]];
    for (int k = 0; k < in[2] + 1; k++) i += sizeof(struct E);
    out[0] = *((struct E *)i)->p;
}
__attribute__((noinline)) struct E *next(struct E *e) { return (struct E *)((ulong)e + sizeof(struct E)); }
kernel void k4(global int *out, global int *in)
{
    SETU
    struct E *e = t.e;
    for (int i = 0; i < 3; i++) e = next(e);
    out[0] = *e->p;
}
