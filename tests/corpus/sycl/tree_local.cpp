// SPDX-License-Identifier: Apache-2.0
// A binary search tree in local memory: one item of each group links the nodes, all search.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[100 + i for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Tree {
    int key, value;
    Tree *left, *right;
};
NOINLINE void insert(Tree *root, Tree *node) {
    for (;;) {
        Tree *&next = node->key < root->key ? root->left : root->right;
        if (!next) {
            next = node;
            return;
        }
        root = next;
    }
}
NOINLINE Tree *find(Tree *t, int key) {
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}
KERNEL k(int *out, int *in) {
    LOCAL char room[16 * sizeof(Tree)];
    Tree *nodes = reinterpret_cast<Tree *>(room);
    Tree *mine = nodes + lid();
    mine->key = (lid() * 7 + 3) % 16;
    mine->value = 100 + gid() - lid() + mine->key;
    mine->left = mine->right = nullptr;
    meet();
    if (lid() == 0)
        for (int j = 1; j < 16; j++)
            insert(nodes, nodes + j);
    meet();
    out[gid()] = find(nodes, lid())->value;
}
