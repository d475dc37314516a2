// SPDX-License-Identifier: Apache-2.0
// A virtual machine with eight 64-bit registers, which hold numbers and addresses alike, runs a loop that follows a list and sums it.
#include "storage.h"

struct node {
    ulong next;
    ulong key;
};
struct memory {
    struct node nodes[12];
    ulong registers[8];
};
struct instruction {
    uchar opcode, to, a, b;
};
enum { LOAD = 'l', STORE = 's', ADD = '+', MULTIPLY = '*', UNLESS = '?', END = '.' };

NOINLINE void execute(ulong *r, const struct instruction *program)
{
    for (const struct instruction *i = program; i->opcode != END; i++) {
        if (i->opcode == LOAD) r[i->to] = *(const ulong *)(r[i->a] + i->b);
        if (i->opcode == STORE) *(ulong *)(r[i->a] + i->b) = r[i->to];
        if (i->opcode == ADD) r[i->to] = r[i->a] + r[i->b];
        if (i->opcode == MULTIPLY) r[i->to] = r[i->a] * i->b;
        if (i->opcode == UNLESS && r[i->to]) i = program + i->b - 1;
    }
}

SHAPE(struct memory)
{
    const struct instruction program[] = {
        {LOAD, 2, 1, 8}, {MULTIPLY, 3, 3, 7}, {ADD, 3, 3, 2}, {STORE, 3, 1, 8}, {LOAD, 1, 1, 0}, {UNLESS, 1, 0, 0}, {END, 0, 0, 0}};
    struct node *first = NULL;
    for (uint i = 0; i < 8; i++)
        m0->registers[i] = 0;
    for (uint i = 0; i < 12; i++) {
        struct node *n = &PICK(i)->nodes[i];
        n->key = in[i];
        n->next = (ulong)first;
        first = n;
    }
    m0->registers[1] = (ulong)first;
    execute(m0->registers, program);
    out[0] = plain((uint)m0->registers[3]);
    for (uint i = 0; i < 12; i++)
        out[1 + i] = plain((uint)PICK(i)->nodes[i].key);
}
