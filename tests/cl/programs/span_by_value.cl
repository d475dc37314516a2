// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 45000 54014 60028 63042 63056 60070 54084 45098
typedef struct {
    int *data;
    int n;
} span;
int total(span s)
{
    int t = 0;
    for (int j = 0; j < s.n; j++)
        t += s.data[j];
    return t;
}
span sub(span s, int from)
{
    span r = {s.data + from, s.n - from};
    return r;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int mine[6];
    for (int j = 0; j < 6; j++)
        mine[j] = i * j;
    span a = {mine, 6}, b = {(int *)(in + i), 10};
    out[i] = total(sub(a, 2)) + 1000 * total(sub(b, i));
}
