// SPDX-License-Identifier: Apache-2.0
// A count comes from a constant variable that is no array and no structure, and merges with an address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
constant ulong none = 9;
__attribute__((noinline)) ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    ulong w = in[0] & 2 ? (ulong)(uint *)&y : none;
    out[0] = number_of((uint *)w) == 9;
}
