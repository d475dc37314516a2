// SPDX-License-Identifier: Apache-2.0
// A free list sorted by address: adjacent blocks are joined. One word has a block's size and the address of the next block.
#include "storage.h"

struct memory {
    ulong words[64];
};
#define SIZE(w) ((w) >> 48)
#define NEXT(w) ((w) & 0x0000fffffffffffful)

NOINLINE void give(ulong *list, ulong *block, ulong size)
{
    ulong *before = list;
    while (NEXT(*before) && NEXT(*before) < (ulong)block)
        before = (ulong *)NEXT(*before);
    *block = size << 48 | NEXT(*before);
    *before = (*before & ~NEXT(~0ul)) | (ulong)block;
    for (ulong *at = block; at != list; at = before) {
        ulong next = NEXT(*at);
        if (next && (ulong)(at + SIZE(*at)) == next) *at = (SIZE(*at) + SIZE(*(ulong *)next)) << 48 | NEXT(*(ulong *)next);
        if (at == before) break;
    }
}

NOINLINE ulong *take(ulong *list, ulong size)
{
    for (ulong *before = list; NEXT(*before); before = (ulong *)NEXT(*before)) {
        ulong *block = (ulong *)NEXT(*before);
        if (SIZE(*block) < size) continue;
        if (SIZE(*block) == size) {
            *before = (*before & ~NEXT(~0ul)) | NEXT(*block);
            return block;
        }
        *block -= size << 48;
        return block + SIZE(*block);
    }
    return NULL;
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    ulong lists[PLACES];
    ulong *held[16];
    uint s = 0;
    for (uint m = 0; m < PLACES; m++) {
        lists[m] = 0;
        give(&lists[m], memories[m]->words, 64);
    }
    for (uint i = 0; i < 16; i++) {
        held[i] = take(&lists[WHICH(i)], i % 3 + 1);
        for (uint j = 0; j < i % 3 + 1; j++)
            held[i][j] = in[i + j];
        if (i % 4 == 3) {
            s = s * 3 + (uint)held[i - 2][0];
            give(&lists[WHICH(i - 2)], held[i - 2], (i - 2) % 3 + 1);
        }
    }
    for (uint i = 0; i < 16; i++) {
        if (i % 4 == 1) continue;
        for (uint j = 0; j < i % 3 + 1; j++)
            s = s * 3 + (uint)held[i][j];
        give(&lists[WHICH(i)], held[i], i % 3 + 1);
    }
    out[0] = plain(s);
    for (uint m = s = 0; m < PLACES; m++)
        s += NEXT(lists[m]) == (ulong)memories[m]->words && SIZE(memories[m]->words[0]) == 64;
    out[1] = plain(s == PLACES);
}
