// SPDX-License-Identifier: Apache-2.0
// Self-relative pointers, which store the distance from their own location to the target, so that the whole structure can be moved.
#include "storage.h"

struct relative {
    long distance;
};
struct node {
    struct relative left, right;
    uint key;
};
struct memory {
    struct node nodes[16];
    struct relative root;
};

NOINLINE void set(struct relative *r, const struct node *to)
{
    r->distance = to ? (long)to - (long)r : 0;
}

NOINLINE struct node *get(const struct relative *r)
{
    return r->distance ? (struct node *)((long)r + r->distance) : NULL;
}

NOINLINE uint walk(const struct relative *r, uint s)
{
    struct node *n = get(r);
    if (!n) return s;
    return walk(&n->right, walk(&n->left, s) * 13 + n->key);
}

SHAPE(struct memory)
{
    m0->root.distance = 0;
    for (uint i = 0; i < 16; i++) {
        struct node *n = &PICK(i)->nodes[i];
        n->key = in[i];
        set(&n->left, NULL);
        set(&n->right, NULL);
        struct relative *at = &m0->root;
        while (get(at))
            at = n->key < get(at)->key ? &get(at)->left : &get(at)->right;
        set(at, n);
    }
    out[0] = plain(walk(&m0->root, 0));
}
