// SPDX-License-Identifier: Apache-2.0
// A union of a pointer, a word and two halves: messages are pointers or pairs of numbers, distinguished by a bit of the lower half.
#include "storage.h"

struct body {
    uint numbers[3];
};
union message {
    ulong word;
    struct {
        uint low, high;
    } halves;
    struct body *body;
};
struct memory {
    struct body bodies[12];
    union message queue[12];
};

NOINLINE union message small(uint a, uint b)
{
    union message m;
    m.halves.low = a << 1 | 1;
    m.halves.high = b;
    return m;
}

NOINLINE union message large(struct body *b, uint n)
{
    union message m;
    for (uint i = 0; i < 3; i++)
        b->numbers[i] = n >> i;
    m.body = b;
    return m;
}

NOINLINE uint value(const union message *m)
{
    if (m->halves.low & 1) return (m->halves.low >> 1) + m->halves.high;
    return m->body->numbers[0] + m->body->numbers[1] * 3 + m->body->numbers[2];
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 12; i++)
        m0->queue[i] = i % 3 ? large(&PICK(i)->bodies[i], in[i]) : small(in[i] & 0xffff, i * 5);
    for (uint i = 0; i < 12; i++)
        out[i] = plain(value(&m0->queue[i]));
    union message t = m0->queue[1];
    m0->queue[1].word = m0->queue[3].word;
    m0->queue[3] = t;
    out[12] = plain(value(&m0->queue[1]) * 2 + value(&m0->queue[3]));
}
