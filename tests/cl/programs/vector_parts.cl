// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 196 776 1676 2896 4436 6296 8476 10976
static float total(const float *v, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) s += v[i] * (i + 1);
    return s;
}
static void rotate4(float4 *v)
{
    *v = (*v).yzwx;
    v->xz = v->zx + (float2)(1, 2);
}
static void scale(float8 *v, const float4 *by)
{
    v->lo *= *by;
    v->hi += by->wzyx;
}
kernel void k(global int *out, global int *in)
{
    local float8 l[4];
    int id = get_global_id(0), me = get_local_id(0);
    float4 p = convert_float4(vload4(id, in));
    l[me] = (float8)(p, p + 1);
    rotate4(&p);
    float4 q = l[me].hi;
    rotate4(&q);
    scale(&l[me], &p);
    out[id] = (int)(total((float *)&p, 4) + total((local float *)&l[me], 8) + total((const float *)&q, 3));
}
