// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 101000 105005 109010 113015 117020 121025 125030 129035
float get(const half *p)
{
    return vload_half(0, p);
}
kernel void k(global int *out, global int *in)
{
    local ushort l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    ushort x = 0;
    vstore_half(i * 0.5f, 0, (half *)&x);
    vstore_half_rtz(i + 0.25f, 0, (local half *)&l[j]);
    out[i] = (int)(get((half *)&x) * 10) + (int)(get((half *)&l[j]) * 4) * 1000 +
             (int)vload_half4(0, (half *)&(ushort4){0x3c00, x, 0, 0}).x * 100000;
}
