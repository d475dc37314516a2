// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 2167 202501 402834 603167 803501 1003834 1204167 1404501
// device: cl_khr_fp64
double mean(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s / n;
}
double split(double x, double *whole)
{
    return modf(x, whole);
}
kernel void k(global int *out, global int *in)
{
    local double l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    double m[3] = {i, 2.5, 4.0}, w;
    l[j] = i * 2.0;
    double f = split(mean(m, 3), &w);
    ulong big = 0x123456789abcdefUL;
    out[i] = (int)(f * 1000) + (int)w * 1000 + (int)mean(l + j, 1) * 100000 + (int)(big >> 56) + (int)popcount(big) * 0;
}
