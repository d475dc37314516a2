// SPDX-License-Identifier: Apache-2.0
// The address of an array element at a variable index is passed on, and a step in bytes leads to the member behind the array.
/* TRUTH
{"kernels": [
  {"name": "a", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
  {"name": "b", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}
  ]}
*/
struct T { int *v[4]; int *tail; };
__attribute__((noinline)) int *next(int **p) { return *(int **)((ulong)p + 8); }
kernel void a(global int *out, global int *in)
{
    struct T t; int x = 42; local int y; y = 5;
    for (int i = 0; i < 4; i++) t.v[i] = &x;
    t.tail = &y;
    out[0] = *next(&t.v[in[2] + 2]);
}
struct E { int *p; int *q; };
struct U { struct E e[3]; int *tail; };
__attribute__((noinline)) int *behind(struct E *p) { return *(int **)((char *)p + sizeof(struct E)); }
kernel void b(global int *out, global int *in)
{
    struct U t; int x = 42; local int y; y = 5;
    for (int i = 0; i < 3; i++) t.e[i].p = &x, t.e[i].q = (int*)in;
    t.tail = &y;
    out[0] = *behind(&t.e[in[2] + 1]);
}
