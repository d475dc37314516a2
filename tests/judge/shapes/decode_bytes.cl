// SPDX-License-Identifier: Apache-2.0
// A program for a small virtual machine: opcodes of one byte, followed by the eight bytes of an address, from which it is assembled.
#include "storage.h"

struct memory {
    uint cells[8];
    uchar code[160];
};
enum { END, LOAD, ADD, STORE };

NOINLINE uchar *write(uchar *at, uchar opcode, const uint *cell)
{
    *at++ = opcode;
    for (uint i = 0; i < 8; i++)
        *at++ = (uchar)((ulong)cell >> 8 * i);
    return at;
}

NOINLINE uint *operand(const uchar *at)
{
    ulong address = 0;
    for (uint i = 8; i; i--)
        address = address << 8 | at[i - 1];
    return (uint *)address;
}

NOINLINE uint execute(const uchar *code)
{
    uint a = 0;
    for (; *code != END; code += 9) {
        uint *cell = operand(code + 1);
        if (*code == LOAD) a = *cell;
        if (*code == ADD) a += *cell;
        if (*code == STORE) *cell = a;
    }
    return a;
}

SHAPE(struct memory)
{
    uchar *at = m0->code;
    for (uint i = 0; i < 8; i++)
        PICK(i)->cells[i] = in[i];
    at = write(at, LOAD, &PICK(0)->cells[0]);
    for (uint i = 1; i < 8; i++) {
        at = write(at, ADD, &PICK(i)->cells[i]);
        at = write(at, STORE, &PICK(i)->cells[i]);
    }
    *at = END;
    out[0] = plain(execute(m0->code));
    for (uint i = 0; i < 8; i++)
        out[1 + i] = plain(PICK(i)->cells[i]);
}
