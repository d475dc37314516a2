// SPDX-License-Identifier: Apache-2.0
// Floats of three widths, rounding, classification, and functions that store a second result, in each address space.
// RUN: --kernel singles --arg zero:64:float --arg float:2.25,-0.5,3,10
// CHECK: arg 0 float: 1.5 2 -1 0.25 8 9 0.5 1 1 0 2.25 -0.5 3 10 0.25 13
// RUN: --kernel doubles --arg zero:48:double --arg double:0.1 --arg long:9007199254740993
// CHECK: arg 0 double: 0.10000000000000001 9007199254740992 0.30000000000000004 0.10000000149011612 1 -1
// RUN: --kernel halves --arg zero:8:half --arg float:0.1 --arg zero:16:float
// CHECK: arg 0 half: 0.0999755859 0.0999755859 0.100036621 0
// CHECK: arg 2 float: 0.0999755859 2 0.25 1
// RUN: --kernel seconds --arg zero:48:float --arg float:2.75 --local 1
// CHECK: arg 0 float: 0.75 2 0.6875 2 0.75 2 1 3 -0.25 3 13 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void singles(global float *out, float4 v) {
    out[0] = sqrt(v.x);
    out[1] = floor(v.x);
    out[2] = floor(v.y);
    out[3] = fabs(v.y) * 0.5f;
    out[4] = pow(2.0f, v.z);
    out[5] = fma(v.z, 2.0f, v.z);
    out[6] = clamp(v.y, 0.5f, 1.0f);
    out[7] = step(1.0f, v.x);
    out[8] = isnan(v.x / 0.0f - v.x / 0.0f) != 0;
    out[9] = isinf(v.x);
    vstore4(v, 0, out + 10);
    out[14] = mix(0.0f, 0.5f, 0.5f);
    out[15] = dot((float2)(v.z, v.w), (float2)(1.0f, 1.0f));
}
kernel void doubles(global double *out, double d, long n) {
    out[0] = d;
    out[1] = convert_double(n);
    out[2] = d + 0.2;
    out[3] = (float)d;
    out[4] = convert_long_rtp(d);
    out[5] = convert_long_rtn(-d);
}
kernel void halves(global half *out, float f, global float *back) {
    out[0] = (half)f;
    vstore_half(f, 1, out);
    vstore_half_rtp(f, 2, out);
    back[0] = vload_half(0, out);
    back[1] = ldexp(0.5f, 2);
    back[2] = native_divide(1.0f, 4.0f);
    back[3] = out[0] == out[1];
}
kernel void seconds(global float *out, float x) {
    local float l;
    float p;
    int e;
    local int n;
    out[0] = fract(x, &p);
    out[1] = p;
    out[2] = frexp(x, &e);
    out[3] = e;
    out[4] = modf(x, &l);
    out[5] = l;
    out[6] = lgamma_r(-1.5f, &e) > 0.8f;
    out[7] = sincos(0.0f, out + 11) + 3.0f;
    out[8] = remquo(x, 1.0f, &n);
    out[9] = n;
    out[11] -= 1.0f;
    remquo(13.0f, 1.0f, &e);
    out[10] = e;
}
