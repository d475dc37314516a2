// SPDX-License-Identifier: Apache-2.0
// A ring buffer of the addresses of messages as words, with all ones as the word for "none".
#include "storage.h"

struct message {
    uint from, text[3];
};
struct memory {
    struct message messages[16];
    ulong ring[8];
};
struct ring {
    ulong *words;
    uint head, tail;
};
#define NONE (~0ul)

NOINLINE bool put(struct ring *r, const struct message *m)
{
    if (r->tail - r->head == 8) return false;
    r->words[r->tail++ % 8] = (ulong)m;
    return true;
}

NOINLINE ulong get(struct ring *r)
{
    if (r->tail == r->head) return NONE;
    ulong w = r->words[r->head % 8];
    r->words[r->head++ % 8] = NONE;
    return w;
}

NOINLINE uint read(const struct message *m)
{
    return m->from * 3 + m->text[m->from % 3];
}

SHAPE(struct memory)
{
    struct ring r = {m0->ring, 0, 0};
    uint s = 0, lost = 0;
    for (uint i = 0; i < 8; i++)
        m0->ring[i] = NONE;
    for (uint i = 0; i < 16; i++) {
        struct message *m = &PICK(i)->messages[i];
        m->from = i;
        for (uint j = 0; j < 3; j++)
            m->text[j] = in[i] >> j;
        lost += !put(&r, m);
        for (uint j = 0; i % 3 == 2 && j < 2; j++) {
            ulong w = get(&r);
            if (w != NONE) s = s * 5 + read((const struct message *)w);
        }
    }
    for (ulong w; (w = get(&r)) != NONE;)
        s = s * 5 + read((const struct message *)w);
    out[0] = plain(s);
    out[1] = plain(lost);
}
