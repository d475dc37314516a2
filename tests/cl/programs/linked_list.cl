// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 106 106 105 103 122 118 113 107
struct node { int value; struct node *next; };
kernel void k(global int *out, global int *in)
{
    local struct node shared[4];
    struct node mine = {100, 0};
    size_t i = get_global_id(0), l = get_local_id(0);
    shared[l].value = in[i];
    shared[l].next = l < 3 ? &shared[l + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine.next = &shared[l];
    int s = 0;
    for (struct node *n = &mine; n; n = n->next) s += n->value;
    out[i] = s;
}
