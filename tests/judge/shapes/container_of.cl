// SPDX-License-Identifier: Apache-2.0
// Intrusive doubly linked lists, two links in each object: the object is computed from its link by an offset.
#include "storage.h"

struct link {
    struct link *next, *prev;
};
struct object {
    uint key;
    struct link by_age, by_kind;
};
struct memory {
    struct object objects[16];
    struct link all, kinds[3];
};
#define container_of(p, type, member) ((type *)((ulong)(p) - offset_of(type, member)))

NOINLINE void start(struct link *head)
{
    head->next = head->prev = head;
}

NOINLINE void add(struct link *head, struct link *l)
{
    l->next = head;
    l->prev = head->prev;
    head->prev->next = l;
    head->prev = l;
}

NOINLINE void take_out(struct link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
}

NOINLINE uint sum_of_kind(const struct link *head)
{
    uint s = 0;
    for (struct link *l = head->next; l != head; l = l->next)
        s = s * 3 + container_of(l, struct object, by_kind)->key;
    return s;
}

SHAPE(struct memory)
{
    start(&m0->all);
    for (uint i = 0; i < 3; i++)
        start(&m0->kinds[i]);
    for (uint i = 0; i < 16; i++) {
        struct object *o = &PICK(i)->objects[i];
        o->key = in[i];
        add(&m0->all, &o->by_age);
        add(&m0->kinds[i % 3], &o->by_kind);
    }
    for (struct link *l = m0->all.next, *next; l != &m0->all; l = next) {
        struct object *o = container_of(l, struct object, by_age);
        next = l->next;
        if (o->key & 8) continue;
        take_out(&o->by_age);
        take_out(&o->by_kind);
    }
    for (uint i = 0; i < 3; i++)
        out[i] = plain(sum_of_kind(&m0->kinds[i]));
}
