// SPDX-License-Identifier: Apache-2.0
// The high 16 bits of an address are shifted out, cleared by a mask (constant or computed at run time), or truncated.
/* TRUTH
{"kernels": [
  {"name": "mask48v", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "shl16", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:49"}, "global": 1, "local": 1},
  {"name": "lo32hi16", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:49"}, "global": 1, "local": 1},
  {"name": "twin", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:42,43"}, "global": 1, "local": 1},
  {"name": "twin2", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:42,43"}, "global": 1, "local": 1},
  {"name": "conlost", "args": ["zero:16", "buffer:int:7,8,48,10", "local:16"],
   "expect": {"0": "int:43,42"}, "global": 1, "local": 1}]}
*/
kernel void mask48v(global int *out, global int *in)
{
    int x = 42;
    int *p = &x;
    ulong b = (ulong)p & ((1UL << in[2]) - 1);
    int *q = (int *)b;
    out[0] = *q;
}
kernel void shl16(global int *out, global int *in)
{
    int x = 42;
    int *p = &x;
    long b = ((long)p << 16) | in[0];
    int *q = (int *)(b >> 16);
    out[0] = *q + (int)(b & 0xffff);
}
struct lo32hi16_b {
    uint lo;
    ushort hi;
    ushort tag;
};
kernel void lo32hi16(global int *out, global int *in)
{
    int x = 42;
    int *p = &x;
    struct lo32hi16_b b;
    b.lo = (ulong)p;
    b.hi = (ulong)p >> 32;
    b.tag = in[0];
    int *q = (int *)(((ulong)b.hi << 32) | b.lo);
    out[0] = *q + b.tag;
}
__attribute__((noinline)) int twin_f(ulong b)
{
    return *(int *)b;
}
kernel void twin(global int *out, global int *in)
{
    int x = 42, y = 43;
    out[0] = twin_f((ulong)(int *)&x & 0xffffffffffffUL);
    out[1] = twin_f((ulong)(int *)&y);
}
__attribute__((noinline)) int twin2_f(ulong b)
{
    return *(int *)b;
}
kernel void twin2(global int *out, global int *in)
{
    int x = 42, y = 43;
    out[1] = twin2_f((ulong)(int *)&y);
    out[0] = twin2_f((ulong)(int *)&x & 0xffffffffffffUL);
}
kernel void conlost(global int *out, global int *in, local int *lp)
{
    lp[0] = 42;
    int x = 1;
    int *g = &x;
    ulong b = (ulong)lp & 0xffffffffffffUL;
    uint u = (uint)(ulong)lp;
    out[0] = *(local int *)b + *g;
    out[1] = *(local int *)(ulong)u;
}
