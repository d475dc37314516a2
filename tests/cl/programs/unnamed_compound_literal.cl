// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 70 81 92 103 114 125 136 147
struct pair {
    int a, b;
};
int add(struct pair *p)
{
    return p->a + p->b;
}
int at(int *p)
{
    return p[1];
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = add(&(struct pair){in[i], 7}) * 10 + at((int[]){5, (int)i, 6});
}
