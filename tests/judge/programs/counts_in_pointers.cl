// SPDX-License-Identifier: Apache-2.0
// Small integers are held in pointers, in an array that also holds addresses.
/* TRUTH
{"kernels": [
 {"name": "boxed", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:63"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void boxed(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    uint *box[6];
    for (ulong i = 0; i < 6; i++) box[i] = in[i] & 1 ? (uint *)i : (uint *)&y;
    uint n = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint i = 0; i < 6; i++) n = n * 2 + (in[i] & 1 ? number_of(box[i]) == i : *box[i] == 21);
    out[0] = n;
}
