// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 74 148 222 296 370 444 518 592
typedef struct shape {
    float x, y;
    const struct shape *inner;
    float (*sides)[2];
} shape;
static float area(const shape *s)
{
    float sum = 0;
    for (; s; s = s->inner) sum += s->x * s->y + (s->sides ? (*s->sides)[0] - (*s->sides)[1] : 0);
    return sum;
}
kernel void k(global int *out, global int *in)
{
    local shape outer[4];
    local float sides[4][2];
    int i = get_global_id(0), me = get_local_id(0);
    float own[2] = {(float)i, 2};
    shape a = {1, (float)in[i], 0, &own}, b = {3, 4, &a, 0};
    sides[me][0] = i * 10;
    sides[me][1] = 1;
    outer[me].x = 5;
    outer[me].y = in[i + 1];
    outer[me].inner = &b;
    outer[me].sides = &sides[me];
    shape list[3] = {a, b, outer[me]};
    float sum = 0;
    for (int n = 0; n < 3; n++) sum += area(&list[n]) * (n + 1);
    out[i] = (int)(sum + area(&outer[me]));
}
