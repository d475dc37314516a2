// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 10015063 10039063 10015063 10039063 10015063 10039063 10015063 10039063
typedef struct {
    int a;
    float b;
    int *link;
} thing;
global thing things[2] = {{1, 2.5f, 0}, {3, 4.5f, 0}};
global atomic_int counter = ATOMIC_VAR_INIT(100);
int use(thing *t)
{
    return t->a * 10 + (int)(t->b * 2) + (t->link ? 1 : 0);
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    thing mine = {5, 6.0f, &mine.a};
    int n = atomic_fetch_add(&counter, 0);
    out[i] = use(&things[i & 1]) * 1000 + use(&mine) + n * 100000;
}
