// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 309721 309829 309937 310045 309753 309861 309969 310077
constant float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
constant char words[] = "abcd";
constant struct {
    int x;
    float y;
} origin = {3, 4.0f};
float apply(float *v, int n)
{
    float r = 0;
    for (int i = 0; i < n; i++)
        r += v[i] * weights[i];
    return r;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    float v[4] = {i, i + 1, i + 2, i + 3};
    out[i] = (int)apply(v, 4) + words[i & 3] * 100 + origin.x * 100000 + (int)origin.y;
}
