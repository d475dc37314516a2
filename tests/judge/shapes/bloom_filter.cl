// SPDX-License-Identifier: Apache-2.0
// A set of addresses with a 64-bit Bloom filter: three hashes of an address set bits, and a list is searched only if all are set.
#include "storage.h"

struct page {
    uint number, seen;
};
struct set {
    ulong filter;
    uint count;
    ulong members[12];
};
struct memory {
    struct page pages[24];
    struct set set;
};

NOINLINE ulong bits_of(const struct page *p)
{
    ulong h = (ulong)p * 0x9e3779b97f4a7c15ul;
    return 1ul << (h >> 58) | 1ul << (h >> 40 & 63) | 1ul << ((ulong)p >> 3 & 63);
}

NOINLINE void add(struct set *s, const struct page *p)
{
    s->filter |= bits_of(p);
    s->members[s->count++] = (ulong)p;
}

NOINLINE bool has(const struct set *s, const struct page *p)
{
    ulong bits = bits_of(p);
    if ((s->filter & bits) != bits) return false;
    for (uint i = 0; i < s->count; i++)
        if (s->members[i] == (ulong)p) return true;
    return false;
}

SHAPE(struct memory)
{
    m0->set.filter = m0->set.count = 0;
    for (uint i = 0; i < 24; i++) {
        PICK(i)->pages[i].number = in[i];
        PICK(i)->pages[i].seen = 0;
        if (i % 2) add(&m0->set, &PICK(i)->pages[i]);
    }
    for (uint i = 0; i < 24; i++)
        if (has(&m0->set, &PICK(i)->pages[i])) PICK(i)->pages[i].seen++;
    for (uint i = 0; i < m0->set.count; i++)
        ((struct page *)m0->set.members[i])->number *= 3;
    for (uint i = 0; i < 24; i++)
        out[i] = plain(PICK(i)->pages[i].number + PICK(i)->pages[i].seen);
}
