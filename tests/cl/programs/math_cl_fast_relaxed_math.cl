// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -cl-fast-relaxed-math
// expect: 240213 880346 1520479 2160612 2800738 3440871 4081004 4721137
float poly(const float *c, int n, float x)
{
    float r = 0;
    for (int i = n; i-- > 0;)
        r = mad(r, x, c[i]);
    return r;
}
float part(float x, float *whole)
{
    return fract(x, whole);
}
kernel void k(global int *out, global int *in)
{
    local float l[4][3];
    size_t i = get_global_id(0), j = get_local_id(0);
    float c[4] = {1, 0.5, 0.25, in[i]}, w;
    for (int n = 0; n < 3; n++)
        l[j][n] = n + i;
    float f = part(in[i] * 1.25f + 0.125f, &w);
    out[i] = (int)(poly(c, 4, 2.0f) * 8) * 10000 + (int)poly(l[j], 3, 3.0f) * 10 + (int)w + (int)(f * 8) +
             (int)rint(sqrt(16.0f * in[4]) / 4);
}
