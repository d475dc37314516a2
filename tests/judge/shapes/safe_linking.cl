// SPDX-License-Identifier: Apache-2.0
// Safe linking, as in allocators: the link in a free block is stored XOR its own location, shifted right by 12.
#include "storage.h"

struct block {
    ulong next;
    uint key;
};
struct memory {
    struct block blocks[10];
    ulong bins[2];
};

ulong hide(const ulong *slot, ulong link)
{
    return (ulong)slot >> 12 ^ link;
}

NOINLINE void give(ulong *bin, struct block *b)
{
    b->next = hide(&b->next, *bin);
    *bin = (ulong)b;
}

NOINLINE struct block *take(ulong *bin)
{
    struct block *b = (struct block *)*bin;
    if (b) *bin = hide(&b->next, b->next);
    return b;
}

SHAPE(struct memory)
{
    uint s = 0;
    m0->bins[0] = m0->bins[1] = 0;
    for (uint i = 0; i < 10; i++) {
        PICK(i)->blocks[i].key = in[i];
        give(&m0->bins[i & 1], &PICK(i)->blocks[i]);
    }
    for (uint i = 0; i < 6; i++) {
        struct block *b = take(&m0->bins[i % 4 == 0]);
        s = s * 3 + b->key;
        if (i & 1) give(&m0->bins[0], b);
    }
    for (uint i = 0; i < 2; i++)
        for (struct block *b; (b = take(&m0->bins[i]));)
            s = s * 3 + b->key;
    out[0] = plain(s);
}
