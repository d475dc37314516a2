// SPDX-License-Identifier: Apache-2.0
// An address is put together from counts and from constant variables that have one bit of an address each.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:12"}, "global": 1, "local": 1}]}
*/
constant ulong b40 = 1ul << 40, b41 = 1ul << 41, b42 = 1ul << 42, b43 = 1ul << 43, b44 = 1ul << 44, b45 = 1ul << 45, b46 = 1ul << 46,
               b47 = 1ul << 47;
#define BIT(b) (p & b ? b : 0)
kernel void k(global uint *out, global const uint *in)
{
    uint x = 12;
    local uint y;
    y = 21;
    ulong p = (ulong)(uint *)&x;
    ulong low = (ulong)(uint)p, middle = (ulong)((uint)(p >> 32) & 0xff) << 32;
    ulong q = low + middle + BIT(b40) + BIT(b41) + BIT(b42) + BIT(b43) + BIT(b44) + BIT(b45) + BIT(b46) + BIT(b47);
    ulong t = in[0] & 1 ? q : (ulong)(uint *)&y;
    out[0] = *(uint *)t;
}
