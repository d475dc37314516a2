// SPDX-License-Identifier: Apache-2.0
// A list whose links have a 16-bit count above the address.
#include "storage.h"

struct node {
    ulong next; /* address, and from bit 48 on the number of following nodes */
    uint key;
};
struct memory {
    struct node nodes[16];
};
#define ADDRESS 0x0000fffffffffffful

NOINLINE void push(ulong *head, struct node *n, uint key)
{
    ulong count = *head >> 48;
    n->key = key;
    n->next = *head;
    *head = (ulong)n | (count + 1) << 48;
}

NOINLINE uint sum(ulong link)
{
    uint s = 0;
    for (uint left = link >> 48; left; left--) {
        struct node *n = (struct node *)(link & ADDRESS);
        s = s * 31 + n->key;
        link = n->next;
    }
    return s;
}

SHAPE(struct memory)
{
    ulong head = 0;
    for (uint i = 0; i < 16; i++)
        push(&head, &PICK(i)->nodes[i], in[i]);
    out[0] = plain(sum(head));
    out[1] = plain(head >> 48);
}
