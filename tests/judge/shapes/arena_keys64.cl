// SPDX-License-Identifier: Apache-2.0
// A binary tree in an array of words: each node is three words, a 64-bit key from the host and two addresses.
#include "storage.h"

struct memory {
    ulong words[64];
};
struct arena {
    ulong *words;
    uint used;
};
enum { KEY, LEFT, RIGHT, SIZE };

NOINLINE ulong *node(struct arena *a, ulong key)
{
    ulong *n = a->words + a->used;
    a->used += SIZE;
    n[KEY] = key;
    n[LEFT] = n[RIGHT] = 0;
    return n;
}

NOINLINE void insert(ulong *link, ulong *n)
{
    while (*link) {
        ulong *at = (ulong *)*link;
        link = &at[n[KEY] < at[KEY] ? LEFT : RIGHT];
    }
    *link = (ulong)n;
}

NOINLINE uint walk(const ulong *n, uint s)
{
    if (!n) return s;
    s = walk((const ulong *)n[LEFT], s) * 11 + (uint)(n[KEY] ^ n[KEY] >> 32);
    return walk((const ulong *)n[RIGHT], s);
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    struct arena arenas[PLACES];
    ulong root = 0;
    for (uint m = 0; m < PLACES; m++) {
        arenas[m].words = memories[m]->words;
        arenas[m].used = 0;
    }
    for (uint i = 0; i < 16; i++)
        insert(&root, node(&arenas[WHICH(i)], wide[i]));
    out[0] = plain(walk((const ulong *)root, 0));
}
