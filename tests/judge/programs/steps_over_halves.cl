// SPDX-License-Identifier: Apache-2.0
// A cursor over 32-bit integers is laid over a page with an array of links and one link behind it: a constant step over the
// integers leads from the last link of the array to the one behind it. Unsound if only steps over bytes or words may do that.
/* TRUTH
{"kernels": [
 {"name": "halves", "args": ["zero:4", "buffer:uint:1", "local:4"], "expect": {"0": "uint:9"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
struct page {
    uint *links[2];
    uint *next;
};
NOINLINE uint *behind(uint *cursor)
{
    return *(uint **)(cursor + 2);
}
kernel void halves(global uint *out, global const uint *in, local uint *tile)
{
    uint own = 5;
    struct page s;
    tile[0] = 9;
    s.links[0] = s.links[1] = &own;
    s.next = (uint *)tile;
    out[0] = *behind((uint *)&s.links[in[0] & 1]);
}
