// SPDX-License-Identifier: Apache-2.0
// Recursion over private nodes; a pointer to one of them is the result.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 15 for i in range(64)]}"}, "ambiguous": 0}], "devices": ["cpu", "oclgrind"], "wrong_on": {"strict dynamic": "the driver takes recursion only where its optimiser makes it a loop", "oclgrind": "calls of one function share their private variables, in its own OpenCL C too"}}
*/
struct node { int value; struct node *next; };
__attribute__((noinline)) struct node *last(struct node *n) { return n->next ? last(n->next) : n; }
__attribute__((noinline)) int sum(struct node *n, int depth) { return n ? n->value + sum(n->next, depth + 1) : 0; }
kernel void k(global int *out, global int *in) {
    struct node nodes[6];
    for (int j = 0; j < 6; j++) {
        nodes[j].value = j < 5 ? j + 1 : in[get_global_id(0)];
        nodes[j].next = j < 5 ? &nodes[j + 1] : 0;
    }
    struct node *end = last(nodes);
    int v = end->value;
    end->value = 0;
    out[get_global_id(0)] = sum(nodes, 0) + v;
}
