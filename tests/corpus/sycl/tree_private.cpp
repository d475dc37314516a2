// SPDX-License-Identifier: Apache-2.0
// A binary search tree whose nodes are in private memory, walked with a stack of pointers to pointers.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[7 * (i % 7) + sum(range(7)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Tree {
    int key, value;
    Tree *left, *right;
};
NOINLINE void insert(Tree **at, Tree *node) {
    while (*at)
        at = node->key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = node;
}
NOINLINE int sum(Tree *t) {
    Tree *stack[8];
    int depth = 0, total = 0;
    if (t)
        stack[depth++] = t;
    while (depth) {
        t = stack[--depth];
        total += t->key;
        if (t->left)
            stack[depth++] = t->left;
        if (t->right)
            stack[depth++] = t->right;
    }
    return total;
}
KERNEL k(int *out, int *in) {
    Tree nodes[7], *root = nullptr;
    for (int j = 0; j < 7; j++) {
        nodes[j] = Tree{(j * 5 + 2) % 7, 0, nullptr, nullptr};
        nodes[j].value = 7 * nodes[j].key;
        insert(&root, &nodes[j]);
    }
    Tree *t = root;
    int key = in[gid()] % 7;
    while (t->key != key)
        t = key < t->key ? t->left : t->right;
    out[gid()] = t->value + sum(root);
}
