// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=clc++2021
// expect: 4004 5105 6206 4307 5408 6509 4610 5711
int f(int *p)
{
    return *p;
}
__constant int cc[] = {4, 5, 6};
__kernel void k(__global int *out, __global int *in)
{
    int i = get_global_id(0);
    int *g = in + i;
    auto *back = addrspace_cast<__global int *>(g);
    auto v = reinterpret_cast<__global unsigned *>(back);
    float fl = 1.0f;
    out[i] = f(back) + (int)*v * 100 + as_int(fl) % 7 + cc[i % 3] * 1000;
}
