// SPDX-License-Identifier: Apache-2.0
// Addresses as integers in the built-in functions for integers; constant expressions that precede their operands.
/* TRUTH
{"kernels": [
  {"name": "k", "args": ["zero:64", "buffer:int:7,8,3,4"],
   "expect": {"0": "int:5,7,42,5,7,42,5,7"}, "global": 1, "local": 1}]}
*/
kernel void k(global int *out, global int *in)
{
    int x = 42;
    int *p = &x;
    local int l;
    l = 5;
    int *q = &l;
    ulong a = (ulong)p, b = (ulong)q, c = (ulong)(int *)in;
    long m = out[9] ? 0 : -1;
    out[0] = *(int *)select(a, b, (ulong)m);
    out[1] = *(int *)bitselect(a, c, (ulong)m);
    out[2] = *(int *)rotate(rotate(a, (ulong)in[2]), (ulong)(64 - in[2]));
    out[3] = *(int *)upsample((uint)(b >> 32), (uint)b);
    out[4] = *(int *)as_ulong(as_double(c));
    out[5] = *(int *)as_ulong(as_uint2(a));
    ulong2 v = (ulong2)(a, b);
    v = v.yx;
    out[6] = *(int *)v.x;
    out[7] = *(int *)((ulong4)(a, b, c, a))[in[2] - 1];
}
