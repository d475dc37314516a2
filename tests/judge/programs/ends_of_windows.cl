// SPDX-License-Identifier: Apache-2.0
// The first and the last integers of the windows that begin at 0x1fff80000000 and 0x21ff80000000 are numbers here, which
// become pointers and integers again.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1,1,1,1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE ulong number(uint *p)
{
    return (ulong)p;
}
kernel void k(global uint *out, global const uint *in)
{
    const ulong ends[4] = {0x1fff80000000, 0x20007fffffff, 0x21ff80000000, 0x22007fffffff};
    uint x = 11;
    local uint y;
    for (uint i = 0; i < 4; i++) {
        ulong w = in[0] == 1 ? ends[i] : in[0] == 2 ? (ulong)&x : (ulong)(uint *)&y;
        out[i] = number((uint *)w) == ends[i];
    }
}
