// SPDX-License-Identifier: Apache-2.0
// A quadtree: a node is a vector of four words, loaded at once; a word is the address of a node, or a point in its upper 56 bits and bit 0.
#include "storage.h"

struct memory {
    ulong4 nodes[40];
};
struct pool {
    ulong4 *next;
};

ulong point(uint x, uint y)
{
    return (ulong)x << 32 | y << 8 | 1;
}

NOINLINE void insert(ulong *at, ulong p, uint size, struct pool *pool)
{
    while (*at) {
        if (*at == p) return;
        if (*at & 1) {
            ulong old = *at;
            ulong4 *n = pool->next++;
            *n = 0;
            *at = (ulong)n;
            insert(at, old, size, pool);
        }
        size /= 2;
        at = (ulong *)*at + ((p >> 32 & size) != 0) + 2 * ((p >> 8 & size) != 0);
    }
    *at = p;
}

NOINLINE uint walk(ulong w, uint s)
{
    if (!w) return s + 1;
    if (w & 1) return s * 3 + (uint)(w >> 32) * 64 + (uint)(w >> 8 & 0xffffff);
    ulong4 n = *(const ulong4 *)w;
    return walk(n.w, walk(n.z, walk(n.y, walk(n.x, s * 5))));
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    struct pool pools[PLACES];
    ulong root = 0;
    for (uint m = 0; m < PLACES; m++)
        pools[m].next = memories[m]->nodes;
    for (uint i = 0; i < 16; i++)
        insert(&root, point(in[i] % 64, in[i] / 64 % 64), 64, &pools[WHICH(i)]);
    out[0] = plain(walk(root, 0));
}
