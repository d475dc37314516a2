// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 9 18 27 36 45 54 63 72
int *cell(size_t i)
{
    static global int cells[8] = {9, 8, 7, 6, 5, 4, 3, 2};
    return &cells[i];
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int *p = cell(i);
    *p += in[i] * 10;
    out[i] = *cell(i);
}
