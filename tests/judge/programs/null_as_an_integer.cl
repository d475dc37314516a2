// SPDX-License-Identifier: Apache-2.0
// A null pointer is stored as the integer 0. The difference of an address and this pointer is the address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:12"}, "global": 1, "local": 1}]}
*/
kernel void k(global uint *out, global const uint *in)
{
    uint x = 12;
    local uint y;
    y = 21;
    union {
        ulong w;
        uint *p;
    } u;
    u.w = 0;
    if (in[1] == 5) u.w = (ulong)(uint *)&x;
    ulong d = (ulong)(uint *)&x - (ulong)u.p;
    ulong t = in[2] & 1 ? d : (ulong)(uint *)&y;
    out[0] = *(uint *)t;
}
