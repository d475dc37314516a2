// SPDX-License-Identifier: Apache-2.0
// A kernel stores an address into a buffer as two halves, loads them as integers, and assembles the address in its own
// memory: the halves are stored separately, copied, or passed to callees, and are fragments of an address each time.
/* TRUTH
{"kernels": [
  {"name": "beside_a_link", "args": ["zero:16", "local:256"], "expect": {"0": "uint:0,0,10,0"}, "global": 1, "local": 1},
  {"name": "upper_half_copied", "args": ["zero:16"], "expect": {"0": "uint:0,0,10,0"}, "global": 1, "local": 1},
  {"name": "structures_copied", "args": ["zero:16"], "expect": {"0": "uint:0,0,10,0"}, "global": 1, "local": 1},
  {"name": "joined_by_a_callee", "args": ["zero:16"], "expect": {"0": "uint:0,0,10,0"}, "global": 1, "local": 1}]}
*/
typedef struct {
    ulong link;
    uint low, high;
} node;
typedef struct {
    uint low, high;
    ulong more;
} halves;
typedef struct {
    ulong word, more;
} words;

void give(global uint *out, const uint *mine)
{
    out[0] = (uint)(ulong)mine;
    out[1] = (uint)((ulong)mine >> 32);
}
__attribute__((noinline)) void put_both(node *n, global const uint *from)
{
    n->low = from[0];
    n->high = from[1];
}
kernel void beside_a_link(global uint *out, local ulong *room)
{
    uint mine[2] = {6, 7};
    node *n = (node *)room;
    give(out, &mine[1]);
    n->link = 5;
    put_both(n, out);
    **(uint **)&n->low += 3;
    out[0] = out[1] = 0;
    out[2] = mine[1];
}
kernel void upper_half_copied(global uint *out)
{
    uint mine[2] = {6, 7};
    ulong word[2] = {0, 0};
    give(out, &mine[1]);
    *(uint *)word = out[0];
    __builtin_memcpy((uint *)word + 1, &out[1], 4);
    *(uint *)word[0] += 3;
    out[0] = out[1] = 0;
    out[2] = mine[1];
}
__attribute__((noinline)) halves take(global const uint *from)
{
    halves h;
    h.low = from[0];
    h.high = from[1];
    h.more = 1;
    return h;
}
__attribute__((noinline)) void copy(void *to, const void *from) { __builtin_memcpy(to, from, 16); }
kernel void structures_copied(global uint *out)
{
    uint mine[2] = {6, 7};
    halves table[2];
    words found;
    give(out, &mine[1]);
    table[out[3]] = take(out);
    copy(&found, &table[0]);
    *(uint *)found.word += 3;
    out[0] = out[1] = 0;
    out[2] = mine[1];
}
__attribute__((noinline)) uint *join(uint low, uint high) { return (uint *)((ulong)high << 32 | low); }
__attribute__((noinline)) uint more(uint low, uint high) { return *join(low, high) += 3; }
kernel void joined_by_a_callee(global uint *out)
{
    uint mine[2] = {6, 7};
    give(out, &mine[1]);
    more(out[0], out[1]);
    out[0] = out[1] = 0;
    out[2] = mine[1];
}
