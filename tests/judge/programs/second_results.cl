// SPDX-License-Identifier: Apache-2.0
// The bits of an address are the mantissa of a double. Functions with two results keep them: as what they return, or in what they store.
/* TRUTH
{"kernels": [
  {"name": "whole_part", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "mantissa", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "fraction", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
#define ARGUMENTS global ulong *out, global const ulong *in, local ulong *near
/* The result is chosen at run time: the address, or one of local memory. */
#define BEGIN                                                                                                          \
    ulong own[2] = {in[0], in[0]}, x = 0, p = (ulong)(ulong *)&own[in[1]];                                             \
    near[0] = in[0];
#define END                                                                                                            \
    *(ulong *)(in[1] ? x & 0xfffffffffffful : (ulong)(ulong *)near) = in[2];                                           \
    out[0] = own[1];

kernel void whole_part(ARGUMENTS)
{
    BEGIN
    double whole;
    modf(as_double(p | 0x4330000000000000ul), &whole);
    x = as_ulong(whole);
    END
}
kernel void mantissa(ARGUMENTS)
{
    BEGIN
    int exponent;
    x = as_ulong(frexp(as_double(p | 0x4330000000000000ul), &exponent));
    END
}
kernel void fraction(ARGUMENTS)
{
    BEGIN
    double whole;
    x = as_ulong(fract(as_double(p | 0x3fe0000000000000ul), &whole));
    END
}
