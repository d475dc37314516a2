// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 3261 3205 3203 3052 3657 3477 3419 3104
typedef struct node {
    int value;
    global struct node *next;
} node;
global node pool[8];
global atomic_int used = ATOMIC_VAR_INIT(0);
constant int weights[4] = {3, 1, 4, 1};
static int walk(const node *n)
{
    int sum = 0;
    for (int i = 0; n && i < 10; n = n->next, i++) sum += n->value * weights[i & 3];
    return sum;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    pool[i].value = in[i] + 1;
    pool[i].next = i % 4 == 3 ? 0 : &pool[i + 1];
    atomic_fetch_add_explicit(&used, 1, memory_order_relaxed, memory_scope_device);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    node here = {100, &pool[i]};
    out[i] = walk(&here) * 10 + walk(&pool[i]);
}
