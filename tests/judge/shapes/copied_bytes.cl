// SPDX-License-Identifier: Apache-2.0
// Nodes are copied byte for byte by a function that knows only their size, as a generic container does; links are copied with them.
#include "storage.h"

struct entry {
    uint key;
    const uint *value;
};
struct memory {
    uint values[12];
    ulong vector[12 * 2];
};
struct vector {
    uchar *bytes;
    uint size, count;
};

NOINLINE void copy(uchar *to, const uchar *from, uint size)
{
    for (uint i = 0; i < size; i++)
        to[i] = from[i];
}

NOINLINE void append(struct vector *v, const void *element)
{
    copy(v->bytes + v->count++ * v->size, (const uchar *)element, v->size);
}

NOINLINE void swap(struct vector *v, uint a, uint b)
{
    uchar t[16];
    copy(t, v->bytes + a * v->size, v->size);
    copy(v->bytes + a * v->size, v->bytes + b * v->size, v->size);
    copy(v->bytes + b * v->size, t, v->size);
}

SHAPE(struct memory)
{
    struct vector v = {(uchar *)m0->vector, sizeof(struct entry), 0};
    for (uint i = 0; i < 12; i++) {
        PICK(i)->values[i] = in[i + 12];
        struct entry e = {in[i], &PICK(i)->values[i]};
        append(&v, &e);
    }
    for (uint i = 0; i < 12; i++)
        for (uint j = 0; j + 1 < 12 - i; j++)
            if (((struct entry *)v.bytes)[j].key > ((struct entry *)v.bytes)[j + 1].key) swap(&v, j, j + 1);
    for (uint i = 0; i < 12; i++) {
        struct entry e;
        copy((uchar *)&e, v.bytes + i * v.size, v.size);
        out[i] = plain(e.key ^ *e.value);
    }
}
