// SPDX-License-Identifier: Apache-2.0
// An allocator in an array of words: the first word of a free block is its size, the second the address of the next free block.
#include "storage.h"

struct memory {
    ulong words[128];
};
struct list {
    struct list *next;
    uint key, index;
};

NOINLINE void give(ulong *free, void *pointer)
{
    ulong *block = (ulong *)pointer - 1;
    block[1] = *free;
    *free = (ulong)block;
}

NOINLINE void *take(ulong *free, ulong size)
{
    for (ulong *link = free; *link; link = &((ulong *)*link)[1]) {
        ulong *block = (ulong *)*link;
        if (block[0] < size + 1) continue;
        if (block[0] >= size + 4) {
            ulong *rest = block + size + 1;
            rest[0] = block[0] - size - 1;
            rest[1] = block[1];
            block[0] = size + 1;
            *link = (ulong)rest;
        } else {
            *link = block[1];
        }
        return block + 1;
    }
    return NULL;
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    ulong free[PLACES];
    for (uint m = 0; m < PLACES; m++) {
        free[m] = 0;
        memories[m]->words[0] = 128;
        give(&free[m], &memories[m]->words[1]);
    }
    struct list *list = NULL;
    uint s = 0;
    for (uint i = 0; i < 40; i++) {
        struct list *n = (struct list *)take(&free[WHICH(i)], i % 3 + 2);
        n->key = in[i];
        n->index = i;
        n->next = list;
        list = n;
        for (struct list **at = &list; i > 6 && *at; at = &(*at)->next) {
            struct list *dead = *at;
            if (dead->index != i - 6) continue;
            *at = dead->next;
            s = s * 5 + dead->key;
            give(&free[WHICH(dead->index)], dead);
            break;
        }
    }
    for (; list; list = list->next)
        s = s * 5 + list->key;
    out[0] = plain(s);
}
