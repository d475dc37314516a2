// SPDX-License-Identifier: Apache-2.0
// A minimum, a maximum, a clamp and an atomic compare two integers as an ordered comparison does: whether the lowest byte of the result is
// that of the address tells which of them is greater, though that byte alone determines no address.
/* TRUTH
{"kernels": [
  {"name": "least", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "greatest", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "clamped", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "of_vectors", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "atomically", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "exchanged", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define BEGIN                                                                                                          \
    local ulong near[4], cell;                                                                                         \
    for (int i = 0; i < 4; i++)                                                                                        \
        near[i] = in[i];                                                                                               \
    ulong p = (ulong)(ulong *)&near[in[4]], x = 0, low = p & 255;
/* A number with another lowest byte than the address, to which it is compared. */
#define NEXT (((x | 1ul << i) & ~255ul) + low - 1)
#define END out[0] = *(ulong *)(x | low);
kernel void least(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 8; i--)
        if ((uchar)min(p, NEXT) != low) x |= 1ul << i;
    END
}
kernel void greatest(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 8; i--)
        if ((uchar)max(p, NEXT) == low) x |= 1ul << i;
    END
}
kernel void clamped(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 8; i--)
        if ((uchar)clamp(p, 0ul, NEXT) != low) x |= 1ul << i;
    END
}
kernel void of_vectors(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 8; i--) {
        ulong2 v = min((ulong2)(7, p), (ulong2)(NEXT));
        if ((uchar)v.y != low) x |= 1ul << i;
    }
    END
}
kernel void atomically(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 8; i--) {
        cell = p;
        atom_min(&cell, NEXT);
        if ((uchar)cell != low) x |= 1ul << i;
    }
    END
}
kernel void exchanged(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 8; i--) {
        cell = p;
        atom_cmpxchg(&cell, p & ~(1ul << i), low + 1);
        if ((uchar)cell == low) x |= 1ul << i;
    }
    END
}
