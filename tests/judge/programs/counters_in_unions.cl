// SPDX-License-Identifier: Apache-2.0
// A sum that begins with 0 is in the same word of memory as an address.
/* TRUTH
{"kernels": [
 {"name": "in_union", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE ulong number_of(uint *p)
{
    return (ulong)p;
}
NOINLINE ulong sum(global const uint *in)
{
    ulong s = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint i = 0; i < 6; i++) s += in[i] & 255;
    return s;
}
kernel void in_union(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union {
        ulong w;
        uint *p;
    } u;
    u.w = sum(in);
    if (in[0] & 2) u.p = (uint *)&y;
    out[0] = number_of(u.p) == 26;
}
