// SPDX-License-Identifier: Apache-2.0
// A set of pointers: a hash table of words with open addressing.
#include "storage.h"

struct item {
    uint value, pad[3];
};
struct memory {
    struct item items[16];
    ulong table[32];
};

NOINLINE bool add(ulong *table, const struct item *item)
{
    ulong key = (ulong)item;
    uint at = (uint)(key >> 4) * 2654435761u >> 27;
    while (table[at] && table[at] != key)
        at = (at + 1) & 31;
    if (table[at]) return false;
    table[at] = key;
    return true;
}

NOINLINE uint sum(const ulong *table)
{
    uint s = 0;
    for (uint i = 0; i < 32; i++)
        if (table[i]) s += ((const struct item *)table[i])->value;
    return s;
}

SHAPE(struct memory)
{
    uint added = 0;
    for (uint i = 0; i < 32; i++)
        m0->table[i] = 0;
    for (uint i = 0; i < 16; i++)
        PICK(i)->items[i].value = in[i];
    for (uint i = 0; i < 40; i++)
        added += add(m0->table, &PICK(i * 5 % 14)->items[i * 5 % 14]);
    out[0] = plain(sum(m0->table));
    out[1] = plain(added);
}
