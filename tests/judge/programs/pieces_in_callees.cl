// SPDX-License-Identifier: Apache-2.0
// Addresses from the host are assembled from bytes, shorts and words in a callee's own memory, and returned together
// with private and local ones.
/* TRUTH
{"kernels": [
  {"name": "given_back", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "given_on", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:48"}, "global": 1, "local": 1},
  {"name": "kept", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:56"}, "global": 1, "local": 1},
  {"name": "twice", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:7"}, "global": 1, "local": 1}]}
*/
#define CALLED __attribute__((noinline))
CALLED ulong from_bytes(global uchar *in)
{
    union {
        uchar b[8];
        ulong w;
    } u;
    for (int i = 0; i < 8; i++)
        u.b[i] = in[i];
    return u.w;
}
kernel void given_back(global int *out, global uchar *in, global int *d)
{
    int x = 42;
    ulong w = out[1] ? (ulong)(int *)&x : from_bytes(in);
    out[0] = *(int *)w;
}
CALLED void from_words(global uint *in, ulong *to)
{
    union {
        uint h[2];
        ulong w;
    } u;
    u.h[0] = in[2];
    u.h[1] = in[3];
    *to = u.w;
}
kernel void given_on(global int *out, global uint *in, global int *d)
{
    local int y;
    ulong w = (ulong)(int *)&y;
    y = 5;
    if (!out[1]) from_words(in, &w);
    out[0] = *(int *)w;
}
struct pair {
    int *a, *b;
};
CALLED int *one_of(global ushort *in, int *other, int which)
{
    union {
        ushort s[8];
        struct pair p;
    } u;
    for (int i = 0; i < 8; i++)
        u.s[i] = in[i];
    if (which == 2) u.p.a = other;
    return which ? u.p.b : u.p.a;
}
kernel void kept(global int *out, global ushort *in, global int *d)
{
    int x = 42;
    out[0] = *one_of(in, &x, out[1]) + *one_of(in, &x, out[1] + 1);
}
CALLED ulong from_bytes_again(global uchar *in)
{
    return from_bytes(in + 16);
}
kernel void twice(global int *out, global uchar *in, global int *d)
{
    int x = 42;
    int *p = out[1] ? &x : (int *)from_bytes_again(in);
    out[0] = *p;
}
