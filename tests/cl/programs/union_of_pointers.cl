// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 0 750000000 0 1 750000000 -1 2
typedef union {
    int *i;
    float *f;
    uint *u;
} any;
float get(any a, int kind)
{
    return kind == 0 ? (float)*a.i : kind == 1 ? *a.f : (float)*a.u;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int x = -i;
    float f = 1.5f * i;
    any a;
    local uint u[4];
    u[get_local_id(0)] = 3000000000u + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i % 3 == 0)
        a.i = &x;
    else if (i % 3 == 1)
        a.f = &f;
    else
        a.u = u + get_local_id(0);
    out[i] = (int)(get(a, i % 3) / 4);
}
