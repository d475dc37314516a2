// SPDX-License-Identifier: Apache-2.0
// Blocks of at most sixteen numbers, whose count is in the low four bits of their aligned addresses.
#include "storage.h"

struct block {
    uint numbers[16];
} __attribute__((aligned(16)));
struct memory {
    struct block blocks[8];
    ulong lists[8];
};

NOINLINE void append(ulong *list, uint number)
{
    struct block *b = (struct block *)(*list & ~15ul);
    b->numbers[*list & 15] = number;
    *list += 1;
}

NOINLINE uint total(const ulong *list)
{
    const struct block *b = (const struct block *)(*list & ~15ul);
    uint s = 0;
    for (uint i = 0; i < (*list & 15); i++)
        s += b->numbers[i];
    return s;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 8; i++)
        m0->lists[i] = (ulong)&PICK(i)->blocks[i];
    for (uint i = 0; i < 40; i++)
        append(&m0->lists[i * i % 8], in[i]);
    for (uint i = 0; i < 8; i++)
        out[i] = plain(total(&m0->lists[i]));
    out[8] = plain(m0->lists[1] & 15);
}
