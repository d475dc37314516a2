// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 30030 41104 52052 63186 74074 85268 96096 107350
#ifdef __opencl_c_generic_address_space
typedef struct {
    int *data;
    int length;
    struct {
        const int *last;
    } inner;
} span;
span make(int *data, int length)
{
    span s;
    s.data = data;
    s.length = length;
    s.inner.last = data + length - 1;
    return s;
}
int sum(span s)
{
    int r = 0;
    for (int i = 0; i < s.length; i++)
        r += s.data[i];
    return r * 10 + *s.inner.last;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int a[3] = {1, 2, (int)i};
    span s[2] = {make(a, 3), make(in + i, 4)};
    span t = s[i % 2];
    out[i] = sum(t) + sum(s[0]) * 1000;
}
#else
#error no generic pointers
#endif
