// SPDX-License-Identifier: Apache-2.0
// Mark and sweep: a cell's mark is bit 0 of its first word, and links are reversed during marking (Schorr and Waite).
#include "storage.h"

struct cell {
    ulong car, cdr; /* car: bit 0, marked; bit 1, its car has been traversed. Links are addresses or 0. */
    uint key;
};
struct memory {
    struct cell cells[20];
};
#define BITS 3ul

NOINLINE void mark(struct cell *root)
{
    struct cell *at = root, *back = NULL;
    for (;;) {
        while (at && !(at->car & 1)) {
            struct cell *next = (struct cell *)(at->car & ~BITS);
            at->car = (ulong)back | 1;
            back = at;
            at = next;
        }
        while (back && back->car & 2) {
            struct cell *done = back;
            back = (struct cell *)done->cdr;
            done->cdr = (ulong)at;
            at = done;
        }
        if (!back) return;
        struct cell *up = (struct cell *)(back->car & ~BITS), *next = (struct cell *)back->cdr;
        back->car = (ulong)at | 3;
        back->cdr = (ulong)up;
        at = next;
    }
}

NOINLINE uint sweep(struct cell *c)
{
    uint key = c->car & 1 ? c->key : 1;
    c->car &= ~BITS;
    return key;
}

NOINLINE struct cell *make(struct cell *c, uint key, const struct cell *car, const struct cell *cdr)
{
    c->car = (ulong)car;
    c->cdr = (ulong)cdr;
    c->key = key;
    return c;
}

SHAPE(struct memory)
{
    struct cell *made[20];
    uint s = 0;
    for (uint i = 0; i < 20; i++) {
        const struct cell *a = i > 2 && in[i] & 4 ? made[in[i] % i] : NULL, *b = i > 2 && in[i] & 8 ? made[in[i] / 8 % i] : NULL;
        made[i] = make(&PICK(i)->cells[i], in[i], a, b);
    }
    made[1]->cdr = (ulong)made[19];
    mark(made[18]);
    for (uint i = 0; i < 20; i++)
        s = s * 3 + sweep(made[i]);
    out[0] = plain(s);
    mark(made[1]);
    for (uint i = 0; i < 20; i++)
        s = s * 3 + sweep(made[i]);
    out[1] = plain(s);
}
