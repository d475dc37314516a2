// SPDX-License-Identifier: Apache-2.0
// A threaded tree: instead of a missing child, a link has the next node in order, with bit 0 set, so that traversal needs no stack.
#include "storage.h"

struct node {
    ulong left, right;
    uint key;
};
struct memory {
    struct node nodes[20];
};

struct node *node_of(ulong link)
{
    return (struct node *)(link & ~1ul);
}

NOINLINE void insert(struct node *root, struct node *n, uint key)
{
    struct node *at = root;
    n->key = key;
    for (;;) {
        ulong *link = key < at->key ? &at->left : &at->right;
        if (!(*link & 1)) {
            at = node_of(*link);
            continue;
        }
        if (key < at->key) {
            n->left = at->left;
            n->right = (ulong)at | 1;
        } else {
            n->right = at->right;
            n->left = (ulong)at | 1;
        }
        *link = (ulong)n;
        return;
    }
}

NOINLINE struct node *next(const struct node *n)
{
    struct node *at = node_of(n->right);
    if (n->right & 1 || !at) return at;
    while (!(at->left & 1))
        at = node_of(at->left);
    return at;
}

SHAPE(struct memory)
{
    struct node *root = &PICK(0)->nodes[0], *first = root;
    uint s = 0;
    root->left = root->right = 1;
    root->key = in[0];
    for (uint i = 1; i < 20; i++)
        insert(root, &PICK(i)->nodes[i], in[i]);
    while (!(first->left & 1))
        first = node_of(first->left);
    for (; first; first = next(first))
        s = s * 3 + first->key;
    out[0] = plain(s);
}
