// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 4125 84125 84125 124125 84125 104125 124125 144125
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    float4 x = (float4)(0.5f, 1.5f, 2.5f, i), ip, fr;
    int4 e;
    fr = fract(x, &ip);
    float4 m = frexp(x, &e);
    local float4 c[4];
    float4 s = sincos(x, &c[get_local_id(0)]);
    float4 n = s * s + c[get_local_id(0)] * c[get_local_id(0)];
    out[i] = (int)(fr.x * 10) + (int)ip.z * 10 + e.y * 100 + (int)(dot(n, (float4)(1)) + 0.5f) * 1000 +
             (int)(m.w * 16) * 10000;
}
