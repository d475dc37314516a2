// SPDX-License-Identifier: Apache-2.0
// A list with 16-bit links: the distance from a node to the next one in units of eight bytes; 0 ends the list.
#include "storage.h"

struct node {
    short next;
    ushort kind;
    uint key;
};
struct memory {
    struct node nodes[20];
};

struct node *follow(const struct node *n)
{
    return n->next ? (struct node *)((ulong)n + (ulong)((long)n->next * 8)) : NULL;
}

NOINLINE void link_before(struct node *n, struct node *next)
{
    n->next = next ? (short)(((long)next - (long)n) / 8) : 0;
}

NOINLINE struct node *insert(struct node *list, struct node *n)
{
    struct node *before = NULL, *at = list;
    for (; at && at->key < n->key; at = follow(at))
        before = at;
    link_before(n, at);
    if (!before) return n;
    link_before(before, n);
    return list;
}

SHAPE(struct memory)
{
    struct node *lists[PLACES];
    uint s = 0;
    for (uint m = 0; m < PLACES; m++)
        lists[m] = NULL;
    for (uint i = 0; i < 20; i++) {
        struct node *n = &PICK(i)->nodes[i];
        n->key = in[i];
        n->kind = (ushort)i;
        lists[WHICH(i)] = insert(lists[WHICH(i)], n);
    }
    for (uint m = 0; m < PLACES; m++)
        for (struct node *n = lists[m]; n; n = follow(n))
            s += n->key * (n->kind + 1u);
    out[0] = plain(s);
}
