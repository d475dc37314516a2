// SPDX-License-Identifier: Apache-2.0
// Counts are stored as a vector into words that may also hold an address.
/* TRUTH
{"kernels": [
 {"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "pointer_to_vector", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
typedef unsigned long ulong2 __attribute__((ext_vector_type(2)));
void __attribute__((overloadable)) vstore2(ulong2 data, ulong offset, ulong *p);
__attribute__((noinline)) uint is_four(uint *p)
{
    return (ulong)p == 4;
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    ulong t[2];
    vstore2((ulong2)(3, 4), 0, t);
    if (in[0] & 2) t[1] = (ulong)(uint *)&y;
    out[0] = is_four(*(uint **)&t[1]);
}
kernel void pointer_to_vector(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    ulong t[2];
    *(ulong2 *)t = (ulong2)(3, 4);
    if (in[0] & 2) t[1] = (ulong)(uint *)&y;
    out[0] = is_four(*(uint **)&t[1]);
}
