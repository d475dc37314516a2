// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 92006 112312 132618 152924 173230 193536 213842 234148
void scale(float4 *v, float by)
{
    v->s02 *= by;
    (*v).w += v->y;
}
float total(const float4 *v)
{
    return dot(*v, (float4)(1.0f));
}
int3 three(int3 *p)
{
    return p[1] + p->zyx;
}
kernel void k(global int *out, global int *in)
{
    local float4 l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    float4 x = (float4)(i, 1, 2, 3);
    int3 t[2] = {(int3)(1, 2, 3), (int3)(i, 2 * i, 3 * i)};
    l[j] = x + 1;
    scale(&x, 2);
    scale(&l[j], 3);
    int3 r = three(t);
    out[i] = (int)total(&x) * 10000 + (int)total(l + j) * 100 + r.x + r.y + r.z;
}
