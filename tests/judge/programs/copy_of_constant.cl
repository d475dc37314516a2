// SPDX-License-Identifier: Apache-2.0
// Four words are copied to a private structure, from a constant table or from a private structure. Only the
// source is ambiguous.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:31,32,33,34"}, "global": 1, "local": 1}]}
*/
constant uint table[4] = {31, 32, 33, 34};
struct four { uint v[4]; };
__attribute__((noinline)) void copy(struct four *p, private struct four *t)
{
    *t = *p;
}
kernel void k(global uint *out, global const uint *in)
{
    struct four a = {{1, 2, 3, 4}};
    struct four t;
    ulong x = in[0] & 1 ? (ulong)(constant void *)table : (ulong)(private void *)&a;
    copy((struct four *)x, &t);
    for (uint i = 0; i < 4; i++)
        out[i] = t.v[i];
}
