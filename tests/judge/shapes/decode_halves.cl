// SPDX-License-Identifier: Apache-2.0
// Addresses pass through an interface of 32-bit registers: the lower half, the upper half, and a number of bytes.
#include "storage.h"

struct registers {
    uint low, high, size, done;
};
struct memory {
    uint source[16], target[16];
    struct registers queue[4][2];
};

NOINLINE void program(struct registers *r, const void *p, uint size)
{
    r->low = (uint)(ulong)p;
    r->high = (uint)((ulong)p >> 32);
    r->size = size;
    r->done = 0;
}

NOINLINE void *address(const struct registers *r)
{
    return (void *)((ulong)r->high << 32 | r->low);
}

NOINLINE void transfer(struct registers *from, struct registers *to)
{
    const uint *a = (const uint *)address(from);
    uint *b = (uint *)address(to);
    for (uint i = 0; i < from->size / 4; i++)
        b[i] = a[i] + i;
    from->done = to->done = 1;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 16; i++)
        PICK(i / 4)->source[i] = in[i];
    for (uint i = 0; i < 4; i++) {
        program(&m0->queue[i][0], &PICK(i)->source[4 * i], 16);
        program(&m0->queue[i][1], &PICK(i + 4)->target[4 * i], 16);
    }
    for (uint i = 0; i < 4; i++)
        transfer(&m0->queue[i][0], &m0->queue[i][1]);
    for (uint i = 0; i < 16; i++)
        out[i] = plain(PICK(i / 4 + 4)->target[i]);
}
