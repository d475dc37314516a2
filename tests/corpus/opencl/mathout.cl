// SPDX-License-Identifier: Apache-2.0
// Library functions that write through a pointer: fract, modf, sincos, frexp, remquo, lgamma_r; private and local.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:float:{[j + 0.25 for j in range(64)]}"],
  "expect": {"0": "float:{[(j + 0.25) + 0.25 + j + (j + 0.25) for j in range(64)]}"}, "ambiguous": 0}]}
*/
kernel void k(global float *out, global float *in) {
    local float scratch[16];
    int i = get_global_id(0), l = get_local_id(0), e = 0;
    float whole = 0, *p = &whole, *q = (float *)&scratch[l];
    float f = fract(in[i], p);
    float m = modf(in[i], q);
    float x = frexp(in[i], &e);
    out[i] = f + whole + m + *q + ldexp(x, e);
}
