// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 13369 16075 15389 15062 13972 13290 12954 11868
static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
static void sort(int *v, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (v[j] > v[j + 1]) swap(v + j, &v[j + 1]);
}
kernel void k(global int *out, global int *in)
{
    local int shared[4][6];
    int mine[6];
    size_t i = get_global_id(0), l = get_local_id(0);
    for (int j = 0; j < 6; j++) {
        mine[j] = (in[i + j] * 7) % 11;
        shared[l][j] = (in[i + j] * 5) % 13;
    }
    sort(mine, 6);
    sort(shared[l], 6);
    out[i] = 0;
    for (int j = 0; j < 6; j++)
        out[i] += (j + 1) * mine[j] * 100 + (j + 1) * shared[l][j];
}
