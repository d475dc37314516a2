// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 48053 58293 68533 78773 89013 99253 109493 119733
typedef struct node {
    struct node *next;
    int value;
} node;
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local node l[4];
    node a = {0, i}, b = {&a, i * 2};
    l[get_local_id(0)].next = &b;
    l[get_local_id(0)].value = in[i] + 5;
    node *n = &l[get_local_id(0)];
    int s = 0, d = 0;
    while (n) {
        s = s * 31 + n->value;
        d++;
        n = n->next;
    }
    out[i] = s * 10 + d;
}
