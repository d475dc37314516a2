// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -cl-no-signed-zeros -cl-finite-math-only -cl-fp32-correctly-rounded-divide-sqrt -w
// expect: 0 1418 2844 4279 5721 7171 8629 10095
static void halve(float *x)
{
    *x = *x / 2.0f;
}
static float root(const float *x)
{
    return sqrt(*x);
}
kernel void k(global int *out, global int *in)
{
    local float l[4];
    int i = get_global_id(0), unused;
    float p = (float)(in[i] * in[i]) * 8;
    l[get_local_id(0)] = p;
    halve(&p);
    halve(&p);
    halve(l + get_local_id(0));
    out[i] = (int)(root(&p) * 1000.0f + 0.5f) + (int)(l[get_local_id(0)]);
}
