// SPDX-License-Identifier: Apache-2.0
// The subtraction of a negative constant leads from the last element of an array of links to the next member of the
// structure. Unsound if only positive subtrahends are steps that may leave the array.
/* TRUTH
{"kernels": [
 {"name": "negative", "args": ["zero:4", "buffer:uint:1", "local:4"], "expect": {"0": "uint:9"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
struct list {
    uint *links[2];
    uint *end;
};
NOINLINE uint *behind(void *at)
{
    return *(uint **)((ulong)at - (ulong)-8);
}
kernel void negative(global uint *out, global const uint *in, local uint *tile)
{
    uint own = 5;
    struct list s;
    tile[0] = 9;
    s.links[0] = s.links[1] = &own;
    s.end = (uint *)tile;
    out[0] = *behind(&s.links[in[0] & 1]);
}
