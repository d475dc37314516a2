// SPDX-License-Identifier: Apache-2.0
// Counts come from the initializer of a structure or of a table in constant memory, and merge with an address.
/* TRUTH
{"kernels": [
 {"name": "own", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1},
 {"name": "table", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
union word {
    ulong w;
    uint *p;
};
struct config {
    union word a;
    uint n;
    union word b;
};
constant struct config presets[2] = {{{5}, 1, {6}}, {{7}, 2, {8}}};
__attribute__((noinline)) uint is_small(uint *p)
{
    return (ulong)p == 2 || (ulong)p == 8;
}
kernel void own(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    union word t[2] = {{1}, {2}};
    if (in[0] & 2) t[1].p = &y;
    out[0] = is_small(t[1].p);
}
kernel void table(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    struct config s = presets[in[2] & 1];
    if (in[0] & 2) s.b.p = &y;
    out[0] = is_small(s.b.p);
}
