// SPDX-License-Identifier: Apache-2.0
// Records without padding: a 16-bit kind, and an address in three further 16-bit members.
#include "storage.h"

struct shape {
    uint a, b;
};
struct record {
    ushort kind;
    ushort address[3];
};
struct memory {
    struct shape shapes[12];
    struct record records[12];
};

NOINLINE void set(struct record *r, const struct shape *s, uint kind)
{
    r->kind = (ushort)kind;
    for (uint i = 0; i < 3; i++)
        r->address[i] = (ushort)((ulong)s >> 16 * i);
}

NOINLINE struct shape *get(const struct record *r)
{
    ulong w = 0;
    for (uint i = 3; i; i--)
        w = w << 16 | r->address[i - 1];
    return (struct shape *)w;
}

NOINLINE uint area(const struct record *r)
{
    const struct shape *s = get(r);
    return r->kind & 1 ? s->a * s->b : s->a + s->b * r->kind;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 12; i++) {
        PICK(i)->shapes[i].a = in[i];
        PICK(i)->shapes[i].b = in[i + 12];
        set(&m0->records[i * 5 % 12], &PICK(i)->shapes[i], in[i] >> 5);
    }
    for (uint i = 0; i < 12; i++)
        out[i] = plain(area(&m0->records[i]));
}
