// SPDX-License-Identifier: Apache-2.0
// A linked list whose nodes lie in private memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256"],
  "expect": {"0": "int:{[4 * i + 6 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Node {
    int value;
    Node *next;
};
NOINLINE int walk(const Node *n) {
    int sum = 0;
    for (; n; n = n->next)
        sum += n->value;
    return sum;
}
KERNEL k(int *out) {
    Node nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i].value = gid() + i;
        nodes[i].next = i < 3 ? &nodes[i + 1] : nullptr;
    }
    out[gid()] = walk(nodes);
}
