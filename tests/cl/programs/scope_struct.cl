// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 91101 91103 91105 91107 91109 91111 91113 91115
typedef struct {
    int a;
    float b;
    int list[3];
} conf;
conf g = {1, 2.5f, {3, 4, 5}};
constant conf kc = {6, 7.5f, {8, 9, 10}};
int f(const conf *c)
{
    return c->a + (int)(c->b * 2) + c->list[2];
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    conf m = {i, 0.5f, {1, 1, i}};
    out[i] = f(&g) * 100 + f(&m) + kc.list[1] * 10000;
}
