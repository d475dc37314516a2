// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: -2250 3750 2315 599500 400625 -98734 8500 318680
int q(float v)
{
    return (int)(v * 1000.0f + (v < 0 ? -0.5f : 0.5f));
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    local float lf[4];
    local int li[4];
    local float4 lv;
    local int4 lq;
    float pf;
    int pi;
    float4 pv;
    int4 pq;
    size_t l = get_local_id(0);
    global float *gf = (global float *)(out + i);
    float *where = i % 3 == 0 ? (float *)&pf : i % 3 == 1 ? (float *)(lf + l) : (float *)gf;
    int *whole = i % 2 ? (int *)&pi : li + l;
    int r = 0;
    switch (i) {
    case 0: r = q(fract(-2.25f, where)) + q(*where); break;
    case 1: r = q(modf(3.75f, where)) + q(*where); break;
    case 2: r = q(sincos(0.5f, where)) * 3 + q(*where); break;
    case 3: r = q(remquo(17.5f, 3.0f, whole)) + (*whole & 127) * 100000; break;
    case 4: r = q(frexp(10.0f, whole)) + *whole * 100000; break;
    case 5: r = q(lgamma_r(-0.5f, whole)) + *whole * 100000; break;
    case 6: {
        float4 *at = l & 1 ? &pv : (float4 *)&lv;
        float4 f = fract((float4)(1.5f, -1.25f, 7.125f, 0), at);
        r = q(f.x + f.y * 2 + f.z * 4) + q(at->x + at->y + at->z);
        break;
    }
    default: {
        int4 *at = l & 2 ? &pq : (int4 *)&lq;
        float4 f = remquo((float4)(7, 8, 9, -10), (float4)(3), at);
        r = q(f.x + f.y * 2 + f.z * 4 + f.w * 8) + ((at->x + at->y * 2 + at->z * 3 + at->w * 4) << 16);
    }
    }
    out[i] = r;
}
