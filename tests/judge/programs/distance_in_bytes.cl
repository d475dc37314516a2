// SPDX-License-Identifier: Apache-2.0
// The distance of a local and a private array, in five bytes where it fits in them, leads from the private one to the local one.
/* TRUTH
{"kernels": [
  {"name": "distance_in_bytes", "args": ["zero:16"], "expect": {"0": "uint:23"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) uint third(const uint *base, uint low, uchar high)
{
    return ((const uint *)((ulong)base + (low | (ulong)high << 32)))[2];
}
kernel void distance_in_bytes(global uint *out)
{
    local uint near[4];
    uint own[4] = {11, 12, 13, 14};
    for (uint i = 0; i < 4; i++)
        near[i] = 21 + i;
    uint *base = own, *to = near;
    ulong distance = (ulong)to - (ulong)base;
    out[0] = distance < 1ul << 40 ? third(base, (uint)distance, (uchar)(distance >> 32)) : to[2];
}
