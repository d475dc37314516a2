// SPDX-License-Identifier: Apache-2.0
// All unnamed pointers point to private memory: a compiler without generic pointers accepts that.
// options: -cl-std=CL2.0
// expect: 4 4 4 4 4 4 4 4
int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
kernel void k(global int *out, global int *in)
{
    int x[2] = {in[1], in[3]};
    out[get_global_id(0)] = sum(x, __builtin_types_compatible_p(int *, private int *) ? 2 : 1);
}
