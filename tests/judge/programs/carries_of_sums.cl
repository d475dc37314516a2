// SPDX-License-Identifier: Apache-2.0
// The highest bits of a sum or difference tell which of two integers is greater, so a program can find an address with them: by the sign of
// the difference to a number, by a carry into bit 63, and by the exponent of the double that has the bits of a difference.
/* TRUTH
{"kernels": [
  {"name": "sign", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "sign_as_mask", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "sign_of_loose", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "carry", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "in_callee", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "exponent", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "with_itself", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "counts_above", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30,3"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BEGIN                                                                                                          \
    local ulong near[4];                                                                                               \
    for (int i = 0; i < 4; i++)                                                                                        \
        near[i] = in[i];                                                                                               \
    ulong p = (ulong)(ulong *)&near[in[4]], x = 0;
#define END out[0] = *(ulong *)x;
__attribute__((noinline)) ulong is_less(ulong a, ulong b)
{
    return (a - b) >> 63;
}
kernel void sign(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 0; i--)
        x |= (1 - ((p - (x | 1ul << i)) >> 63)) << i;
    END
}
kernel void sign_as_mask(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 0; i--)
        x += 1ul << i & ~(ulong)((long)(p - (x + (1ul << i))) >> 63);
    END
}
/* The address without one of its bits is no number, but it is loose. */
#define BIT(i) x |= (((p & ~(1ul << i)) - p) >> 63) << i;
#define BITS(i) BIT(i) BIT(i + 1) BIT(i + 2) BIT(i + 3) BIT(i + 4) BIT(i + 5) BIT(i + 6) BIT(i + 7)
kernel void sign_of_loose(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 16; i < 40; i++)
        x |= ((p & 1ul << i) + 0x7ffffffffffffffful) >> 63 << i;
    BITS(0) BITS(8) BITS(40)
    END
}
kernel void carry(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 0; i--)
        x |= (p + ((1ul << 63) - (x | 1ul << i))) >> 63 << i;
    END
}
kernel void in_callee(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 0; i--)
        if (!is_less(p, x | 1ul << i)) x |= 1ul << i;
    END
}
/* A negative difference has all bits of the exponent set, as a NaN has. */
kernel void exponent(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 0; i--)
        if (!isnan(as_double(p - (x | 1ul << i)))) x |= 1ul << i;
    END
}
kernel void with_itself(global ulong *out, global const ulong *in)
{
    BEGIN
    for (int i = 47; i >= 0; i--) {
        double d = as_double(p - (x | 1ul << i));
        if (d == d) x |= 1ul << i;
    }
    END
}
/* A count above an address has no carry from it, so this exposes nothing, but the integer is outside of the window. */
kernel void counts_above(global ulong *out, global const ulong *in)
{
    local ulong near[4];
    for (int i = 0; i < 4; i++)
        near[i] = in[i];
    ulong mine = 7;
    ulong *both = out[1] ? &mine : (ulong *)&near[in[4]];
    ulong *volatile tagged = (ulong *)((ulong)both + ((in[4] + 1) << 48));
    out[0] = *(ulong *)((ulong)tagged & 0xfffffffffffful);
    out[1] = (ulong)tagged >> 48;
}
