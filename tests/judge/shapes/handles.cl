// SPDX-License-Identifier: Apache-2.0
// Handles: an index in the upper half, a generation in the lower. The table contains the address, or the next free slot as an odd number.
#include "storage.h"

typedef ulong handle;
struct thing {
    uint key;
};
struct slot {
    ulong word;
    uint generation;
};
struct memory {
    struct thing things[24];
    struct slot slots[8];
};
struct table {
    struct slot *slots;
    uint free;
};

NOINLINE handle add(struct table *t, struct thing *thing)
{
    uint index = t->free;
    struct slot *s = &t->slots[index];
    t->free = (uint)(s->word >> 1);
    s->word = (ulong)thing;
    return (ulong)index << 32 | s->generation;
}

NOINLINE struct thing *get(const struct table *t, handle h)
{
    const struct slot *s = &t->slots[h >> 32];
    return s->generation == (uint)h && !(s->word & 1) ? (struct thing *)s->word : NULL;
}

NOINLINE void drop(struct table *t, handle h)
{
    struct slot *s = &t->slots[h >> 32];
    s->word = (ulong)t->free << 1 | 1;
    s->generation++;
    t->free = (uint)(h >> 32);
}

SHAPE(struct memory)
{
    struct table t = {m0->slots, 0};
    handle handles[24];
    uint stale = 0, s = 0;
    for (uint i = 0; i < 8; i++) {
        m0->slots[i].word = (ulong)(i + 1) << 1 | 1;
        m0->slots[i].generation = i;
    }
    for (uint i = 0; i < 24; i++) {
        if (i >= 6) drop(&t, handles[i - 6]);
        PICK(i)->things[i].key = in[i];
        handles[i] = add(&t, &PICK(i)->things[i]);
        for (uint j = 0; j <= i; j++) {
            struct thing *thing = get(&t, handles[j]);
            if (thing)
                s = s * 3 + thing->key;
            else
                stale++;
        }
    }
    out[0] = plain(s);
    out[1] = plain(stale);
}
