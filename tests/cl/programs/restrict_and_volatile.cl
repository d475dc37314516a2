// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 563209 563240 563271 563302 563333 563364 563395 563426
static void axpy(float *restrict y, const float *restrict x, float a, int n)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
static int poll(const volatile int *p, volatile int *count)
{
    for (int i = 0; i < 4; i++) *count += *p;
    return *count;
}
kernel void k(global int *out, global int *in)
{
    local float l[4][4];
    local volatile int c[4];
    volatile int v = 3;
    float p[4];
    int i = get_global_id(0), me = get_local_id(0);
    for (int n = 0; n < 4; n++) p[n] = in[n + i], l[me][n] = n;
    c[me] = 1;
    axpy(p, l[me], 2, 4);
    axpy(l[me], p, 3, 4);
    axpy(l[me], l[(me + 0) % 4] + 0, 0, 4);
    out[i] = (int)(p[3] + l[me][2] * 10) + poll(&v, &c[me]) * 1000 + poll(c + me, &v) * 10000;
}
