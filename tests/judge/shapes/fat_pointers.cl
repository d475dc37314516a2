// SPDX-License-Identifier: Apache-2.0
// Fat pointers: an address and the number of bytes of the object on either side of it; every access is checked.
#include "storage.h"

struct fat {
    ulong at;
    uint before, behind; /* number of the object's bytes before `at`, and from it on */
};
struct memory {
    uint arrays[4][10];
    struct fat pointers[4];
};

struct fat fat(const uint *first, uint count)
{
    struct fat f = {(ulong)first, 0, count * 4};
    return f;
}

NOINLINE struct fat moved(struct fat f, int elements)
{
    f.at += (ulong)(long)elements * 4;
    f.before += elements * 4;
    f.behind -= elements * 4;
    return f;
}

NOINLINE uint load(struct fat f, uint *faults)
{
    if ((int)f.before >= 0 && (int)f.behind >= 4) return *(const uint *)f.at;
    ++*faults;
    return 0;
}

NOINLINE uint sum_around(const struct fat *f, int radius, uint *faults)
{
    uint s = 0;
    for (int i = -radius; i <= radius; i++)
        s = s * 3 + load(moved(*f, i), faults);
    return s;
}

SHAPE(struct memory)
{
    uint faults = 0;
    for (uint i = 0; i < 4; i++) {
        for (uint j = 0; j < 10; j++)
            PICK(i)->arrays[i][j] = in[i * 10 + j];
        m0->pointers[i] = moved(fat(PICK(i)->arrays[i], 10), i * 2);
    }
    for (uint i = 0; i < 4; i++)
        out[i] = plain(sum_around(&m0->pointers[i], 5, &faults));
    out[4] = plain(faults);
}
