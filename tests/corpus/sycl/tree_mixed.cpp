// SPDX-License-Identifier: Apache-2.0
// A tree with a private root, a local left child and a global right child: every step is ambiguous.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:2048", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[[10 * i, 5 + i, 1000 + i][i % 3] for i in range(64)]}"},
  "ambiguous": {"O0": 5, "O2": 3, "O2-noinline": 3}, "why": "key, value, left and right of a node in one of three memories"}]}
*/
struct Tree {
    int key, value;
    Tree *left, *right;
};
NOINLINE int find(const Tree *t, int key) {
    while (t) {
        if (t->key == key)
            return t->value;
        t = key < t->key ? t->left : t->right;
    }
    return -1;
}
KERNEL k(int *out, Tree *far, int *in) {
    LOCAL char room[16 * sizeof(Tree)];
    Tree *near = reinterpret_cast<Tree *>(room) + lid();
    far[gid()] = Tree{2, 1000 + gid(), nullptr, nullptr};
    *near = Tree{0, 10 * gid(), nullptr, nullptr};
    Tree mine{1, 5 + gid(), near, far + gid()};
    out[gid()] = find(&mine, in[gid()] % 3);
}
