// SPDX-License-Identifier: Apache-2.0
// A null pointer is stored, and its word is loaded as an integer only. The sum of null and a count is a count, which is
// still the same integer after a conversion to a pointer, although the word may be the address of local memory as well.
/* TRUTH
{"kernels": [
  {"name": "stored", "args": ["zero:16", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
  {"name": "stored_by_callee", "args": ["zero:16", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
  {"name": "assigned", "args": ["zero:16", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
  {"name": "in_constant_structure", "args": ["zero:16", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
  {"name": "in_constant_table", "args": ["zero:16", "buffer:uint:1,2,3,4"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
union word {
    ulong w;
    uint *p;
};
struct two {
    uint *p;
    ulong k;
};
struct three {
    uint *p;
    ulong k;
    uint *q;
};
constant struct two rows[2] = {{0, 5}, {0, 6}};
NOINLINE ulong number(uint *p)
{
    return (ulong)p;
}
NOINLINE void clear(uint **p)
{
    *p = 0;
}
kernel void stored(global uint *out, global const uint *in)
{
    local uint y;
    volatile union word u;
    u.p = 0;
    if (in[1] == 9) u.p = (uint *)&y; /* not executed, here and below */
    out[0] = number((uint *)(u.w + 4)) == 4;
}
kernel void stored_by_callee(global uint *out, global const uint *in)
{
    local uint y;
    union word u;
    u.w = (ulong)(uint *)&y;
    clear(&u.p);
    out[0] = number((uint *)(u.w + 4)) == 4;
}
kernel void assigned(global uint *out, global const uint *in)
{
    local uint y;
    local struct two a;
    a = (struct two){0};
    if (in[1] == 9) a.p = (uint *)&y;
    volatile local ulong *q = (volatile local ulong *)&a;
    out[0] = number((uint *)(q[0] + 4)) == 4;
}
kernel void in_constant_structure(global uint *out, global const uint *in)
{
    local uint y;
    uint x = 11;
    struct three v = {(uint *)&y, 4, 0};
    if (in[1] == 9) v.q = &x;
    ulong w = ((ulong *)&v)[2];
    out[0] = number((uint *)(w | 1)) == 1;
}
kernel void in_constant_table(global uint *out, global const uint *in)
{
    local uint y;
    struct two r = rows[in[0]];
    if (in[1] == 9) r.p = (uint *)&y;
    volatile ulong *q = (volatile ulong *)&r;
    out[0] = number((uint *)(q[0] + 4)) == 4;
}
