// SPDX-License-Identifier: Apache-2.0
// A linked list whose nodes lie in private, local and global memory: every walked access is ambiguous.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:1024"],
  "expect": {"0": "int:{[111 + i for i in range(64)]}"},
  "ambiguous": 2, "why": "value and next of a node that is private, local or global"}]}
*/
struct Node {
    int value;
    Node *next;
};
NOINLINE int walk(const Node *n) {
    int sum = 0;
    while (n) {
        sum += n->value;
        n = n->next;
    }
    return sum;
}
KERNEL k(int *out, Node *global) {
    LOCAL char room[16 * sizeof(Node)];
    Node *local = reinterpret_cast<Node *>(room) + lid();
    Node mine{1 + gid(), local};
    local->value = 10;
    local->next = global + gid();
    global[gid()].value = 100;
    global[gid()].next = nullptr;
    out[gid()] = walk(&mine);
}
