// SPDX-License-Identifier: Apache-2.0
// A sparse array: a 16-bit bitmap above the address of the elements that exist, stored contiguously (as in a hash array mapped trie).
#include "storage.h"

struct memory {
    uint room[6][16];
    ulong arrays[6];
};
#define BASE(w) ((uint *)((w) << 16 >> 16))
#define BITMAP(w) ((uint)((w) >> 48))

NOINLINE void set(ulong *w, uint index, uint value)
{
    uint *base = BASE(*w), bit = 1u << index, at = __builtin_popcount(BITMAP(*w) & (bit - 1));
    if (!(BITMAP(*w) & bit)) {
        for (uint i = __builtin_popcount(BITMAP(*w)); i > at; i--)
            base[i] = base[i - 1];
        *w |= (ulong)bit << 48;
    }
    base[at] = value;
}

NOINLINE uint get(ulong w, uint index)
{
    uint bit = 1u << index;
    return BITMAP(w) & bit ? BASE(w)[__builtin_popcount(BITMAP(w) & (bit - 1))] : 0;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 6; i++)
        m0->arrays[i] = (ulong)PICK(i)->room[i];
    for (uint i = 0; i < 48; i++)
        set(&m0->arrays[i % 6], in[i] % 16, i + 1);
    for (uint i = 0; i < 6; i++) {
        uint s = 0;
        for (uint j = 0; j < 16; j++)
            s = s * 3 + get(m0->arrays[i], j);
        out[i] = plain(s);
    }
}
