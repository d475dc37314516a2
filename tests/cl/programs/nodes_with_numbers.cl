// SPDX-License-Identifier: Apache-2.0
// A list over two memories whose nodes point to numbers in a third.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

typedef struct node {
    struct node *next;
    int v;
    struct {
        int *p;
    } in;
} node;
int walk(const node *n)
{
    int s = 0;
    for (; n; n = n->next)
        s += n->v + *n->in.p;
    return s;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    local node shared_nodes[4];
    local int num[4];
    num[l] = 100;
    int own = 10;
    node a, b;
    shared_nodes[l].v = g;
    shared_nodes[l].next = 0;
    shared_nodes[l].in.p = &own;
    a.next = &b;
    a.v = 1;
    a.in.p = &num[l];
    b.next = (node *)&shared_nodes[l];
    b.v = 2;
    b.in.p = in + g;
    int s = walk(&a);
    out[g] = s == 1 + 100 + 2 + g + g + 10 ? g : s;
}
