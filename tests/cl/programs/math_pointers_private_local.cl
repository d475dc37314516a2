// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int all_math(float x, float *f, int *n)
{
    int ok = 1;
    float r = fract(x, f);
    ok &= *f == floor(x) && fabs(r - (x - floor(x))) < 1e-5f;
    r = modf(x, f);
    ok &= *f == trunc(x);
    r = frexp(8.0f, n);
    ok &= *n == 4 && r == 0.5f;
    r = lgamma_r(3.0f, n);
    ok &= *n == 1 && fabs(r - 0.6931472f) < 1e-4f;
    r = remquo(7.0f, 2.0f, n);
    ok &= (*n & 3) == 0 && r == -1.0f || (*n & 7) == 4 || (*n & 7) == 3;
    r = sincos(0.0f, f);
    ok &= r == 0.0f && *f == 1.0f;
    return ok;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    float f;
    int n;
    local float lf[4];
    local int ln[4];
    out[i] = all_math(i + 0.25f, &f, &n) && all_math(i + 0.25f, &lf[t], &ln[t]) && all_math(-i - 0.25f, &f, &ln[t]);
}
