// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: clang-22 forgets how vstore_half rounds
// Halves loaded and stored as floats through generic pointers, with every rounding, in vectors, in all three spaces.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:float:{[j * 0.5 for j in range(64)]}", "zero:1024"],
  "expect": {"0": "float:{[5 * j * 0.5 + 3 * (64 + j) + 8 * 0.25 * j + 0.75 * j for j in range(64)]}"}, "ambiguous": 0}]}
*/
float round_trip(half *p, float v) {
    vstore_half(v, 0, p);
    vstore_half_rtz(vload_half(0, p), 1, p);
    vstore_half_rte(vload_half(1, p), 0, p);
    vstore_half_rtp(vload_half(0, p), 1, p);
    vstore_half_rtn(vload_half(1, p), 0, p);
    return vload_half(0, p);
}
kernel void k(global float *out, global float *in, global ushort *room) {
    local ushort scratch[16 * 8];
    ushort own[8];
    int i = get_global_id(0), l = get_local_id(0);
    half *g = (half *)(room + i * 8), *s = (half *)(scratch + l * 8), *p = (half *)own;
    float sum = round_trip(g, in[i]) + round_trip(s, in[i]) + round_trip(p, in[i]);
    vstore_half2((float2)(in[i], 64 + i), 1, s);
    vstore_half3((float3)(in[i], 64 + i, 64 + i), 0, p);
    vstorea_half8((float8)(0.25f * i), 0, g);
    float2 a = vload_half2(1, s);
    float3 b = vload_half3(0, p);
    float8 c = vloada_half8(0, g);
    vstorea_half3((float3)(0.25f * i), 1, p);
    float3 d = vloada_half3(1, p);
    sum += a.x + a.y + b.x + b.y + b.z + c.s0 + c.s1 + c.s2 + c.s3 + c.s4 + c.s5 + c.s6 + c.s7;
    out[i] = sum + d.x + d.y + d.z;
}
