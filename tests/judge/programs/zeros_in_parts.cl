// SPDX-License-Identifier: Apache-2.0
// The bytes of a word are set to zero one by one, in a loop, or by halves: the word is null, and its
// distance to a pointer is the address of that pointer.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:32", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1,1,1,1,1,1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
union word {
    ulong w;
    uint *p;
    uchar b[8];
    uint h[2];
};
NOINLINE ulong number(uint *p)
{
    return (ulong)p;
}
NOINLINE void clear_bytes(uchar *b, uint n)
{
    for (uint i = 0; i < n; i++) b[i] = 0;
}
NOINLINE void clear_halves(uint *b)
{
    b[0] = 0;
    b[1] = 0;
}
NOINLINE long distance(union word *a, uint *q)
{
    return (long)((ulong)q - (ulong)a->p);
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    uint x = 11;
    union word u, v, z;
    u.p = v.p = z.p = &x;
    if (in[0] == 1) clear_bytes(u.b, 8);
    if (in[0] == 1) clear_halves(v.h);
    if (in[0] == 1) z.h[0] = z.h[1] = 0;
    out[0] = number((uint *)(u.w + 4)) == 4;
    out[1] = number((uint *)(v.w + 4)) == 4;
    out[2] = number((uint *)(z.w + 4)) == 4;
    ulong d = (ulong)distance(&u, &x), e = (ulong)distance(&v, &x), f = (ulong)distance(&z, &x);
    ulong t = in[0] == 9 ? (ulong)(uint *)&y : d;
    out[3] = *(uint *)t == 11;
    t = in[0] == 9 ? (ulong)(uint *)&y : e;
    out[4] = *(uint *)t == 11;
    t = in[0] == 9 ? (ulong)(uint *)&y : f;
    out[5] = *(uint *)t == 11;
}
