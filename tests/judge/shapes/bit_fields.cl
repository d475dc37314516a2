// SPDX-License-Identifier: Apache-2.0
// A structure of bit-fields: the 48 bits of an address, a kind and a number of retries.
#include "storage.h"

#pragma OPENCL EXTENSION __cl_clang_bitfields : enable

struct task {
    uint cost;
    uint done;
};
struct slot {
    ulong address : 48, kind : 6, retries : 10;
};
struct memory {
    struct task tasks[12];
    struct slot slots[12];
};

NOINLINE void fill(struct slot *s, const struct task *t, uint kind)
{
    s->address = (ulong)t;
    s->kind = kind;
    s->retries = 0;
}

NOINLINE bool attempt(struct slot *s)
{
    struct task *t = (struct task *)(ulong)s->address;
    if (s->retries * 7u + s->kind < t->cost % 32) {
        s->retries++;
        return false;
    }
    t->done += s->kind + 1;
    return true;
}

SHAPE(struct memory)
{
    uint attempts = 0;
    for (uint i = 0; i < 12; i++) {
        PICK(i)->tasks[i].cost = in[i];
        PICK(i)->tasks[i].done = 0;
        fill(&m0->slots[i], &PICK(i)->tasks[i], in[i] % 40);
    }
    for (uint i = 0; i < 12; i++)
        for (attempts++; !attempt(&m0->slots[i]);)
            attempts++;
    for (uint i = 0; i < 12; i++)
        out[i] = plain(PICK(i)->tasks[i].done * 100 + m0->slots[i].retries);
    out[12] = plain(attempts);
}
