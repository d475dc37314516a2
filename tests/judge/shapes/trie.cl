// SPDX-License-Identifier: Apache-2.0
// A trie over 16-bit keys, four bits at a time: a word is the address of a node, a value with the lowest bit set, or 0.
#include "storage.h"

struct node {
    ulong child[16];
};
struct memory {
    struct node nodes[24];
};
struct pool {
    struct node *nodes;
    uint used;
};

NOINLINE struct node *fresh(struct pool *p)
{
    struct node *n = &p->nodes[p->used++];
    for (uint i = 0; i < 16; i++)
        n->child[i] = 0;
    return n;
}

NOINLINE void insert(struct node *root, struct pool *pool, uint key, uint value)
{
    struct node *n = root;
    for (uint shift = 12; shift; shift -= 4) {
        ulong *at = &n->child[key >> shift & 15];
        if (!*at) *at = (ulong)fresh(pool);
        n = (struct node *)*at;
    }
    n->child[key & 15] = (ulong)value << 1 | 1;
}

NOINLINE uint find(const struct node *root, uint key)
{
    ulong at = (ulong)root;
    for (uint shift = 16; shift; shift -= 4) {
        if (!at) return 0;
        at = ((const struct node *)at)->child[key >> (shift - 4) & 15];
    }
    return (uint)(at >> 1);
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    struct pool pools[PLACES];
    for (uint m = 0; m < PLACES; m++) {
        pools[m].nodes = memories[m]->nodes;
        pools[m].used = 0;
    }
    struct node *root = fresh(&pools[0]);
    for (uint i = 0; i < 10; i++)
        insert(root, &pools[WHICH(i)], (in[i] & 0x1233) + i * 16, i + 100);
    for (uint i = 0; i < 10; i++)
        out[i] = plain(find(root, (in[i] & 0x1233) + i * 16));
    out[10] = plain(find(root, 0xffff));
}
