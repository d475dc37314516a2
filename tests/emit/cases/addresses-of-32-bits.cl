// SPDX-License-Identifier: Apache-2.0
// A module for a device with addresses of 32 bits: pointers in memory, sizes and the work-items' numbers have 32 bits.
// BITS: 32
// TEXT: typedef struct {{.*}} { u32 m0; u32 m1; } [[NODE:struct_node_[0-9]+]];
// TEXT: uint {{v[0-9]+}} = (uint)get_global_id(0);
// TEXT: *[[NEXT:v[0-9]+]] = (uint)
// TEXT: (global [[NODE]] *)*[[NEXT]];
// TEXT-NOT: u64

struct node { int value; global struct node *next; };

kernel void list(global struct node *nodes, global int *out, global size_t *sizes)
{
    size_t me = get_global_id(0);
    nodes[me].next = &nodes[me + 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[me] = nodes[me].next->value + (int)((size_t)nodes[me].next - (size_t)nodes);
    sizes[me] = sizeof(struct node) + get_global_size(0);
}
