// SPDX-License-Identifier: Apache-2.0
// Strings of up to seven bytes are stored in the word itself, whose lowest byte is twice the length plus 1; for longer strings the word is
// the address.
#include "storage.h"

struct text {
    uint length;
    uchar bytes[12];
};
struct memory {
    struct text texts[12];
    ulong strings[12];
};

NOINLINE ulong string(struct text *room, uint number, uint length)
{
    ulong w = (ulong)length << 1 | 1;
    if (length < 8) {
        for (uint i = 0; i < length; i++)
            w |= (ulong)('a' + (number >> 3 * i) % 8) << 8 * (i + 1);
        return w;
    }
    room->length = length;
    for (uint i = 0; i < length; i++)
        room->bytes[i] = 'a' + (number >> 2 * i) % 8;
    return (ulong)room;
}

NOINLINE uint length_of(ulong w)
{
    return w & 1 ? (uint)(w & 255) >> 1 : ((const struct text *)w)->length;
}

NOINLINE uchar byte_of(ulong w, uint i)
{
    return w & 1 ? (uchar)(w >> 8 * (i + 1)) : ((const struct text *)w)->bytes[i];
}

NOINLINE int compare(ulong a, ulong b)
{
    uint n = length_of(a), m = length_of(b);
    for (uint i = 0; i < n && i < m; i++)
        if (byte_of(a, i) != byte_of(b, i)) return byte_of(a, i) < byte_of(b, i) ? -1 : 1;
    return n < m ? -1 : n > m;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 12; i++)
        m0->strings[i] = string(&PICK(i)->texts[i], in[i], 4 + i * 5 % 9);
    for (uint i = 1; i < 12; i++)
        for (uint j = i; j && compare(m0->strings[j], m0->strings[j - 1]) < 0; j--) {
            ulong t = m0->strings[j];
            m0->strings[j] = m0->strings[j - 1];
            m0->strings[j - 1] = t;
        }
    for (uint i = 0; i < 12; i++) {
        uint s = 0;
        for (uint j = 0; j < length_of(m0->strings[i]); j++)
            s = s * 31 + byte_of(m0->strings[i], j);
        out[i] = plain(s);
    }
}
