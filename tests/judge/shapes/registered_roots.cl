// SPDX-License-Identifier: Apache-2.0
// Objects move, and each holder of a reference registers the location of its address; bit 0 of a location marks a weak reference.
#include "storage.h"

struct object {
    uint key, alive;
};
struct memory {
    struct object objects[8], moved[8];
    struct object *holders[16];
    ulong places[16];
};
struct roots {
    ulong *places;
    uint count;
};

NOINLINE void hold(struct roots *r, struct object **at, struct object *o, bool weak)
{
    *at = o;
    r->places[r->count++] = (ulong)at | weak;
}

NOINLINE void move(struct roots *r, struct object *from, struct object *to)
{
    bool held = false;
    *to = *from;
    for (uint i = 0; i < r->count; i++) {
        struct object **at = (struct object **)(r->places[i] & ~1ul);
        if (*at == from && !(r->places[i] & 1)) held = true;
    }
    for (uint i = 0; i < r->count; i++) {
        struct object **at = (struct object **)(r->places[i] & ~1ul);
        if (*at == from) *at = held ? to : NULL;
    }
    to->alive = held;
    from->key = 0;
}

SHAPE(struct memory)
{
    struct roots r = {m0->places, 0};
    for (uint i = 0; i < 8; i++)
        PICK(i)->objects[i].key = in[i];
    for (uint i = 0; i < 16; i++) {
        uint o = in[i] % 8;
        hold(&r, &PICK(i + 8)->holders[i], &PICK(o)->objects[o], in[i] / 8 % 4 != 0);
    }
    for (uint i = 0; i < 8; i++)
        move(&r, &PICK(i)->objects[i], &PICK(i + 30)->moved[i]);
    for (uint i = 0; i < 16; i++) {
        const struct object *o = PICK(i + 8)->holders[i];
        out[i] = plain(o ? o->key * 2 + o->alive : 7);
    }
}
