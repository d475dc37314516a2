// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1273 991 1595 1074 1844 1705 1962 1654
static float4 split(float4 x, float4 *whole)
{
    return modf(x, whole);
}
static int4 exponents(float4 x, float4 *mantissa)
{
    int4 e;
    *mantissa = frexp(x, &e);
    return e;
}
kernel void k(global int *out, global int *in)
{
    local float4 wholes[4];
    local int4 quotients[4];
    int id = get_global_id(0), me = get_local_id(0);
    float4 x = (float4)(1.25f, 2.5f, 3.75f, 9.5f) * (id + 1), m, c;
    float4 parts = split(x, &wholes[me]);
    int4 e = exponents(x, &m);
    float4 r = remquo(x, (float4)(2), &quotients[me]);
    float4 f = fract(x, &c);
    float4 s = parts * 100 + wholes[me] + m * 64 + convert_float4(e) + r * 8 + convert_float4(quotients[me] & 7) + f * 4 + c;
    out[id] = (int)(s.x + s.y * 2 + s.z * 3 + s.w * 5);
}
