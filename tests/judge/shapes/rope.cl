// SPDX-License-Identifier: Apache-2.0
// A rope: a word has a length in its top 16 bits, and below it the address of bytes, or with bit 0 set that of a pair of such words.
#include "storage.h"

typedef ulong rope;
struct pair {
    rope left, right;
};
struct memory {
    struct pair pairs[12];
    uchar text[12][8];
};

uint length(rope r)
{
    return (uint)(r >> 48);
}

ulong address(rope r)
{
    return r & 0x0000fffffffffffeul;
}

NOINLINE rope text(uchar *bytes, uint number, uint size)
{
    for (uint i = 0; i < size; i++)
        bytes[i] = 'a' + (number >> 4 * i & 15);
    return (ulong)bytes | (ulong)size << 48;
}

NOINLINE rope join(struct pair *p, rope left, rope right)
{
    p->left = left;
    p->right = right;
    return (ulong)p | 1 | (ulong)(length(left) + length(right)) << 48;
}

NOINLINE uchar byte_at(rope r, uint i)
{
    while (r & 1) {
        struct pair *p = (struct pair *)address(r);
        uint left = length(p->left);
        r = i < left ? p->left : p->right;
        if (i >= left) i -= left;
    }
    return ((const uchar *)address(r))[i];
}

SHAPE(struct memory)
{
    rope r = text(PICK(0)->text[0], in[0], 5);
    for (uint i = 1; i < 12; i++) {
        rope t = text(PICK(i)->text[i], in[i], i % 7 + 2);
        r = i & 1 ? join(&PICK(i + 12)->pairs[i], r, t) : join(&PICK(i + 12)->pairs[i], t, r);
    }
    uint s = 0;
    for (uint i = 0; i < length(r); i++)
        s = s * 37 + byte_at(r, i);
    out[0] = plain(s);
    out[1] = plain(length(r));
}
