// SPDX-License-Identifier: Apache-2.0
// Finds the block in which an address lies. The blocks' addresses are sorted, and searched by bisection, with the mean of two addresses.
#include "storage.h"

struct memory {
    uint numbers[128];
    ulong starts[8];
};

NOINLINE uint block_of(const ulong *starts, uint count, ulong address)
{
    uint low = 0, high = count;
    while (low + 1 < high) {
        uint middle = (low + high) / 2;
        if (starts[middle] <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the first number from `first` on that is not below `key`, by bisection on addresses. */
NOINLINE const uint *lower_bound(const uint *first, const uint *end, uint key)
{
    ulong low = (ulong)first, high = (ulong)end;
    while (low < high) {
        ulong middle = ((low + high) >> 1) & ~3ul;
        if (*(const uint *)middle < key)
            low = middle + 4;
        else
            high = middle;
    }
    return (const uint *)low;
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    for (uint m = 0; m < PLACES; m++) {
        for (uint i = 0; i < 128; i++)
            memories[m]->numbers[i] = i * i;
        for (uint i = 0; i < 8; i++)
            memories[m]->starts[i] = (ulong)&memories[m]->numbers[i * i * 2];
    }
    for (uint i = 0; i < 16; i++) {
        struct memory *m = PICK(i);
        const uint *found = lower_bound(m->numbers, m->numbers + 128, in[i] % 16000);
        out[i] = plain(block_of(m->starts, 8, (ulong)found) * 100000 + *found);
    }
}
