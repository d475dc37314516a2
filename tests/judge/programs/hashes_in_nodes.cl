// SPDX-License-Identifier: Apache-2.0
// A treap: keys from the host, priorities that are hashes of the host's data, two links. The insertion uses a pointer to a link or to
// the variable of the root, so the analysis must keep integers and links of the nodes separate; 32-bit products are not addresses.
/* TRUTH
{"kernels": [
  {"name": "k", "args": ["zero:128", "buffer:uint:{[i * 37 % 101 for i in range(32)]}", "local:256", "zero:256"],
   "expect": {"0": "uint:{[sorted([(g * 8 + i) * 37 % 101 for i in range(8)])[j] for g in range(4) for j in range(8)]}"},
   "global": 4, "local": 1}]}
*/
struct node {
    uint key, priority;
    struct node *child[2];
};
void insert(struct node **root, struct node *n, uint key, uint seed)
{
    n->key = key;
    n->priority = seed * 2654435761u;
    struct node **at = root;
    while (*at && (*at)->priority >= n->priority)
        at = &(*at)->child[(*at)->key <= key];
    struct node *rest = *at, **less = &n->child[0], **more = &n->child[1];
    while (rest) {
        if (rest->key <= key) {
            *less = rest;
            less = &rest->child[1];
            rest = *less;
        } else {
            *more = rest;
            more = &rest->child[0];
            rest = *more;
        }
    }
    *less = 0;
    *more = 0;
    *at = n;
}
kernel void k(global uint *out, global const uint *in, local struct node *near, global struct node *far)
{
    struct node own[8], *nodes = own, *root = 0, *stack[8], *n;
    uint g = get_global_id(0), depth = 0, count = 0;
    if (g % 3 == 1) nodes = near;
    if (g % 3 == 2) nodes = far;
    for (uint i = 0; i < 8; i++)
        insert(&root, nodes + i, in[g * 8 + i], in[i]);
    for (n = root; n || depth;) {
        for (; n; n = n->child[0])
            stack[depth++] = n;
        n = stack[--depth];
        out[g * 8 + count++] = n->key;
        n = n->child[1];
    }
}
