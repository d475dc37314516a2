// SPDX-License-Identifier: Apache-2.0
// A reference to a node has five bytes: its distance from the arena if that fits, in whatever memory the node is; else its number.
#include "storage.h"

struct node {
    uint key, low;
    uchar high;
    bool far;
};
struct memory {
    struct node nodes[12];
};

NOINLINE void note_place(const struct memory *arena, struct node *n)
{
    ulong distance = (ulong)n - (ulong)arena;
    n->far = distance >= 1ul << 40;
    n->low = (uint)distance;
    n->high = (uchar)(distance >> 32);
}

NOINLINE uint key_at(const struct memory *arena, uint low, uchar high)
{
    return ((const struct node *)((ulong)arena + (low | (ulong)high << 32)))->key;
}

SHAPE(struct memory)
{
    uint s = 0;
    for (uint i = 0; i < 12; i++) {
        struct node *n = &PICK(i)->nodes[i];
        n->key = in[i];
        note_place(m0, n);
    }
    for (uint i = 0; i < 12; i++) {
        const struct node *n = &PICK(i)->nodes[i];
        s = s * 33 + (n->far ? n->key : key_at(m0, n->low, n->high));
    }
    out[0] = plain(s);
}
