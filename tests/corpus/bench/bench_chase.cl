// SPDX-License-Identifier: Apache-2.0
// Pointer chasing: walk a list in global memory; with generic and with explicit pointers.
/* TRUTH
{"kernels": [{"name": "link+chase_generic", "args": ["zero:256", "zero:1024", "int:100"], "expect": {"0": "int:{[(i + 17 * 100) % 64 for i in range(64)]}"}, "ambiguous": 0},
 {"name": "link+chase_explicit", "args": ["zero:256", "zero:1024", "int:100"], "expect": {"0": "int:{[(i + 17 * 100) % 64 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct node { int value; struct node *next; };
struct far { int value; global struct far *next; };
kernel void link(global int *out, global struct node *nodes, int steps) {
    int i = get_global_id(0), n = get_global_size(0);
    nodes[i].value = i;
    nodes[i].next = (struct node *)&nodes[(i + 17) % n];
}
__attribute__((noinline)) int chase(const struct node *at, int steps) {
    for (int i = 0; i < steps; i++) at = at->next;
    return at->value;
}
kernel void chase_generic(global int *out, global struct node *nodes, int steps) {
    out[get_global_id(0)] = chase((const struct node *)&nodes[get_global_id(0)], steps);
}
__attribute__((noinline)) int chase_far(const global struct far *at, int steps) {
    for (int i = 0; i < steps; i++) at = at->next;
    return at->value;
}
kernel void chase_explicit(global int *out, global struct node *nodes, int steps) {
    out[get_global_id(0)] = chase_far((const global struct far *)&nodes[get_global_id(0)], steps);
}
