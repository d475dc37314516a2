// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 0 0 0 0 0 0 0
int show(const int *p, const float4 *v)
{
    return printf("%d %s %.1v4hlf %c|%5.2f|%lu|%x\n", *p, "text", *v, 'c', 1.25f, (ulong)*p, 255);
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = i;
    float4 v = (float4)(1, 2, 3, i);
    if (i == 3) show(&x, &v);
    if (i == 5) show((int *)in + 5, &v);
    out[i] = 0;
}
