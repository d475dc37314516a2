// SPDX-License-Identifier: Apache-2.0
// A function returns an address, or a negative error number as an address, as in Linux: the last 4095 addresses are invalid.
#include "storage.h"

struct file {
    uint name, size;
};
struct memory {
    struct file files[12];
    struct file *directory[16];
};
enum { MISSING = 2, BUSY = 16, TOO_LARGE = 27 };

struct file *error(int number)
{
    return (struct file *)-(long)number;
}

bool is_error(const struct file *f)
{
    return (ulong)f >= -4095ul;
}

NOINLINE struct file *open(struct file *const *directory, uint name)
{
    struct file *f = directory[name % 16];
    if (!f) return error(MISSING);
    if (f->name != name) return error(BUSY);
    return f->size > 900 ? error(TOO_LARGE) : f;
}

NOINLINE uint size_of_all(struct file *const *directory, const uint *names, uint count)
{
    uint s = 0;
    for (uint i = 0; i < count; i++) {
        struct file *f = open(directory, names[i]);
        s = s * 3 + (is_error(f) ? (uint)-(long)f * 1000 : f->size);
    }
    return s;
}

SHAPE(struct memory)
{
    uint names[24];
    for (uint i = 0; i < 16; i++)
        m0->directory[i] = NULL;
    for (uint i = 0; i < 12; i++) {
        struct file *f = &PICK(i)->files[i];
        f->name = in[i];
        f->size = in[i] / 64 % 1000;
        if (!m0->directory[f->name % 16]) m0->directory[f->name % 16] = f;
    }
    for (uint i = 0; i < 24; i++)
        names[i] = in[i * 2 / 3];
    out[0] = plain(size_of_all(m0->directory, names, 24));
}
