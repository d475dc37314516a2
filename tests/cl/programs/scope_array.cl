// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 113 323 533 743 913 1123 1333 1543
global int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
constant int fixed[4] = {10, 20, 30, 40};
global int *where = table + 3;
int read(const int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    table[i] = table[i] + in[i];
    out[i] = read(&table[i]) * 100 + fixed[i & 3] + where[0] * 0 + (int)(where - table);
}
