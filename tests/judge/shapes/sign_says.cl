// SPDX-License-Identifier: Apache-2.0
// The sign of a word distinguishes its kinds: a negative one is the complement of an index into a table, any other an address.
#include "storage.h"

struct node {
    long left, right;
    uint key;
};
struct memory {
    struct node nodes[15];
    uint leaves[16];
};

NOINLINE uint sum(long w, const uint *leaves, uint depth)
{
    if (w < 0) return leaves[~w] * depth;
    const struct node *n = (const struct node *)w;
    return n->key + sum(n->left, leaves, depth + 1) * 3 + sum(n->right, leaves, depth + 1) * 5;
}

NOINLINE void mirror(long w)
{
    for (; w >= 0; w = ((struct node *)w)->right) {
        struct node *n = (struct node *)w;
        long t = n->left;
        n->left = n->right;
        n->right = t;
        mirror(n->left);
    }
}

SHAPE(struct memory)
{
    long rest[16];
    uint count = 16;
    for (uint i = 0; i < 16; i++) {
        m0->leaves[i] = in[i];
        rest[i] = ~(long)i;
    }
    for (uint i = 0; i < 15; i++) {
        struct node *n = &PICK(i)->nodes[i];
        uint at = in[i] % (count - 1);
        n->left = rest[at];
        n->right = rest[at + 1];
        n->key = in[i + 16];
        rest[at] = (long)n;
        count--;
        for (uint j = at + 1; j < count; j++)
            rest[j] = rest[j + 1];
    }
    out[0] = plain(sum(rest[0], m0->leaves, 1));
    mirror(rest[0]);
    out[1] = plain(sum(rest[0], m0->leaves, 1));
}
