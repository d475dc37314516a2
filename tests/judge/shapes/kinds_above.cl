// SPDX-License-Identifier: Apache-2.0
// Objects of several kinds in one table; the kind is in the top byte of the word that holds the address.
#include "storage.h"

struct circle {
    uint radius;
};
struct box {
    uint width, height;
};
struct group {
    ulong members[4];
    uint count;
};
struct memory {
    struct circle circles[6];
    struct box boxes[6];
    struct group groups[2];
    ulong table[14];
};
enum { CIRCLE = 1, BOX, GROUP };
#define KIND(w) ((uint)((w) >> 56))
#define ADDRESS(w) ((w) & 0x00fffffffffffffful)

NOINLINE ulong handle(const void *p, uint kind)
{
    return (ulong)p | (ulong)kind << 56;
}

NOINLINE uint area(ulong w)
{
    if (KIND(w) == CIRCLE) {
        const struct circle *c = (const struct circle *)ADDRESS(w);
        return 3 * c->radius * c->radius;
    }
    if (KIND(w) == BOX) {
        const struct box *b = (const struct box *)ADDRESS(w);
        return b->width * b->height;
    }
    const struct group *g = (const struct group *)ADDRESS(w);
    uint s = 0;
    for (uint i = 0; i < g->count; i++)
        s += area(g->members[i]);
    return s;
}

SHAPE(struct memory)
{
    uint used = 0;
    for (uint i = 0; i < 6; i++) {
        struct circle *c = &PICK(i)->circles[i];
        struct box *b = &PICK(i + 6)->boxes[i];
        c->radius = in[i] % 50;
        b->width = in[i + 6] % 50;
        b->height = in[i + 12] % 50;
        m0->table[used++] = handle(c, CIRCLE);
        m0->table[used++] = handle(b, BOX);
    }
    for (uint i = 0; i < 2; i++) {
        struct group *g = &PICK(i + 20)->groups[i];
        g->count = 0;
        for (uint j = 0; j < 4; j++)
            g->members[g->count++] = m0->table[j * 3 + i];
        m0->table[used++] = handle(g, GROUP);
    }
    for (uint i = 0; i < used; i++)
        out[i] = plain(area(m0->table[i]));
}
