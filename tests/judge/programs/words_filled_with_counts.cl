// SPDX-License-Identifier: Apache-2.0
// A loop with a variable index fills the slots of an array with a count. Every slot may hold the count, not only the first.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3,8"], "expect": {"0": "uint:1,21"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) uint is_free(uint *p)
{
    return p == (uint *)1;
}
kernel void k(global uint *out, global const uint *in)
{
    uint x = 21;
    local ulong a[8];
    for (uint i = 0; i < in[3]; i++) a[i] = 1;
    a[3] = (ulong)(uint *)&x;
    if (in[0] & 2) a[5] = (ulong)(uint *)&x;
    out[0] = is_free((uint *)a[5]);
    out[1] = *(uint *)a[3];
}
