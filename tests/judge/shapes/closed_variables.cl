// SPDX-License-Identifier: Apache-2.0
// The variables of closures: a cell points to a slot of the stack, and into itself when the slot ends; open cells are in a list, ordered by
// the addresses of their slots, in which each cell has the address of the link to it. Values have a kind and a word.
#include "storage.h"

struct value {
    ulong word; /* a number, or the address of a cell */
    uchar is_cell;
};
struct cell {
    struct value *at;
    union {
        struct value closed;
        struct {
            struct cell *next;
            struct cell **link;
        } open;
    } u;
};
struct memory {
    struct value stack[8];
    struct cell cells[8];
    struct cell *open;
};

NOINLINE struct cell *capture(struct cell **list, struct value *slot, struct cell *unused)
{
    struct cell **link = list;
    for (; *link && (*link)->at >= slot; link = &(*link)->u.open.next)
        if ((*link)->at == slot) return *link;
    unused->at = slot;
    unused->u.open.next = *link;
    unused->u.open.link = link;
    if (*link) (*link)->u.open.link = &unused->u.open.next;
    return *link = unused;
}

NOINLINE void close_from(struct cell **list, const struct value *slot)
{
    while (*list && (*list)->at >= slot) {
        struct cell *c = *list;
        *c->u.open.link = c->u.open.next;
        if (c->u.open.next) c->u.open.next->u.open.link = c->u.open.link;
        c->u.closed = *c->at;
        c->at = &c->u.closed;
    }
}

NOINLINE uint read(const struct cell *c)
{
    uint steps = 0;
    while (c->at->is_cell && steps < 9) {
        c = (const struct cell *)c->at->word;
        steps++;
    }
    return (uint)c->at->word * 16 + steps;
}

SHAPE(struct memory)
{
    struct value *stack = PICK(0)->stack;
    struct cell *made[8], **open = &PICK(1)->open;
    uint s = 0;
    *open = NULL;
    for (uint i = 0; i < 8; i++) {
        stack[i].word = in[i] & 0xffff;
        stack[i].is_cell = 0;
    }
    for (uint i = 0; i < 8; i++)
        made[i] = capture(open, &stack[in[i] / 8 % 8], &PICK(i + 2)->cells[i]);
    for (uint i = 1; i < 8; i++)
        if (in[i] & 1 && made[i] != made[0]) {
            made[i]->at->word = (ulong)made[0];
            made[i]->at->is_cell = 1;
        }
    for (uint i = 0; i < 8; i++)
        s = s * 31 + read(made[i]);
    out[0] = plain(s);
    close_from(open, &stack[4]);
    for (uint i = 4; i < 8; i++)
        stack[i].word = stack[i].is_cell = 0;
    for (uint i = 0; i < 8; i++)
        s = s * 31 + read(made[i]);
    out[1] = plain(s);
    close_from(open, stack);
    out[2] = plain(*open == NULL);
    for (uint i = 0; i < 8; i++)
        s = s * 31 + read(made[i]);
    out[3] = plain(s);
}
