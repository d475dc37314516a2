// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 25052 125053 225078 325054 425066 525079 625091 725055
float parts(float x, float *whole) { return modf(x, whole); }
int exponent(float x, int *e) { return (int)(frexp(x, e) * 100); }
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    float whole, sine, cosine;
    float rest = parts(in[i] + 0.25f, &whole);
    int m = exponent(in[i] + 1.0f, &l[j]);
    sine = sincos(0.0f, &cosine);
    out[i] = (int)whole * 100000 + (int)(rest * 100) * 1000 + m + l[j] + (int)(sine + cosine);
}
