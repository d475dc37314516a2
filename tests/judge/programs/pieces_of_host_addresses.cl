// SPDX-License-Identifier: Apache-2.0
// Addresses from the host are assembled from halves, words or bytes, in memory that may also hold a private or local address.
/* TRUTH
{"kernels": [
  {"name": "unionhalves", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "wordcopy", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "vechalves", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "bytecopy", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:55"}, "global": 1, "local": 1}]}
*/
kernel void unionhalves(global int *out, global uint *in, global int *d)
{
    int x = 42;
    union {
        uint h[2];
        int *p;
    } u;
    if (out[1])
        u.p = &x;
    else {
        u.h[0] = in[0];
        u.h[1] = in[1];
    }
    out[0] = *u.p;
}
struct wordcopy_t {
    int *a, *b, *c;
};
kernel void wordcopy(global int *out, global uint *in, global int *d)
{
    local struct wordcopy_t t;
    local int li;
    li = 5;
    local uint *w = (local uint *)&t;
    for (int i = 0; i < 6; i++)
        w[i] = in[i];
    if (out[1]) t.b = &li;
    out[0] = *t.b + *t.c;
}
kernel void vechalves(global int *out, global uint *in, global int *d)
{
    int x = 42;
    ulong b = as_ulong((uint2)(in[0], in[1]));
    ulong c = out[1] ? (ulong)(int *)&x : b;
    out[0] = *(int *)c;
}
struct bytecopy_t {
    int *a, *b, *c;
};
kernel void bytecopy(global int *out, global uchar *in, global int *d)
{
    local struct bytecopy_t t;
    local int li;
    li = 5;
    local uchar *w = (local uchar *)&t;
    for (int i = 0; i < 24; i++)
        w[i] = in[i];
    if (out[1]) t.b = &li;
    out[0] = *t.b + *t.c;
}
