// SPDX-License-Identifier: Apache-2.0
// Words of counts are read as a pointer, also in hint, where the pointer must stay generic.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3,5"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void k(global uint *out, global const uint *in)
{
    uint x = 11;
    local ulong t[4];
    for (uint i = 0; i < 4; i++) t[i] = in[i] + 6;
    uint *q = in[0] & 2 ? &x : *(uint **)&t[in[0]];
    out[0] = number_of(q) == 8;
}
