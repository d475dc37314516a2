// SPDX-License-Identifier: Apache-2.0
// A pointer is loaded from a word that only ever holds counts. A merge with an address must not replace it by null.
/* TRUTH
{"kernels": [
 {"name": "parameter", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "counter", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
union word {
    ulong w;
    uint *p;
};
NOINLINE ulong number_of(uint *p)
{
    return (ulong)p;
}
NOINLINE void put(union word *u, ulong w)
{
    u->w = w;
}
kernel void parameter(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union word u;
    put(&u, 9);
    uint *q = in[0] & 2 ? (uint *)&y : u.p;
    out[0] = number_of(q) == 9;
}
NOINLINE void count(union word *u, global const uint *in)
{
    ulong n = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint i = 0; i < 6; i++)
        if (in[i] & 1) n++;
    u->w = n;
}
kernel void counter(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union word u;
    count(&u, in);
    uint *q = in[0] & 2 ? (uint *)&y : u.p;
    out[0] = number_of(q) == 4;
}
