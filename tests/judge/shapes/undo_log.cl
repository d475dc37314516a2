// SPDX-License-Identifier: Apache-2.0
// An undo log: pairs of words, an address and its previous value; a pair with an odd address is a mark.
#include "storage.h"

struct memory {
    uint variables[12];
    ulong log[80];
};
struct log {
    ulong *words;
    uint used;
};

NOINLINE void assign(struct log *l, uint *variable, uint value)
{
    l->words[l->used++] = (ulong)variable;
    l->words[l->used++] = *variable;
    *variable = value;
}

NOINLINE void begin(struct log *l, uint number)
{
    l->words[l->used++] = (ulong)number << 1 | 1;
    l->words[l->used++] = 0;
}

NOINLINE uint undo(struct log *l)
{
    for (;;) {
        l->used -= 2;
        ulong w = l->words[l->used];
        if (w & 1) return (uint)(w >> 1);
        *(uint *)w = (uint)l->words[l->used + 1];
    }
}

SHAPE(struct memory)
{
    struct log l = {m0->log, 0};
    uint s = 0;
    for (uint i = 0; i < 12; i++)
        PICK(i)->variables[i] = i;
    for (uint i = 0; i < 6; i++) {
        begin(&l, i);
        for (uint j = 0; j < 4; j++) {
            uint v = in[i * 4 + j] % 12;
            assign(&l, &PICK(v)->variables[v], in[i]);
        }
        if (in[i] & 1) s = s * 3 + undo(&l);
    }
    for (uint i = 0; i < 12; i++)
        out[i] = plain(PICK(i)->variables[i]);
    while (l.used)
        s = s * 3 + undo(&l);
    for (uint i = 0; i < 12; i++)
        out[12 + i] = plain(PICK(i)->variables[i]);
    out[24] = plain(s);
}
