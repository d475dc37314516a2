// SPDX-License-Identifier: Apache-2.0
// Local and private pointers that are converted from integers are compared with pointers that are not, or that are
// converted from other integers: a 32-bit handle, and marks in tables. Unsound if such a pointer is compared by the integer
// from which it is converted.
/* TRUTH
{"kernels": [
 {"name": "bounds", "args": ["zero:4", "local:16"], "expect": {"0": "uint:12"}, "global": 1, "local": 1},
 {"name": "tombstone", "args": ["zero:8", "buffer:uint:1", "local:4"], "expect": {"0": "uint:1,0"}, "global": 1, "local": 1},
 {"name": "end_mark", "args": ["zero:8", "buffer:uint:1"], "expect": {"0": "uint:1,5"}, "global": 1, "local": 1},
 {"name": "halves", "args": ["zero:8", "local:4"], "expect": {"0": "uint:18,1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE uint uses(uint *p)
{
    return *p;
}
kernel void bounds(global uint *out, local uint *tile)
{
    tile[0] = 1, tile[1] = 2, tile[2] = 3, tile[3] = 4;
    uint end = (uint)(ulong)(tile + 2), s = 0;
    for (local uint *x = tile; x < (local uint *)(ulong)end && x < tile + 4; x++)
        s = s * 10 + uses(x);
    out[0] = s;
}
kernel void tombstone(global uint *out, global const uint *in, local uint *tile)
{
    tile[0] = 9;
    local uint *table[2] = {tile, (local uint *)1};
    local uint *x = table[in[0] & 1];
    if (x != (local uint *)1) out[1] = uses((uint *)x);
    out[0] = x == (local uint *)1;
}
kernel void end_mark(global uint *out, global const uint *in)
{
    private uint own = 5;
    private uint *table[2] = {&own, (private uint *)-1};
    private uint *x = table[in[0] & 1];
    out[1] = uses(table[0]);
    out[0] = x == (private uint *)-1;
}
kernel void halves(global uint *out, local uint *tile)
{
    tile[0] = 9;
    ulong whole = (ulong)tile;
    uint low = (uint)(ulong)tile;
    local uint *a = (local uint *)whole, *b = (local uint *)(ulong)low;
    out[0] = uses(a) + uses(b);
    out[1] = a == b;
}
