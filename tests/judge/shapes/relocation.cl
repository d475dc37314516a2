// SPDX-License-Identifier: Apache-2.0
// A tree is copied to another place byte for byte, and each link is relocated: new_base + (link - old_base).
#include "storage.h"

struct node {
    ulong left, right;
    uint key;
};
struct image {
    struct node nodes[12];
};
struct memory {
    struct image old, moved;
};

NOINLINE ulong insert(ulong root, struct node *n, uint key)
{
    ulong *at = &root;
    n->key = key;
    n->left = n->right = 0;
    while (*at)
        at = key < ((struct node *)*at)->key ? &((struct node *)*at)->left : &((struct node *)*at)->right;
    *at = (ulong)n;
    return root;
}

NOINLINE void relocate(struct image *moved, ulong old_base)
{
    ulong new_base = (ulong)moved;
    for (uint i = 0; i < 12; i++) {
        struct node *n = &moved->nodes[i];
        if (n->left) n->left = new_base + (n->left - old_base);
        if (n->right) n->right = new_base + (n->right - old_base);
    }
}

NOINLINE uint walk(ulong at, uint s)
{
    if (!at) return s;
    const struct node *n = (const struct node *)at;
    return walk(n->right, walk(n->left, s) * 3 + n->key);
}

SHAPE(struct memory)
{
    struct image *old = &PICK(1)->old, *moved = &PICK(2)->moved;
    ulong root = 0;
    for (uint i = 0; i < 12; i++)
        root = insert(root, &old->nodes[i], in[i]);
    *moved = *old;
    relocate(moved, (ulong)old);
    for (uint i = 0; i < 12; i++)
        old->nodes[i].key = 0;
    out[0] = plain(walk((ulong)moved + (root - (ulong)old), 0));
}
