// SPDX-License-Identifier: Apache-2.0
// A lock-free stack: its head is a pointer in local memory, its nodes are local and global.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:16", "zero:4096", "zero:64"],
 "expect": {"0": "int:{[sum(range(g*16, g*16+16))*3 + 3*16*100000 + 8*16 for g in range(4)]}"}, "ambiguous": {"O0": 2, "O2": 2, "O2-noinline": 2}, "why": "nodes in one of two memories"}], "needs": "atomics64"}
*/
struct Node { int v; Node *next; };
using head_ref = sycl::atomic_ref<Node *, sycl::memory_order::acq_rel, sycl::memory_scope::work_group, sycl::access::address_space::generic_space>;
NOINLINE void push(Node **head, Node *n) {
    head_ref h(*head);
    Node *old = h.load(sycl::memory_order::relaxed);
    do n->next = old; while (!h.compare_exchange_weak(old, n, sycl::memory_order::acq_rel, sycl::memory_order::relaxed));
}
NOINLINE Node *take_all(Node **head) { return head_ref(*head).exchange(nullptr); }
KERNEL k(int *out, Node *far, long *unused) {
    LOCAL char room[16 * sizeof(Node)];
    LOCAL char cell[sizeof(Node *)];
    Node **head = reinterpret_cast<Node **>(cell);
    Node *near = reinterpret_cast<Node *>(room) + lid(), *f = far + 2 * gid();
    if (lid() == 0) head[0] = nullptr;
    meet();
    near->v = f->v = f[1].v = gid();
    Node **h = head;
    push(h, near); push(h, f); push(h, f + 1);
    meet();
    if (lid() == 0) {
        int s = 0, n = 0, l = 0;
        for (Node *x = take_all(h); x; x = x->next) { s += x->v; n++; l += x >= (Node *)room && x < (Node *)room + 16; }
        out[gid() / 16] = s + n * 100000 + l * 8 + (take_all(h) ? 1000 : 0);
    }
}
