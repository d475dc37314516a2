// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 328525 329025 329525 330025 330525 331025 331525 332025
kernel void k(global int *out, global int *in)
{
    local ushort lh[64];
    ushort ph[16];
    global half *gh = (global half *)(out);
    size_t i = get_global_id(0), l = get_local_id(0);
    half *p = l & 1 ? (half *)ph : (half *)(lh + l * 16);
    vstore_half4_rte((float4)(1.5f, -2.0f, 65504.0f, (float)i), 0, p);
    vstore_half3((float3)(0.25f, 8, 9), 1, p + 1);
    vstore_half2_rtz((float2)(1.00048828125f, 3), 4, p);
    vstore_half_rtp(1.0001f, 10, p);
    vstorea_half3((float3)(4, 5, 6), 3, p);
    float4 a = vload_half4(0, p);
    float3 b = vload_half3(1, p + 1);
    float2 c = vload_half2(4, p);
    float3 d = vloada_half3(3, p);
    float s = a.x + a.y * 3 + a.w * 5 + b.x * 7 + b.y * 11 + b.z * 13 + c.y * 17 + d.x + d.y * 2 + d.z * 3 +
              (a.z == 65504.0f ? 1000 : 0) + (vload_half(10, p) > 1.0f ? 2000 : 0) + (c.x > 1.0f ? 4000 : 0);
    out[i] = (int)(s * 100);
}
