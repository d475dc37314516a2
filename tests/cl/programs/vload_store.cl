// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6000206 6060616 6121010 6181420 6240214 6300624 6361018 6421428
float4 get(const float *p, size_t n)
{
    return vload4(n, p);
}
void put(int3 v, size_t n, int *p)
{
    vstore3(v, n, p);
}
kernel void k(global int *out, global int *in)
{
    local float l[32];
    local int li[4][6];
    size_t i = get_global_id(0), j = get_local_id(0);
    if (j == 0)
        for (int n = 0; n < 32; n++)
            l[n] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    float p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float4 a = get(p, i & 1), b = get(l + 1, j);
    int pi[6];
    put((int3)(1, 2, 3) * (int)i, 1, pi);
    put((int3)(4, 5, 6), 0, li[j]);
    out[i] = (int)(a.x + a.w) + (int)(b.y) * 100 + (pi[3] + pi[4] + pi[5]) * 10000 + li[j][2] * 1000000 +
             (int)vload2(i, (int *)in).y;
}
