// SPDX-License-Identifier: Apache-2.0
// A program lays words, or shorter integers, over the links in an array: from the last link, a constant step over them leads
// to the next member of the structure. Unsound if the step is taken to stay in the array, as steps over its own elements are.
/* TRUTH
{"kernels": [
 {"name": "words", "args": ["zero:4", "buffer:uint:1", "local:4"], "expect": {"0": "uint:9"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
struct list {
    uint *links[2];
    uint *end;
};
NOINLINE uint *in_second_word(const ulong *word)
{
    return (uint *)word[1];
}
kernel void words(global uint *out, global const uint *in, local uint *tile)
{
    uint own = 5;
    struct list s;
    tile[0] = 9;
    s.links[0] = s.links[1] = &own;
    s.end = (uint *)tile;
    out[0] = *in_second_word((ulong *)&s.links[in[0] & 1]);
}
