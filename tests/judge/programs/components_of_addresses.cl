// SPDX-License-Identifier: Apache-2.0
// Host addresses are assembled from the components of a vector, or from halves of words, and a condition chooses one or a local address.
/* TRUTH
{"kernels": [
  {"name": "shorts_in_lanes", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "halves_of_it", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "halves_of_two", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1}]}
*/
kernel void shorts_in_lanes(global int *out, global const ushort *in, global int *d)
{
    local int mine[2];
    mine[0] = mine[1] = 5;
    uint4 v = (uint4)(in[0], in[1], in[2], in[3]) & 0xffff;
    ulong a = (ulong)v.w << 48 | (ulong)v.z << 32 | v.y << 16 | v.x;
    ulong slots[2] = {(ulong)(int *)&mine[0], a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void halves_of_it(global int *out, global const ushort *in, global int *d)
{
    local int mine[2];
    mine[0] = mine[1] = 5;
    ulong w = *(global const ulong *)in;
    uint low = w, high = w >> 32;
    ulong a = (ulong)high << 32 | low;
    ulong slots[2] = {(ulong)(int *)&mine[0], a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void halves_of_two(global int *out, global const ushort *in, global int *d)
{
    local int mine[2];
    mine[0] = mine[1] = 5;
    ulong w = *(global const ulong *)in, other = (ulong)(int *)&mine[0];
    uint low = w, high = out[1] ? other >> 32 : w >> 32;
    ulong a = (ulong)high << 32 | low;
    ulong slots[2] = {(ulong)(int *)&mine[0], a};
    out[0] = *(int *)slots[out[1] + 1];
}
