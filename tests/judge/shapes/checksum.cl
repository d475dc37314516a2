// SPDX-License-Identifier: Apache-2.0
// A guarded list: its head has a checksum of the addresses and keys of its nodes, which is recomputed before each use.
#include "storage.h"

struct node {
    struct node *next;
    uint key;
};
struct head {
    struct node *first;
    ulong sum;
};
struct memory {
    struct node nodes[12];
    struct head head;
};

NOINLINE ulong sum_of(const struct node *n)
{
    ulong sum = 14695981039346656037ul;
    for (; n; n = n->next) {
        sum = (sum ^ (ulong)n) * 1099511628211ul;
        sum = (sum ^ n->key) * 1099511628211ul;
    }
    return sum;
}

NOINLINE void push(struct head *h, struct node *n, uint key)
{
    n->key = key;
    n->next = h->first;
    h->first = n;
    h->sum = sum_of(n);
}

SHAPE(struct memory)
{
    uint right = 0, s = 0;
    m0->head.first = NULL;
    for (uint i = 0; i < 12; i++) {
        push(&m0->head, &PICK(i)->nodes[i], in[i]);
        right += m0->head.sum == sum_of(m0->head.first);
    }
    for (const struct node *n = m0->head.first; n; n = n->next)
        s = s * 3 + n->key;
    PICK(5)->nodes[5].key++;
    out[0] = plain(s);
    out[1] = plain(right);
    out[2] = plain(m0->head.sum != sum_of(m0->head.first));
}
