// SPDX-License-Identifier: Apache-2.0
// A null pointer in a variable becomes an argument. In the callee the difference of an address and this pointer is the
// address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:uint:6,0", "buffer:uint:1,2,3"], "expect": {"0": "uint:6,7"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) uint far_from(uint *o, uint *g, ulong y, uint c)
{
    ulong d = (ulong)o - (ulong)g;
    ulong t = c & 1 ? d : y;
    return *(uint *)t;
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    uint *null = 0;
    out[1] = far_from(out, null, (ulong)(uint *)&y, in[2]) + 1;
}
