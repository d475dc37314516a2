// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// device: cl_khr_fp64
// expect: 0 15 30 45 60 75 90 105
double half_of(double *p) { return *p / 2; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    double x = in[i] * 3;
    out[i] = (int)(half_of(&x) * 10);
}
