// SPDX-License-Identifier: Apache-2.0
// A page table of two levels: an entry is the address of an aligned page, with the flags present, read and written in its low bits.
#include "storage.h"

struct page {
    uint words[16];
} __attribute__((aligned(64)));
struct table {
    ulong entries[8];
} __attribute__((aligned(64)));
struct memory {
    struct page pages[16];
    struct table top, tables[8];
};
enum { THERE = 1, READ = 2, WRITTEN = 4 };
#define FLAGS 63ul

NOINLINE uint *translate(struct table *top, uint address, uint flag)
{
    ulong entry = top->entries[address >> 9 & 7];
    if (!(entry & THERE)) return NULL;
    ulong *at = &((struct table *)(entry & ~FLAGS))->entries[address >> 6 & 7];
    if (!(*at & THERE)) return NULL;
    *at |= flag;
    return &((struct page *)(*at & ~FLAGS))->words[address >> 2 & 15];
}

NOINLINE void map(struct table *top, struct table *below, uint address, struct page *page)
{
    ulong *entry = &top->entries[address >> 9 & 7];
    if (!(*entry & THERE)) *entry = (ulong)below | THERE;
    ((struct table *)(*entry & ~FLAGS))->entries[address >> 6 & 7] = (ulong)page | THERE;
}

SHAPE(struct memory)
{
    struct table *top = &m0->top;
    uint missing = 0, s = 0, flags = 0;
    for (uint i = 0; i < 8; i++) {
        top->entries[i] = 0;
        for (uint j = 0; j < 8; j++)
            PICK(i)->tables[i].entries[j] = 0;
    }
    for (uint i = 0; i < 16; i++) {
        for (uint j = 0; j < 16; j++)
            PICK(i)->pages[i].words[j] = i;
        uint address = in[i] & 0xfc0;
        map(top, &PICK(address >> 9 & 7)->tables[address >> 9 & 7], address, &PICK(i)->pages[i]);
    }
    for (uint i = 0; i < 48; i++) {
        uint *w = translate(top, (in[i % 16] & 0xfc0) + i % 5 * 64 % 256, i & 1 ? WRITTEN : READ);
        if (!w)
            missing++;
        else if (i & 1)
            *w += in[i];
        else
            s = s * 3 + *w;
    }
    for (uint i = 0; i < 8; i++)
        for (uint j = 0; top->entries[i] & THERE && j < 8; j++)
            flags = flags * 3 + (uint)(((struct table *)(top->entries[i] & ~FLAGS))->entries[j] & FLAGS);
    out[0] = plain(s);
    out[1] = plain(missing);
    out[2] = plain(flags);
}
