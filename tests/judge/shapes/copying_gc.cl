// SPDX-License-Identifier: Apache-2.0
// A copying collector (Cheney): the first word of a cell that has been moved is the address of its copy with bit 0 set.
#include "storage.h"

struct cell {
    ulong head; /* 2, or its new address, and 1 */
    struct cell *left, *right;
    uint key;
};
struct memory {
    struct cell from[16], to[16];
};

NOINLINE struct cell *moved(struct cell *c, struct cell **next)
{
    if (!c) return NULL;
    if (!(c->head & 1)) {
        struct cell *copy = (*next)++;
        *copy = *c;
        c->head = (ulong)copy | 1;
    }
    return (struct cell *)(c->head & ~1ul);
}

NOINLINE uint collect(struct cell **root, struct cell *to)
{
    struct cell *next = to;
    *root = moved(*root, &next);
    for (struct cell *scan = to; scan < next; scan++) {
        scan->left = moved(scan->left, &next);
        scan->right = moved(scan->right, &next);
    }
    return (uint)(next - to);
}

NOINLINE uint walk(const struct cell *c)
{
    return c ? walk(c->left) * 3 + c->key + walk(c->right) * 5 : 1;
}

SHAPE(struct memory)
{
    struct cell *made[16];
    for (uint i = 0; i < 16; i++) {
        made[i] = &PICK(i)->from[i];
        made[i]->head = 2;
        made[i]->key = in[i];
        made[i]->left = i > 1 ? made[i - 2] : NULL;
        made[i]->right = i > 4 && i % 4 == 0 ? made[i / 2] : NULL;
    }
    struct cell *root = made[14];
    out[0] = plain(walk(root));
    out[1] = plain(collect(&root, PICK(40)->to));
    for (uint i = 0; i < 16; i++)
        made[i]->key = 0;
    out[2] = plain(walk(root));
}
