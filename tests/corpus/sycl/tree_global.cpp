// SPDX-License-Identifier: Apache-2.0
// A binary search tree in global memory, built and searched.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_build+__sycl_kernel_k", "args": ["zero:256", "zero:1536"],
  "expect": {"0": "int:{[1 if i < 63 else 0 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Tree {
    int key;
    Tree *left, *right;
};
KERNEL build(int *out, Tree *t) {
    int i = gid(), depth = 31 - sycl::clz(i + 1), first = (1 << depth) - 1, step = 64 >> depth;
    t[i].key = i < 63 ? (i - first) * step + step / 2 - 1 : 1000;
    t[i].left = 2 * i + 1 < 63 ? &t[2 * i + 1] : nullptr;
    t[i].right = 2 * i + 2 < 63 ? &t[2 * i + 2] : nullptr;
}
NOINLINE Tree *find(Tree *t, int key) {
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}
KERNEL k(int *out, Tree *t) {
    Tree *hit = find(t, gid());
    out[gid()] = hit ? 1 : 0;
}
