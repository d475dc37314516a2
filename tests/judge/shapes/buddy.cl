// SPDX-License-Identifier: Apache-2.0
// A buddy allocator: the buddy of a block is computed by XOR with its size, as an offset from the beginning of the memory. Free blocks
// contain the links of the free list.
#include "storage.h"

#define ORDERS 5 /* of 32 to 512 bytes */
struct memory {
    ulong words[64];
};
struct buddies {
    uchar *base;
    ulong free[ORDERS];
    uchar order[16], is_free[16];
};
struct links {
    ulong next, key;
};

NOINLINE void push(struct buddies *b, uint order, uint offset)
{
    ((struct links *)(b->base + offset))->next = b->free[order];
    b->free[order] = (ulong)(b->base + offset);
    b->is_free[offset / 32] = 1;
    b->order[offset / 32] = order;
}

NOINLINE void unlink(struct buddies *b, uint order, uint offset)
{
    ulong *at = &b->free[order];
    while (*at != (ulong)b->base + offset)
        at = &((struct links *)*at)->next;
    *at = ((struct links *)*at)->next;
    b->is_free[offset / 32] = 0;
}

NOINLINE void *take(struct buddies *b, uint order)
{
    uint have = order;
    while (have < ORDERS && !b->free[have])
        have++;
    if (have == ORDERS) return NULL;
    uint offset = (uint)(b->free[have] - (ulong)b->base);
    unlink(b, have, offset);
    while (have > order) {
        have--;
        push(b, have, offset ^ 32u << have);
    }
    b->order[offset / 32] = order;
    return b->base + offset;
}

NOINLINE void give(struct buddies *b, void *p)
{
    uint offset = (uint)((ulong)p - (ulong)b->base), order = b->order[offset / 32];
    while (order < ORDERS - 1) {
        uint buddy = offset ^ 32u << order;
        if (!b->is_free[buddy / 32] || b->order[buddy / 32] != order) break;
        unlink(b, order, buddy);
        offset &= buddy;
        order++;
    }
    push(b, order, offset);
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    struct buddies all[PLACES];
    struct links *held[8];
    uint s = 0;
    for (uint m = 0; m < PLACES; m++) {
        all[m].base = (uchar *)memories[m];
        for (uint i = 0; i < ORDERS; i++)
            all[m].free[i] = 0;
        for (uint i = 0; i < 16; i++)
            all[m].is_free[i] = all[m].order[i] = 0;
        push(&all[m], ORDERS - 1, 0);
    }
    for (uint i = 0; i < 24; i++) {
        if (i >= 5) {
            s = s * 3 + (uint)held[(i - 5) % 8]->key;
            give(&all[WHICH(i - 5)], held[(i - 5) % 8]);
        }
        held[i % 8] = (struct links *)take(&all[WHICH(i)], i % 2);
        held[i % 8]->key = in[i];
    }
    for (uint i = 19; i < 24; i++)
        give(&all[WHICH(i)], held[i % 8]);
    out[0] = plain(s);
    for (uint m = s = 0; m < PLACES; m++)
        s += all[m].free[ORDERS - 1] == (ulong)memories[m];
    out[1] = plain(s == PLACES);
}
