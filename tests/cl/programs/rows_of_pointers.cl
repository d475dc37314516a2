// SPDX-License-Identifier: Apache-2.0
// A matrix whose rows lie in two memories.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

void transpose(float *m[], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    local float a[4][3];
    float b[3], c[3];
    float *rows[3] = {a[l], b, c};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = i * 3 + j + g;
    transpose(rows, 3);
    int good = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            good &= rows[i][j] == j * 3 + i + g;
    out[g] = good && a[l][1] == 3 + g && c[0] == 2 + g ? g : -1;
}
