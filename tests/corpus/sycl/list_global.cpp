// SPDX-License-Identifier: Apache-2.0
// A linked list in global memory, walked by every work-item.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_link+__sycl_kernel_k", "args": ["zero:256", "zero:1024"],
  "expect": {"0": "int:{[sum(range(i, 64)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Node {
    int value;
    Node *next;
};
KERNEL link(int *out, Node *nodes) {
    nodes[gid()].value = gid();
    nodes[gid()].next = gid() == 63 ? nullptr : &nodes[gid() + 1];
}
KERNEL k(int *out, Node *nodes) {
    int sum = 0;
    for (Node *n = &nodes[gid()]; n; n = n->next)
        sum += n->value;
    out[gid()] = sum;
}
