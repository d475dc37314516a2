// SPDX-License-Identifier: Apache-2.0
// A treap whose links have the priority of the node in the top 16 bits, so that a rotation reads no node.
#include "storage.h"

struct node {
    ulong child[2];
    uint key;
};
struct memory {
    struct node nodes[16];
};

struct node *node_of(ulong link)
{
    return (struct node *)(link & 0x0000fffffffffffful);
}

NOINLINE ulong insert(ulong link, ulong fresh)
{
    if (!link) return fresh;
    struct node *n = node_of(link);
    uint side = node_of(fresh)->key > n->key;
    n->child[side] = insert(n->child[side], fresh);
    ulong below = n->child[side];
    if (below >> 48 <= link >> 48) return link;
    struct node *up = node_of(below);
    n->child[side] = up->child[!side];
    up->child[!side] = link;
    return below;
}

NOINLINE uint walk(ulong link, uint depth, uint s)
{
    if (!link) return s;
    const struct node *n = node_of(link);
    s = walk(n->child[0], depth + 1, s) * 7 + n->key + depth;
    return walk(n->child[1], depth + 1, s);
}

SHAPE(struct memory)
{
    ulong root = 0;
    for (uint i = 0; i < 16; i++) {
        struct node *n = &PICK(i)->nodes[i];
        n->key = in[i];
        n->child[0] = n->child[1] = 0;
        root = insert(root, (ulong)n | (ulong)(in[i] * 40503u >> 16) << 48);
    }
    out[0] = plain(walk(root, 0, 0));
}
