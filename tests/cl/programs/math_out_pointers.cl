// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1156021 1244035 2260041 2338055 3346061 3354075 4362081 4435095
kernel void k(global int *out, global int *in)
{
    local float lf[4];
    local int li[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    float x = in[i] + 1.75f, pf;
    int pi, pq;
    float *f = i & 1 ? &pf : (float *)&lf[j];
    int *q = i & 1 ? (int *)&li[j] : &pi;
    float a = modf(x, f);
    float whole = *f;
    float m = frexp(x, q);
    int e = *q;
    float r = remquo(x, 2.0f, &pq);
    float g = lgamma_r(x, q);
    float s = fract(x, f);
    float si = sincos(0.0f, f);
    float2 two;
    int2 ex = (int2)(0), *pex = &ex;
    two = frexp((float2)(x, 8.0f), pex);
    out[i] = (int)(a * 4) + (int)whole * 10 + (int)(m * 64) * 1000 + e * 100000 + (pq & 7) * 1000000 + (int)(r * 4) +
             *q + (int)(s * 4) + (int)*f + ex.y;
}
