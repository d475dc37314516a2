// SPDX-License-Identifier: Apache-2.0
// A count reaches a word through a parameter, a select or an atomic exchange, which an address may also take.
/* TRUTH
{"kernels": [
 {"name": "parameter", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "selected", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "exchange", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
union word {
    ulong w;
    uint *p;
};
NOINLINE uint is_nine(uint *p)
{
    return (ulong)p == 9;
}
NOINLINE void put(union word *u, ulong w)
{
    u->w = w;
}
kernel void parameter(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union word u;
    put(&u, 9);
    if (in[0] & 2) put(&u, (ulong)(uint *)&y);
    out[0] = is_nine(u.p);
}
NOINLINE void keep(union word *u, uint c, ulong address)
{
    u->w = c ? address : 9;
}
kernel void selected(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union word u;
    keep(&u, in[0] & 2, (ulong)(uint *)&y);
    out[0] = is_nine(u.p);
}
kernel void exchange(global uint *out, global const uint *in)
{
    uint x = 11;
    local ulong w;
    w = 0;
    atomic_exchange((volatile local atomic_ulong *)&w, in[0] & 2 ? (ulong)&x : 9ul);
    out[0] = is_nine(*(uint **)&w);
}
