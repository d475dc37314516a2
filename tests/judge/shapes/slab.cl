// SPDX-License-Identifier: Apache-2.0
// Slabs of objects of one size: the slab is found by masking the object's address, and its bitmap marks the allocated objects.
#include "storage.h"

struct object {
    ulong next; /* the next object in the user's list */
    uint key, pad;
};
struct slab {
    uint taken, count;
    ulong unused;
    struct object objects[15];
};
struct memory {
    ulong room[3 * 32];
};

NOINLINE struct slab *first_slab(struct memory *m)
{
    return (struct slab *)(((ulong)m->room + 255) & ~255ul);
}

NOINLINE struct object *take(struct slab *s)
{
    uint i = __builtin_ctz(~s->taken);
    s->taken |= 1u << i;
    s->count++;
    return &s->objects[i];
}

NOINLINE void give(struct object *o)
{
    struct slab *s = (struct slab *)((ulong)o & ~255ul);
    s->taken &= ~(1u << (o - s->objects));
    s->count--;
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    ulong list = 0;
    uint s = 0;
    for (uint m = 0; m < PLACES; m++)
        for (uint i = 0; i < 2; i++)
            first_slab(memories[m])[i].taken = first_slab(memories[m])[i].count = 0;
    for (uint i = 0; i < 32; i++) {
        struct object *o = take(first_slab(PICK(i)) + i % 2);
        o->key = in[i];
        o->next = list;
        list = (ulong)o;
        for (uint n = 0; i % 4 == 3 && n < 2; n++) {
            struct object *dead = (struct object *)list;
            list = dead->next;
            s = s * 5 + dead->key;
            give(dead);
        }
    }
    while (list) {
        struct object *o = (struct object *)list;
        list = o->next;
        s = s * 5 + o->key;
        give(o);
    }
    out[0] = plain(s);
    for (uint m = s = 0; m < PLACES; m++)
        s += first_slab(memories[m])[0].count + first_slab(memories[m])[1].count;
    out[1] = plain(s);
}
