// SPDX-License-Identifier: Apache-2.0
// A hash table with chains; an odd word ends a chain and contains the number of its bucket (as the "nulls" lists of Linux do).
#include "storage.h"

struct entry {
    ulong next;
    uint key, count;
};
struct memory {
    struct entry entries[20];
    ulong buckets[8];
};

NOINLINE struct entry *find(const ulong *buckets, uint key, uint *end)
{
    ulong at = buckets[key % 8];
    for (; !(at & 1); at = ((struct entry *)at)->next)
        if (((struct entry *)at)->key == key) return (struct entry *)at;
    *end = (uint)(at >> 1);
    return NULL;
}

NOINLINE void insert(ulong *buckets, struct entry *e, uint key)
{
    e->key = key;
    e->count = 1;
    e->next = buckets[key % 8];
    buckets[key % 8] = (ulong)e;
}

SHAPE(struct memory)
{
    uint ends = 0, s = 0;
    for (uint i = 0; i < 8; i++)
        m0->buckets[i] = (ulong)i << 1 | 1;
    for (uint i = 0; i < 40; i++) {
        uint end = 9, key = in[i] % 19;
        struct entry *e = find(m0->buckets, key, &end);
        if (e)
            e->count++;
        else
            insert(m0->buckets, &PICK(key)->entries[key], key);
        ends = ends * 3 + end;
    }
    for (uint key = 0; key < 19; key++) {
        const struct entry *e = find(m0->buckets, key, &s);
        out[key] = plain(e ? e->count : 100);
    }
    out[19] = plain(ends);
}
