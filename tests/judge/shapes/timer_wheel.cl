// SPDX-License-Identifier: Apache-2.0
// A timer wheel: eight slots with lists of timers; bits 48 to 55 of the link to a timer count its remaining rounds.
#include "storage.h"

struct timer {
    ulong next;
    uint number;
};
struct memory {
    struct timer timers[20];
    ulong slots[8];
};
#define ROUND (1ul << 48)
#define TIMER(link) ((struct timer *)((link) & (ROUND - 1)))

NOINLINE void start(ulong *slots, struct timer *t, uint now, uint delay)
{
    ulong *slot = &slots[(now + delay) % 8];
    t->next = *slot;
    *slot = (ulong)t | (delay - 1) / 8 * ROUND;
}

NOINLINE uint tick(ulong *slots, uint now, uint s)
{
    ulong *link = &slots[now % 8];
    while (*link) {
        struct timer *t = TIMER(*link);
        if (*link >= ROUND) {
            *link -= ROUND;
            link = &t->next;
        } else {
            *link = t->next;
            s = s * 7 + t->number * now;
        }
    }
    return s;
}

SHAPE(struct memory)
{
    uint s = 0;
    for (uint i = 0; i < 8; i++)
        m0->slots[i] = 0;
    for (uint now = 0; now < 60; now++) {
        s = tick(m0->slots, now, s);
        if (now >= 20) continue;
        PICK(now)->timers[now].number = in[now] % 1000;
        start(m0->slots, &PICK(now)->timers[now], now, 1 + in[now] % 30);
    }
    out[0] = plain(s);
}
