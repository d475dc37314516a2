// SPDX-License-Identifier: Apache-2.0
// A stack of frames in an array of words, as machines have it: the first word of a frame is the address of the previous
// one, then follow the number of the frame's words, and the words. The program unwinds the stack along the addresses.
#include "storage.h"

struct memory {
    ulong stack[128];
};
struct machine {
    ulong *top, *frame;
};

NOINLINE void enter(struct machine *m, uint count)
{
    ulong *f = m->top;
    f[0] = (ulong)m->frame;
    f[1] = count;
    for (uint i = 0; i < count; i++)
        f[2 + i] = 0;
    m->frame = f;
    m->top = f + 2 + count;
}

NOINLINE void leave(struct machine *m)
{
    m->top = m->frame;
    m->frame = (ulong *)m->frame[0];
}

NOINLINE ulong *variable(const struct machine *m, uint depth, uint index)
{
    ulong *f = m->frame;
    while (depth--)
        f = (ulong *)f[0];
    return &f[2 + index % f[1]];
}

NOINLINE uint fibonacci(struct machine *m, uint n)
{
    enter(m, 2);
    *variable(m, 0, 0) = n;
    if (n > 1) {
        *variable(m, 0, 1) = fibonacci(m, n - 1);
        *variable(m, 0, 1) += fibonacci(m, (uint)*variable(m, 0, 0) - 2);
    } else {
        *variable(m, 0, 1) = n;
    }
    if (m->frame[0]) ++*variable(m, 1, 0), --*variable(m, 1, 0);
    uint result = (uint)*variable(m, 0, 1);
    leave(m);
    return result;
}

SHAPE(struct memory)
{
    struct machine m = {PICK(3)->stack, NULL};
    out[0] = plain(fibonacci(&m, in[0] % 3 + 7));
    out[1] = plain(m.top == PICK(3)->stack && !m.frame);
    enter(&m, 4);
    for (uint i = 0; i < 6; i++) {
        enter(&m, i % 3 + 1);
        *variable(&m, i / 2, i) += in[i];
        *variable(&m, i, i) ^= in[i + 6];
    }
    uint s = 0;
    for (; m.frame; leave(&m))
        for (uint i = 0; i < m.frame[1]; i++)
            s = s * 3 + (uint)m.frame[2 + i];
    out[2] = plain(s);
}
