// SPDX-License-Identifier: Apache-2.0
// The words of a table store an address without its three lowest bits, which are 0, and have a 19-bit hash above it.
#include "storage.h"

struct entry {
    ulong key;
    uint value;
};
struct memory {
    struct entry entries[16];
    ulong table[32];
};
#define BITS 45

uint hash(ulong key)
{
    return (uint)(key * 0x9e3779b97f4a7c15ul >> 40);
}

struct entry *entry_of(ulong w)
{
    return (struct entry *)((w & ((1ul << BITS) - 1)) << 3);
}

NOINLINE void insert(ulong *table, const struct entry *e)
{
    uint h = hash(e->key), at = h % 32;
    while (table[at])
        at = (at + 1) % 32;
    table[at] = (ulong)e >> 3 | (ulong)h << BITS;
}

NOINLINE const struct entry *find(const ulong *table, ulong key)
{
    uint h = hash(key);
    for (uint at = h % 32; table[at]; at = (at + 1) % 32)
        if (table[at] >> BITS == (h & 0x7ffff) && entry_of(table[at])->key == key) return entry_of(table[at]);
    return NULL;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 32; i++)
        m0->table[i] = 0;
    for (uint i = 0; i < 16; i++) {
        PICK(i)->entries[i].key = (ulong)in[i] << 8 | i;
        PICK(i)->entries[i].value = in[i + 16];
        insert(m0->table, &PICK(i)->entries[i]);
    }
    for (uint i = 0; i < 20; i++) {
        const struct entry *e = find(m0->table, (ulong)in[i] << 8 | i);
        out[i] = plain(e ? e->value : 5);
    }
}
