// SPDX-License-Identifier: Apache-2.0
// A double that is computed from digits of an address has the address among its bits, plus a constant: the double 2^52 + n is the integer
// 0x4330000000000000 + n. No part of it has a set, so it must be a number where it is stored, passed or merged. A condition chooses the
// result or a private address.
/* TRUTH
{"kernels": [
  {"name": "stored", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "passed", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "summed_up", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "in_vectors", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "vector_stored", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "floats", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "ordered", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "lanes", "args": ["zero:16", "buffer:ulong:10,20,30,40,2"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BEGIN                                                                                                          \
    local ulong near[4];                                                                                               \
    ulong mine = 7;                                                                                                    \
    for (int i = 0; i < 4; i++)                                                                                        \
        near[i] = in[i];                                                                                               \
    ulong p = (ulong)(ulong *)&near[in[4]], x = 0;
#define END                                                                                                            \
    ulong *at = (ulong *)x;                                                                                            \
    if (out[1]) at = (ulong *)&mine;                                                                                   \
    out[0] = *at;
#define MAGIC 0x4330000000000000ul
union word {
    ulong w;
    double d;
    float2 f;
};
double sum(uint high, uint low) { return 4503599627370496.0 + (double)high * 4294967296.0 + (double)low; }
double magic(ulong p) { return sum(p >> 32, p); }
__attribute__((noinline)) ulong bits_of(double d)
{
    union word u;
    u.d = d;
    return u.w;
}
kernel void stored(global ulong *out, global const ulong *in)
{
    BEGIN
    volatile union word u;
    u.d = magic(p);
    x = u.w ^ MAGIC;
    END
}
kernel void passed(global ulong *out, global const ulong *in)
{
    BEGIN
    x = bits_of(magic(p)) ^ MAGIC;
    END
}
kernel void summed_up(global ulong *out, global const ulong *in)
{
    BEGIN
    double d = 4503599627370496.0;
    for (int i = 0; i < 48; i++)
        d += p >> i & 1 ? (double)(1ul << i) : 0;
    x = as_ulong(d) - MAGIC;
    END
}
kernel void in_vectors(global ulong *out, global const ulong *in)
{
    BEGIN
    double2 d = (double2)(4503599627370496.0, 1);
    for (int i = 0; i < 48; i++)
        if (p >> i & 1) d += (double2)((double)(1ul << i), 1);
    ulong2 v = as_ulong2(d);
    x = v.x - MAGIC;
    END
}
kernel void vector_stored(global ulong *out, global const ulong *in)
{
    BEGIN
    double2 d[2];
    d[in[4] - 1] = convert_double2((ulong2)(1, p | 1ul << 52));
    x = ((ulong *)d)[in[4] + 1] ^ MAGIC;
    END
}
/* The product of a float n and its smallest positive number has the bits of the integer n. */
/* The halves of the address are denormal floats, which a driver may flush to 0: Mesa's llvmpipe has none. */
kernel void floats(global ulong *out, global const ulong *in)
{
    BEGIN
    float2 f = (float2)0;
    if (in[3] == 40) {
        out[0] = 1;
        f = (float2)((float)((uint)p & 0x7fffff) * 0x1p-149f, ldexp((float)(ushort)(p >> 32), -149));
    }
    x = as_ulong(f) + ((uint)p & 0xff800000);
    END
}
/* The double 2^52 + p holds the address, and no other operand of the comparison a part of it. */
kernel void ordered(global ulong *out, global const ulong *in)
{
    BEGIN
    double d = as_double(p | MAGIC);
    uint low = 0, high = 0;
    for (int i = 15; i >= 0; i--)
        if (d >= sum(high | 1u << i, 0)) high |= 1u << i;
    for (int i = 31; i >= 0; i--)
        if (d >= sum(high, low | 1u << i)) low |= 1u << i;
    x = (ulong)high << 32 | low;
    END
}
/* Each byte is compared with all constants for equality: a part of an address is compared, not an address. */
#define BYTE(n) v = as_uchar8(p) == (uchar8)(n) ? (uchar8)(n) : v;
#define FOUR(n) BYTE(n) BYTE(n + 1) BYTE(n + 2) BYTE(n + 3)
#define SIXTEEN(n) FOUR(n) FOUR(n + 4) FOUR(n + 8) FOUR(n + 12)
#define SIXTY_FOUR(n) SIXTEEN(n) SIXTEEN(n + 16) SIXTEEN(n + 32) SIXTEEN(n + 48)
kernel void lanes(global ulong *out, global const ulong *in)
{
    BEGIN
    uchar8 v = 0;
    SIXTY_FOUR(0) SIXTY_FOUR(64) SIXTY_FOUR(128) SIXTY_FOUR(192)
    x = as_ulong(v);
    END
}
