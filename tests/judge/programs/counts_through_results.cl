// SPDX-License-Identifier: Apache-2.0
// A count reaches a word through the result of a function, or a phi of a loop, as an address does.
/* TRUTH
{"kernels": [
 {"name": "result", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "loop", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
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
NOINLINE ulong chosen(uint c, ulong address)
{
    return c ? address : 9;
}
kernel void result(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union word u;
    u.w = chosen(in[0] & 2, (ulong)(uint *)&y);
    out[0] = is_nine(u.p);
}
kernel void loop(global uint *out, global const uint *in)
{
    uint x = 11;
    local union word u[4];
    ulong w = 9;
    for (uint i = 0; i < 3; i++) {
        u[i].w = w;
        if (in[i] == 7) w = (ulong)&x;
    }
    out[0] = is_nine(u[2].p);
}
