// SPDX-License-Identifier: Apache-2.0
// A linked list whose nodes lie in local memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256"],
  "expect": {"0": "int:{[sum(range(i % 16, 16)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Node {
    int value;
    Node *next;
};
KERNEL k(int *out) {
    LOCAL char room[16 * sizeof(Node)];
    Node *nodes = reinterpret_cast<Node *>(room);
    nodes[lid()].value = lid();
    nodes[lid()].next = lid() == 15 ? nullptr : &nodes[lid() + 1];
    meet();
    int sum = 0;
    for (Node *n = &nodes[lid()]; n; n = n->next)
        sum += n->value;
    out[gid()] = sum;
}
