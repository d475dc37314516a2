// SPDX-License-Identifier: Apache-2.0
// A posting list: sorted addresses of documents in one memory, each stored as the difference from the previous one, in 7-bit groups.
#include "storage.h"

struct document {
    uint words, score;
};
struct memory {
    struct document documents[16];
    uchar postings[64];
};

NOINLINE uchar *put(uchar *at, ulong number)
{
    for (; number > 127; number >>= 7)
        *at++ = (uchar)(number | 128);
    *at++ = (uchar)number;
    return at;
}

NOINLINE const uchar *get(const uchar *at, ulong *number)
{
    uint shift = 0;
    for (*number = 0; *at & 128; shift += 7)
        *number |= (ulong)(*at++ & 127) << shift;
    *number |= (ulong)*at++ << shift;
    return at;
}

NOINLINE void credit(const uchar *at, ulong base, uint amount)
{
    for (ulong distance; at = get(at, &distance), distance;) {
        base += distance;
        ((struct document *)base)->score += amount;
    }
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 16; i++)
        PICK(i / 4)->documents[i].score = PICK(i / 4)->documents[i].words = 0;
    for (uint part = 0; part < 4; part++) {
        struct memory *m = PICK(part);
        uchar *at = m->postings;
        ulong last = (ulong)m - 1;
        for (uint i = 4 * part; i < 4 * part + 4; i++) {
            if (!(in[i] & 6)) continue;
            at = put(at, (ulong)&m->documents[i] - last);
            last = (ulong)&m->documents[i];
        }
        put(at, 0);
        credit(m->postings, (ulong)m - 1, in[part]);
    }
    for (uint i = 0; i < 16; i++)
        out[i] = plain(PICK(i / 4)->documents[i].score);
}
