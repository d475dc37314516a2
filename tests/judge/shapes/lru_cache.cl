// SPDX-License-Identifier: Apache-2.0
// A cache of four values: a table by key, and a list by age whose links have a bit that is set if the value was changed.
#include "storage.h"

struct entry {
    ulong next, prev; /* next: bit 0 is set if the value was changed */
    uint key, value;
};
struct memory {
    struct entry entries[4], head;
    ulong table[16];
};

struct entry *entry_of(ulong link)
{
    return (struct entry *)(link & ~1ul);
}

NOINLINE void take_out(struct entry *e)
{
    struct entry *next = entry_of(e->next), *prev = (struct entry *)e->prev;
    prev->next = (prev->next & 1) | (ulong)next;
    next->prev = (ulong)prev;
}

NOINLINE void put_first(struct entry *head, struct entry *e, bool changed)
{
    struct entry *first = entry_of(head->next);
    e->next = (ulong)first | changed;
    e->prev = (ulong)head;
    first->prev = head->next = (ulong)e;
}

NOINLINE uint use(struct entry *head, ulong *table, uint key, uint change, uint *written)
{
    struct entry *e = (struct entry *)table[key];
    bool changed = change != 0;
    if (e) {
        changed |= e->next & 1;
    } else {
        e = (struct entry *)head->prev;
        if (e->key < 16) table[e->key] = 0;
        *written = *written * 7 + (e->next & 1 ? e->value : 1);
        e->key = key;
        e->value = key * 100;
        table[key] = (ulong)e;
        changed = change != 0;
    }
    e->value += change;
    take_out(e);
    put_first(head, e, changed);
    return e->value;
}

SHAPE(struct memory)
{
    struct entry *head = &m0->head;
    uint written = 0, s = 0;
    head->next = head->prev = (ulong)head;
    for (uint i = 0; i < 16; i++)
        m0->table[i] = 0;
    for (uint i = 0; i < 4; i++) {
        PICK(i)->entries[i].key = 16;
        PICK(i)->entries[i].value = 0;
        put_first(head, &PICK(i)->entries[i], false);
    }
    for (uint i = 0; i < 40; i++)
        s = s * 3 + use(head, m0->table, in[i] % 7, in[i] >> 8 & 3, &written);
    out[0] = plain(s);
    out[1] = plain(written);
}
