// SPDX-License-Identifier: Apache-2.0
// Lisp: a value is the address of a cell, a small integer n as n << 2 | 1, or nil, which is 2.
#include "storage.h"

typedef ulong value;
struct cell {
    value car, cdr;
};
struct memory {
    struct cell cells[32];
};
#define NIL 2ul

value number(int n)
{
    return (ulong)(long)n << 2 | 1;
}

NOINLINE value cons(struct cell *cell, value car, value cdr)
{
    cell->car = car;
    cell->cdr = cdr;
    return (value)cell;
}

NOINLINE int sum(value v)
{
    int s = 0;
    for (; !(v & 3); v = ((struct cell *)v)->cdr) {
        value first = ((struct cell *)v)->car;
        if (first & 1)
            s += (int)((long)first >> 2);
        else if (first != NIL)
            s += 2 * sum(first);
    }
    return s;
}

NOINLINE value reverse(value list)
{
    value done = NIL;
    while (list != NIL) {
        struct cell *c = (struct cell *)list;
        list = c->cdr;
        c->cdr = done;
        done = (value)c;
    }
    return done;
}

SHAPE(struct memory)
{
    value list = NIL, inner = NIL;
    uint used = 0;
    for (uint i = 0; i < 8; i++, used++)
        inner = cons(&PICK(used)->cells[used], number((int)i - 5), inner);
    for (uint i = 0; i < 16; i++, used++)
        list = cons(&PICK(used)->cells[used], i % 5 == 2 ? inner : i % 7 == 5 ? NIL : number(in[i] % 1000), list);
    out[0] = plain(sum(list));
    list = reverse(list);
    out[1] = plain(sum(list));
    out[2] = plain((uint)((long)((struct cell *)list)->car >> 2));
}
