// SPDX-License-Identifier: Apache-2.0
// A private pointer is converted from an integer that is 0. The difference of an address and this pointer is the address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:13"}, "global": 1, "local": 1}]}
*/
kernel void k(global uint *out, global const uint *in)
{
    uint x = 13;
    local uint y;
    y = 21;
    ulong w = in[1] == 5 ? (ulong)(uint *)&x : 0;
    private uint *p = (private uint *)w; /* null */
    ulong d = (ulong)&x - (ulong)p;
    ulong t = in[2] & 1 ? d : (ulong)(uint *)&y;
    out[0] = *(uint *)t;
}
