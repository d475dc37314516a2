// SPDX-License-Identifier: Apache-2.0
// Halves that are loaded and stored through unnamed pointers.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

float get(const half *p, int i)
{
    return vload_half(i, p);
}
void put(half *p, float v)
{
    vstore_half(v, 0, p);
}
float4 get4(const half *p)
{
    return vload_half4(0, p);
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    ushort raw[4] = {0x3c00, 0x4000, 0x4200, 0x4400};
    local ushort lr[4];
    put((half *)&lr[l], 2.0f);
    out[g] = get((half *)raw, 2) == 3 && get((half *)&lr[l], 0) == 2 && get4((half *)raw).w == 4 ? g : -1;
}
