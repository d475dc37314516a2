// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int elements(float4 *v, float3 *w, char16 *c, uint8 *u)
{
    v->x = 1;
    (*v).yz = (float2)(2, 3);
    v->s3 = 4;
    v->even += 10;
    float *e = (float *)v;
    int ok = e[0] == 11 && e[1] == 2 && e[2] == 13 && e[3] == 4;
    w->z = 5;
    ok &= ((float *)w)[2] == 5 && sizeof *w == 16;
    c->sF = 7;
    c->hi.lo.x = 3;
    ok &= ((char *)c)[15] == 7 && ((char *)c)[8] == 3;
    *u = (uint8)(9);
    u->odd = 1;
    ok &= ((uint *)u)[7] == 1 && ((uint *)u)[6] == 9;
    return ok;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    float4 a = 0;
    float3 b = 0;
    char16 c = 0;
    uint8 d;
    local float4 la[4];
    local float3 lb[4];
    local char16 lc[4];
    local uint8 ld[4];
    la[t] = 0;
    lb[t] = 0;
    lc[t] = 0;
    out[i] = elements(&a, &b, &c, &d) && elements(&la[t], &lb[t], &lc[t], &ld[t]);
}
