// SPDX-License-Identifier: Apache-2.0
// A counter that begins with 0 merges with an address. The 0 is null, and null to which a count is added is a count, so the
// pointer that is made of the result must hold any integer: its set has a global part.
/* TRUTH
{"kernels": [
 {"name": "counter", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "in_memory", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void counter(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    ulong n = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint i = 0; i < 6; i++)
        if (in[i] & 1) n++;
    ulong w = in[0] & 2 ? (ulong)(uint *)&y : n;
    out[0] = number_of((uint *)w) == n;
}
kernel void in_memory(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    ulong n[4] = {0, 0, 0, 0};
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint i = 0; i < 6; i++) n[in[i] & 3]++;
    ulong w = in[0] & 2 ? (ulong)(uint *)&y : n[1];
    out[0] = number_of((uint *)w) == n[1];
}
