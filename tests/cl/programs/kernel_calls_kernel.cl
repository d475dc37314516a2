// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 200 202 204 206 208 210 212 214
int get(int *p)
{
    return *p;
}
kernel void inner(global int *out, global int *in, int by)
{
    int x = by;
    out[get_global_id(0)] = get(&x) + get(in + get_global_id(0));
}
kernel void k(global int *out, global int *in)
{
    inner(out, in, 100);
    int y = 2;
    out[get_global_id(0)] *= get(&y);
}
kernel void other(global float *f, local float *l)
{
    *l = *f;
    float *p = get_global_id(0) ? (float *)l : (float *)f;
    *f = *p;
}
