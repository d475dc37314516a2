// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 7101111 7116186 7131261 7101156 7116231 7131306 7101201 7116276
int row(int (*m)[4], int r)
{
    int s = 0;
    for (int c = 0; c < 4; c++)
        s = s * 2 + m[r][c];
    return s;
}
kernel void k(global int *out, global int *in)
{
    local int l[3][4];
    size_t i = get_global_id(0), j = get_local_id(0);
    int p[3][4];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            p[r][c] = r * 4 + c + (int)i;
    if (j < 4)
        for (int r = 0; r < 3; r++)
            l[r][j] = 10 * r + j;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = row(p, i % 3) + 100 * row(l, i % 3) + 100000 * row((global int(*)[4])in, 1);
}
