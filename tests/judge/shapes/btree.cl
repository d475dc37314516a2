// SPDX-License-Identifier: Apache-2.0
// A B-tree of order four: bit 0 of a child's word is set if the child is a leaf. Full nodes are split on the way down.
#include "storage.h"

struct node {
    uint count, keys[3];
    ulong child[4];
};
struct memory {
    struct node nodes[32];
};
struct pool {
    struct node *next;
};

NOINLINE struct node *take(struct pool *p)
{
    struct node *n = p->next++;
    n->count = 0;
    for (uint i = 0; i < 4; i++)
        n->child[i] = 0;
    return n;
}

struct node *node_at(ulong w)
{
    return (struct node *)(w & ~1ul);
}

NOINLINE void split(struct node *n, uint at, struct pool *pool)
{
    struct node *full = node_at(n->child[at]), *right = take(pool);
    for (uint i = n->count; i > at; i--) {
        n->keys[i] = n->keys[i - 1];
        n->child[i + 1] = n->child[i];
    }
    right->count = full->count = 1;
    right->keys[0] = full->keys[2];
    right->child[0] = full->child[2];
    right->child[1] = full->child[3];
    n->keys[at] = full->keys[1];
    n->child[at + 1] = (ulong)right | (n->child[at] & 1);
    n->count++;
}

NOINLINE void insert(ulong *root, uint key, struct pool *pool)
{
    if (node_at(*root)->count == 3) {
        struct node *above = take(pool);
        above->child[0] = *root;
        *root = (ulong)above;
        split(above, 0, pool);
    }
    ulong w = *root;
    while (!(w & 1)) {
        struct node *n = node_at(w);
        uint i = 0;
        while (i < n->count && n->keys[i] < key)
            i++;
        if (node_at(n->child[i])->count == 3) {
            split(n, i, pool);
            if (n->keys[i] < key) i++;
        }
        w = n->child[i];
    }
    struct node *leaf = node_at(w);
    uint i = leaf->count++;
    for (; i && leaf->keys[i - 1] > key; i--)
        leaf->keys[i] = leaf->keys[i - 1];
    leaf->keys[i] = key;
}

NOINLINE uint walk(ulong w, uint s)
{
    const struct node *n = node_at(w);
    for (uint i = 0; i < n->count; i++) {
        if (!(w & 1)) s = walk(n->child[i], s);
        s = s * 29 + n->keys[i];
    }
    return w & 1 ? s : walk(n->child[n->count], s);
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    struct pool pools[PLACES];
    for (uint m = 0; m < PLACES; m++)
        pools[m].next = memories[m]->nodes;
    ulong root = (ulong)take(&pools[0]) | 1;
    for (uint i = 0; i < 24; i++)
        insert(&root, in[i], &pools[WHICH(i)]);
    out[0] = plain(walk(root, 0));
}
