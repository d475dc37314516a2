// SPDX-License-Identifier: Apache-2.0
// Nodes pass through a queue of 32-bit integers, as in a mailbox between processors: two for a link, one for a key.
#include "storage.h"

struct node {
    struct node *next;
    uint key, weight;
};
struct memory {
    struct node nodes[12], received[12];
    uint mailbox[8];
};
struct mailbox {
    uint *words, read, written;
};

NOINLINE void send(struct mailbox *m, const void *message, uint count)
{
    for (uint i = 0; i < count; i++)
        m->words[m->written++ % 8] = ((const uint *)message)[i];
}

NOINLINE void receive(struct mailbox *m, void *message, uint count)
{
    for (uint i = 0; i < count; i++)
        ((uint *)message)[i] = m->words[m->read++ % 8];
}

NOINLINE uint sum(const struct node *n)
{
    uint s = n->key * n->weight;
    for (n = n->next; n; n = n->next)
        s = s * 3 + n->key;
    return s;
}

SHAPE(struct memory)
{
    struct mailbox box = {m0->mailbox, 0, 0};
    struct node *last = NULL;
    for (uint i = 0; i < 12; i++) {
        struct node *n = &PICK(i)->nodes[i], *got = &PICK(i + 12)->received[i];
        n->next = last;
        n->key = in[i];
        n->weight = i;
        send(&box, n, 4);
        receive(&box, got, 4);
        last = i % 3 ? got : n;
    }
    for (uint i = 0; i < 12; i++)
        out[i] = plain(sum(&PICK(i + 12)->received[i]));
}
