// SPDX-License-Identifier: Apache-2.0
// An integer is the address of a variable or 0. Plus a count it may be that count.
/* TRUTH
{"kernels": [
 {"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1,1,1"}, "global": 1, "local": 1},
 {"name": "atomic", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__attribute__((noinline)) ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    ulong w = in[0] & 2 ? (ulong)(uint *)&y : 0;
    out[0] = number_of((uint *)(w + 4)) == 4;
    out[1] = number_of((uint *)(w + in[2])) == 3;
    out[2] = number_of((uint *)(w - 8)) == -8ul;
}
kernel void atomic(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    local ulong w;
    w = 0;
    if (in[0] & 2) w = (ulong)(uint *)&y;
    w++;
    out[0] = number_of((uint *)w) == 1;
}
