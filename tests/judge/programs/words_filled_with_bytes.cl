// SPDX-License-Identifier: Apache-2.0
// memset() fills links with a byte other than 0. The words are integers that are too long for a count.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3,8"], "expect": {"0": "uint:1,21"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) uint is_poison(uint *p)
{
    return (ulong)p == 0x2020202020202020ul;
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    uint *own[2];
    __builtin_memset(own, 0x20, sizeof own);
    if (in[0] & 2) own[0] = &y;
    own[1] = &y;
    out[0] = is_poison(own[0]);
    out[1] = *own[1];
}
