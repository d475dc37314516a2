// SPDX-License-Identifier: Apache-2.0
// Addresses are sorted by their bytes (radix sort, lowest byte first); equal addresses are then adjacent, and are counted.
#include "storage.h"

struct memory {
    uint counters[12];
    ulong words[32], room[32];
};

NOINLINE void pass(ulong *to, const ulong *from, uint count, uint shift)
{
    uint starts[257];
    for (uint i = 0; i < 257; i++)
        starts[i] = 0;
    for (uint i = 0; i < count; i++)
        starts[(from[i] >> shift & 255) + 1]++;
    for (uint i = 0; i < 256; i++)
        starts[i + 1] += starts[i];
    for (uint i = 0; i < count; i++)
        to[starts[from[i] >> shift & 255]++] = from[i];
}

NOINLINE uint count_runs(const ulong *words, uint count)
{
    uint runs = 0;
    for (uint i = 0; i < count; i++) {
        ++*(uint *)words[i];
        runs += !i || words[i] != words[i - 1];
    }
    return runs;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 12; i++)
        PICK(i)->counters[i] = in[i];
    for (uint i = 0; i < 32; i++)
        m0->words[i] = (ulong)&PICK(in[i] % 11)->counters[in[i] % 11];
    for (uint shift = 0; shift < 48; shift += 16) {
        pass(m0->room, m0->words, 32, shift);
        pass(m0->words, m0->room, 32, shift + 8);
    }
    out[0] = plain(count_runs(m0->words, 32));
    for (uint i = 0; i < 12; i++)
        out[1 + i] = plain(PICK(i)->counters[i]);
}
