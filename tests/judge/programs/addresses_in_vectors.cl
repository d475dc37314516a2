// SPDX-License-Identifier: Apache-2.0
// Addresses in vectors, atomics, bytes and floating-point numbers; explicit casts; comparisons.
/* TRUTH
{"kernels": [
  {"name": "vec", "args": ["zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:7,5,42,84,21,7,7,14"}, "global": 1, "local": 1},
  {"name": "vec2", "args": ["zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:7,42,5,54,12,5,42"}, "global": 1, "local": 1},
  {"name": "casts", "args": ["zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:4200,7,50,0,0,2,1,0,1,1,6,3"}, "global": 1, "local": 1},
  {"name": "atom2", "args": ["zero:64", "buffer:int:7,8,1,10", "zero:32"],
   "expect": {"0": "int:49,47,5,7,7,7,7,8"}, "global": 1, "local": 1},
  {"name": "cmpx2", "args": ["zero:64", "buffer:int:7,8,1,10", "zero:32"],
   "expect": {"0": "int:47,10,705"}, "global": 1, "local": 1},
  {"name": "bytes8", "args": ["zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:42,42,7,7,7,7"}, "global": 1, "local": 1},
  {"name": "minmax", "args": ["zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:42,41,42,42,41,42,41,42,42,1,1,4,0,42"}, "global": 1, "local": 1},
  {"name": "dbl", "args": ["zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:5,7,42,7,47,7,42"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define A(p) ((ulong)(int *)(p))
#define D(u) (*(int *)(u))
kernel void vec(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    ulong4 v = (ulong4)(A(&x), A(in), A(&y), 0);
    int k = in[2];
    v[k + 2] = v[k];
    out[0] = D(v[3]);
    v.xz = v.zx;
    out[1] = D(v.x);
    out[2] = D(v[k + 1]);
    ulong2 w = v.hi;
    w.y = A(&x);
    out[3] = D(w.x) + D(w[k]);
    ulong4 s = select((ulong4)(A(in)), v, (ulong4)(0, ~0UL, 0, ~0UL));
    out[4] = D(s.x) + D(s.y) + D(s.w);
    ulong4 m = shuffle2(v, s, (ulong4)(k, 4, 5 + k, 7));
    out[5] = D(m.x);
    out[6] = D(m.y);
    out[7] = D(m.z) + D(m.w);
}
kernel void vec2(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    local ulong lm[8];
    ulong pm[8];
    int k = in[2];
    for (int i = 0; i < 8; i++) {
        pm[i] = i & 1 ? A(&x) : A(in);
        lm[i] = A(&y);
    }
    vstore2(vload2(k, pm), k + 1, lm);
    out[0] = D(lm[4]);
    out[1] = D(lm[5]);
    out[2] = D(lm[k]);
    vstore4(as_uint4(vload2(0, lm + 4)), 0, (uint *)(pm + 2));
    pm[7] = A(&y);
    out[3] = D(pm[2]) + D(pm[3]) + D(pm[7]);
    ulong8 big = vload8(0, pm);
    ulong2 t = big.s27;
    out[4] = D(t.x) + D(t.y);
    uchar16 c = as_uchar16((ulong2)(A(&x), A(&y)));
    c = c.s89abcdef01234567;
    out[5] = D(as_ulong2(c).x);
    out[6] = D(as_ulong2(c).y);
}
kernel void casts(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    int *p[3];
    p[0] = &x;
    p[1] = in;
    p[2] = &y;
    for (int i = 0; i < 3; i++) {
        global int *g = to_global(p[i]);
        local int *l = to_local(p[i]);
      private
        int *q = to_private(p[i]);
        out[i] = g ? *g : l ? *l * 10 : q ? *q * 100 : -1;
        out[4 + i] = get_fence(p[i]);
    }
    ulong u = A(p[in[2]]);
    int *z = 0;
    out[8] = to_local(z) == 0 && to_global(z) == 0 && to_private(z) == 0;
    p[1] = 0;
    out[9] = p[in[2]] == 0;
    out[10] = (p[0] == p[2]) + 2 * (p[0] != p[1]) + 4 * (p[in[2] + 1] == &y);
    *p[0] = 3;
    out[11] = x;
}
kernel void atom2(global int *out, global int *in, global ulong *g)
{
    int x = 42;
    local int y;
    y = 5;
    local ulong l[2];
    l[0] = A(&y);
    l[1] = A(in);
    g[0] = A(&x);
    ulong a = atom_xchg(&l[in[2]], A(&x));
    out[0] = D(a) + D(l[1]);
    a = atom_xchg(&g[0], l[0]);
    out[1] = D(a) + D(g[0]);
    a = atom_add(&l[0], 0);
    out[2] = D(a);
    a = atom_or(&g[1], A(in));
    out[3] = D(g[1]);
    a = atom_max(&g[2], A(in));
    out[4] = D(g[2]);
    out[5] = D(atom_and(&g[2], ~0UL));
    a = atom_sub(&g[2], 4UL);
    out[6] = D(a);
    out[7] = ((int *)g[2])[2];
}
kernel void cmpx2(global int *out, global int *in, global ulong *g)
{
    int x = 42;
    local int y;
    y = 5;
    ulong e = 0;
    ulong o = atom_cmpxchg(&g[0], e, A(&x));
    o = atom_cmpxchg(&g[0], A(&x), A(&y));
    out[0] = D(o) + D(g[0]);
    o = atom_cmpxchg(&g[0], A(in), A(in));
    out[1] = D(o) + D(g[0]);
    local ulong l;
    l = A(in);
    o = atom_cmpxchg(&l, A(in), g[0]);
    out[2] = D(o) * 100 + D(l);
}
kernel void bytes8(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    ulong u = in[2] ? A(&x) : A(&y), w = 0, z = 0;
    uchar b[8];
    ushort h[4];
    for (int i = 0; i < 8; i++)
        b[i] = u >> (8 * i);
    for (int i = 7; i >= 0; i--)
        w = (w << 8) | b[i];
    out[0] = D(w);
    for (int i = 0; i < 4; i++)
        h[3 - i] = u >> (16 * i);
    for (int i = 0; i < 4; i++)
        z += (ulong)h[3 - i] << (16 * i);
    out[1] = D(z);
    uint2 q = as_uint2(A(in));
    uint2 r = (uint2)(q.x, q.y);
    out[2] = D(as_ulong(r));
    ulong m = (ulong)q.y * 4294967296UL + q.x;
    out[3] = D(m);
    out[4] = D(upsample(q.y, q.x));
    out[5] = D(rotate((ulong)q.y, 32UL) | q.x);
}
kernel void minmax(global int *out, global int *in)
{
    int x[2] = {41, 42};
    local int y;
    y = 5;
    ulong a = A(&x[0]), b = A(&x[1]);
    out[0] = D(max(a, b));
    out[1] = D(min(a, b));
    out[2] = D(clamp(a, b, b));
    out[3] = D(add_sat(a, 4UL));
    out[4] = D(sub_sat(b, 4UL));
    out[5] = D(a + abs_diff(a, b));
    out[6] = D(hadd(a, a));
    out[7] = D(bitselect(a, b, ~0UL));
    out[8] = D(mad_sat(4UL, 1UL, a));
    int *p = &x[1], *q = x;
    out[9] = p - q;
    out[10] = p > q;
    out[11] = (int)(A(p) - A(q));
    ulong d = A(p) % 4;
    out[12] = d;
    ulong k = A(p) / 4 * 4;
    out[13] = D(k);
}
kernel void dbl(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    double d = as_double(A(&y));
    float2 f = as_float2(A(in));
    local double ld[2];
    ld[in[2]] = d;
    float4 f4 = (float4)(f, as_float2(A(&x)));
    out[0] = D(as_ulong(ld[in[2]]));
    out[1] = D(as_ulong(f));
    out[2] = D(as_ulong(f4.zw));
    out[3] = D(as_ulong(f4.xy));
    double2 dd = (double2)(as_double(A(&x)), d);
    out[4] = D(as_ulong(dd[in[2]])) + D(as_ulong(dd.x));
    half4 hh = as_half4(A(in));
    out[5] = D(as_ulong(hh));
    out[6] = D(as_ulong(select(d, as_double(A(&x)), (long)-in[2])));
}
