// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 100 89 78 67 56 45 34 23
int next(void)
{
    static global int n[8] = {9, 8, 7, 6, 5, 4, 3, 2};
    return n[get_global_id(0)]++;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int a = next(), b = next();
    int *p = &a;
    out[i] = *p * 10 + b;
}
