// SPDX-License-Identifier: Apache-2.0
// A list is serialized to bytes, where links are the numbers of nodes, and rebuilt from them elsewhere.
#include "storage.h"

struct node {
    struct node *next, *other;
    uint key;
};
struct memory {
    struct node nodes[10], copies[10];
    uchar bytes[100];
};

NOINLINE uchar *put(uchar *at, uint n)
{
    for (uint i = 0; i < 4; i++)
        *at++ = (uchar)(n >> 8 * i);
    return at;
}

NOINLINE uint get(const uchar *at)
{
    return at[0] | (uint)at[1] << 8 | (uint)at[2] << 16 | (uint)at[3] << 24;
}

NOINLINE uint number_of(const struct node *list, const struct node *n)
{
    uint i = 0;
    for (; list != n; list = list->next)
        i++;
    return i;
}

NOINLINE void write(uchar *at, const struct node *list)
{
    for (const struct node *n = list; n; n = n->next) {
        at = put(at, n->key);
        at = put(at, number_of(list, n->other));
    }
}

NOINLINE uint walk(const struct node *n)
{
    uint s = 0;
    for (; n; n = n->next)
        s = s * 11 + n->key + 3 * n->other->key;
    return s;
}

SHAPE(struct memory)
{
    struct node *list = NULL;
    ulong made[10];
    for (uint i = 0; i < 10; i++) {
        struct node *n = &PICK(i)->nodes[i];
        n->key = in[i];
        n->next = list;
        n->other = i < 2 ? n : list->next;
        list = n;
    }
    write(m0->bytes, list);
    for (uint i = 0; i < 10; i++)
        made[i] = (ulong)&PICK(i + 10)->copies[i];
    for (uint i = 0; i < 10; i++) {
        struct node *n = (struct node *)made[i];
        n->key = get(m0->bytes + 8 * i);
        n->other = (struct node *)made[get(m0->bytes + 8 * i + 4)];
        n->next = i < 9 ? (struct node *)made[i + 1] : NULL;
    }
    out[0] = plain(walk(list));
    out[1] = plain(walk((struct node *)made[0]));
}
