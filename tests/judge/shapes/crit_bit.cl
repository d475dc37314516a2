// SPDX-License-Identifier: Apache-2.0
// A crit-bit tree: a word is the address of a leaf, or with its lowest bit set that of a branch.
#include "storage.h"

struct leaf {
    uint key, value;
};
struct branch {
    ulong child[2];
    uint bit;
};
struct memory {
    struct leaf leaves[16];
    struct branch branches[16];
};

NOINLINE struct leaf *best(ulong at, uint key)
{
    while (at & 1) {
        struct branch *b = (struct branch *)(at - 1);
        at = b->child[key >> b->bit & 1];
    }
    return (struct leaf *)at;
}

NOINLINE void insert(ulong *root, struct leaf *leaf, struct branch *branch)
{
    if (!*root) {
        *root = (ulong)leaf;
        return;
    }
    uint differ = best(*root, leaf->key)->key ^ leaf->key, bit = 31 - __builtin_clz(differ);
    ulong *at = root;
    while (*at & 1) {
        struct branch *b = (struct branch *)(*at - 1);
        if (b->bit < bit) break;
        at = &b->child[leaf->key >> b->bit & 1];
    }
    branch->bit = bit;
    branch->child[leaf->key >> bit & 1] = (ulong)leaf;
    branch->child[~leaf->key >> bit & 1] = *at;
    *at = (ulong)branch | 1;
}

SHAPE(struct memory)
{
    ulong root = 0;
    for (uint i = 0; i < 16; i++) {
        struct leaf *leaf = &PICK(i)->leaves[i];
        leaf->key = in[i];
        leaf->value = i * 3;
        insert(&root, leaf, &PICK(i + 16)->branches[i]);
    }
    for (uint i = 0; i < 16; i++)
        out[i] = plain(best(root, in[i])->value);
}
