// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 752309 753309 754309 755309 756309 757309 758309 759309
int one(const int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    local int4 d[4];
    local int3 t[4];
    local float4 f[3][2];
    size_t i = get_global_id(0), l = get_local_id(0);
    d[l] = ((global int4 *)in)[l];
    t[l] = d[l].xyz;
    for (int j = (int)l; j < 6; j += 4)
        f[j / 2][j % 2] = convert_float4(((global int4 *)in)[j]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = ((local int *)d)[9] + one((local int *)d + 13) * 100 + ((local int *)t)[5] * 10000 +
             ((local int2 *)d)[3].y * 100000 + (int)((local float *)f)[i + 2] * 1000 - 1000;
}
