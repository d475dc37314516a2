// SPDX-License-Identifier: Apache-2.0
// A log that contains addresses as hexadecimal text, written and parsed by the same kernel.
#include "storage.h"

struct memory {
    uint cells[8];
    uchar text[8 * 17];
};

NOINLINE uchar *print(uchar *at, ulong number)
{
    for (int shift = 60; shift >= 0; shift -= 4) {
        uint digit = number >> shift & 15;
        *at++ = (uchar)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    *at++ = '\n';
    return at;
}

NOINLINE ulong parse(const uchar *at)
{
    ulong number = 0;
    for (; *at != '\n'; at++)
        number = number << 4 | (ulong)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return number;
}

SHAPE(struct memory)
{
    uchar *at = m0->text;
    for (uint i = 0; i < 8; i++) {
        PICK(i)->cells[i] = in[i];
        at = print(at, (ulong)&PICK(i)->cells[i]);
    }
    for (uint i = 0; i < 8; i++)
        out[i] = plain(*(const uint *)parse(m0->text + 17 * i));
}
