// SPDX-License-Identifier: Apache-2.0
// A shared pointer: one word has the address of the object, and above bit 48 the number of its owners, which is changed by adding 2^48.
#include "storage.h"

struct object {
    uint key, drops;
};
struct memory {
    struct object objects[8];
    ulong cells[8];
};
#define ONE (1ul << 48)

struct object *object_of(ulong cell)
{
    return (struct object *)(cell & (ONE - 1));
}

NOINLINE void hold(ulong *cell)
{
    *cell += ONE;
}

NOINLINE void drop(ulong *cell)
{
    if (*cell < ONE) return;
    *cell -= ONE;
    if (*cell >= ONE) return;
    object_of(*cell)->drops++;
    object_of(*cell)->key ^= 1;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 8; i++) {
        PICK(i)->objects[i].key = in[i];
        PICK(i)->objects[i].drops = 0;
        m0->cells[i] = (ulong)&PICK(i)->objects[i];
    }
    for (uint i = 0; i < 48; i++) {
        if (in[i] & 16)
            hold(&m0->cells[in[i] % 8]);
        else
            drop(&m0->cells[in[i] / 64 % 8]);
    }
    for (uint i = 0; i < 8; i++)
        out[i] = plain(object_of(m0->cells[i])->key + object_of(m0->cells[i])->drops * 8 + (uint)(m0->cells[i] >> 48));
}
