// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 4030 3670 10510 6950 4190 3830 10670 7110
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    int x[2] = {100 + (int)i, 200 + (int)i};
    l[j] = 300 + i;
    int *table[4] = {&x[0], (int *)(in + i), l + j, x + 1};
    int sum = 0;
    for (int n = 0; n < 4; n++)
        sum = sum * 3 + *table[(n + i) & 3];
    for (int n = 0; n < 4; n++)
        if (n != 1) *table[n] = n;
    out[i] = sum + x[0] + 10 * x[1] + 100 * l[j];
}
