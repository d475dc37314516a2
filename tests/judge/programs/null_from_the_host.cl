// SPDX-License-Identifier: Apache-2.0
// The host stores a null pointer in a buffer, or passes null as a buffer. The difference of an address and this pointer is
// the address.
/* TRUTH
{"kernels": [
 {"name": "k", "args": ["buffer:uint:7,8", "buffer:uint:1,2,3", "zero:64"], "expect": {"0": "uint:7,7"}, "global": 1, "local": 1},
 {"name": "null_argument", "args": ["buffer:uint:7,8", "buffer:uint:1,2,3", "null"], "expect": {"0": "uint:7,7"}, "global": 1, "local": 1}]}
*/
kernel void k(global uint *out, global const uint *in, global ulong *far)
{
    local uint y;
    y = 21;
    global uint *g = (global uint *)far[1]; /* null */
    ulong d = (ulong)out - (ulong)g;
    ulong t = in[2] & 1 ? d : (ulong)(uint *)&y;
    out[1] = *(uint *)t;
}
kernel void null_argument(global uint *out, global const uint *in, global uint *g)
{
    local uint y;
    y = 21;
    ulong d = (ulong)out - (ulong)g;
    ulong t = in[2] & 1 ? d : (ulong)(uint *)&y;
    out[1] = *(uint *)t;
}
