// SPDX-License-Identifier: Apache-2.0
// Disjoint sets: the word of a root is its rank, shifted left past a bit that is set; that of any other node is the address of its parent.
#include "storage.h"

struct element {
    ulong up;
    uint sum;
};
struct memory {
    struct element elements[24];
};

NOINLINE struct element *find(struct element *e)
{
    while (!(e->up & 1)) {
        struct element *parent = (struct element *)e->up;
        if (!(parent->up & 1)) e->up = parent->up;
        e = parent;
    }
    return e;
}

NOINLINE bool unite(struct element *a, struct element *b)
{
    a = find(a);
    b = find(b);
    if (a == b) return false;
    ulong rank_a = a->up >> 1, rank_b = b->up >> 1;
    if (rank_a < rank_b) {
        struct element *t = a;
        a = b;
        b = t;
    }
    if (rank_a == rank_b) a->up = (rank_a + 1) << 1 | 1;
    b->up = (ulong)a;
    a->sum += b->sum;
    return true;
}

SHAPE(struct memory)
{
    uint joined = 0;
    for (uint i = 0; i < 24; i++) {
        PICK(i)->elements[i].up = 1;
        PICK(i)->elements[i].sum = in[i];
    }
    for (uint i = 0; i < 24; i++) {
        uint a = in[i] % 24, b = in[i] / 32 % 24;
        joined += unite(&PICK(a)->elements[a], &PICK(b)->elements[b]);
    }
    for (uint i = 0; i < 24; i++)
        out[i] = plain(find(&PICK(i)->elements[i])->sum);
    out[24] = plain(joined);
}
