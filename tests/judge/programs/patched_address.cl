// SPDX-License-Identifier: Apache-2.0
// The lower half of one address is stored over that of another, which then points to the first object. This module converts no other
// integer to a pointer.
/* TRUTH
{"kernels": [
  {"name": "k", "args": ["zero:16", "buffer:int:10,20,30,40", "local:16"], "expect": {"0": "int:7"}, "global": 1, "local": 1}]}
*/
kernel void k(global int *out, global int *in, local int *tile)
{
    tile[0] = 7;
    int *volatile one = tile, *volatile other = in;
    int *volatile *to_one = &one, *volatile *to_other = &other;
    volatile ulong low = (ulong)to_one, address = (ulong)to_other;
    *(volatile uint *)&address = (uint)low;
    out[0] = **(int *volatile *)address;
}
