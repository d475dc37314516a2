// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6423 7534 8646 9757 10869 11980 13092 14203
static float pick(const half *h, int i)
{
    return vload_half(i, h);
}
static void put(half *h, int i, float v)
{
    vstore_half_rtz(v, i, h);
}
kernel void k(global int *out, global int *in)
{
    local ushort l[4][4];
    ushort p[4];
    int i = get_global_id(0), me = get_local_id(0);
    for (int n = 0; n < 4; n++) {
        put((half *)p, n, n + 0.5f * i);
        put((local half *)l[me], n, pick((const half *)p, n) * 2);
    }
    float4 all = vload_half4(0, (const half *)l[me]);
    out[i] = (int)(all.x + all.y * 10 + all.z * 100 + all.w * 1000 + pick((half *)p, 3));
}
