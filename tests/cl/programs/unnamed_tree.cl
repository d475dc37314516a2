// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 869978 2205898 4470041 2950234 4563082 6861841 5346945 6959824
struct tree {
    struct tree *child[2];
    int value;
};
struct tree *insert(struct tree *root, struct tree *n)
{
    struct tree **at = &root;
    n->child[0] = n->child[1] = 0;
    while (*at)
        at = &(*at)->child[n->value > (*at)->value];
    *at = n;
    return root;
}
int depth(struct tree *t, int v)
{
    int d = 0;
    while (t && t->value != v) {
        t = t->child[v > t->value];
        d++;
    }
    return t ? d : -1;
}
kernel void k(global int *out, global int *in)
{
    local struct tree l[4][4];
    size_t i = get_global_id(0), j = get_local_id(0);
    struct tree p[4], *root = 0;
    for (int n = 0; n < 8; n++) {
        struct tree *t = n & 1 ? &p[n / 2] : (struct tree *)&l[j][n / 2];
        t->value = (n * 5 + i) % 8;
        root = insert(root, t);
    }
    out[i] = 0;
    for (int n = 0; n < 8; n++)
        out[i] = out[i] * 8 + depth(root, n);
}
