// SPDX-License-Identifier: Apache-2.0
// An object store: a reference is the number of an object, shifted left past a bit that is set, until it is first followed; then it is the
// address.
#include "storage.h"

struct object {
    ulong reference[2];
    uint key;
};
struct memory {
    struct object objects[16];
    ulong loaded[16];
};

NOINLINE struct object *follow(ulong *reference, const ulong *loaded)
{
    if (*reference & 1) *reference = loaded[*reference >> 1];
    return (struct object *)*reference;
}

NOINLINE uint walk(struct object *o, const ulong *loaded, uint path)
{
    uint s = 0;
    for (; path > 1; path >>= 1) {
        s = s * 3 + o->key;
        o = follow(&o->reference[path & 1], loaded);
    }
    return s;
}

NOINLINE uint swizzled(const struct object *o)
{
    return !(o->reference[0] & 1) + !(o->reference[1] & 1);
}

SHAPE(struct memory)
{
    uint count = 0;
    for (uint i = 0; i < 16; i++) {
        struct object *o = &PICK(i)->objects[i];
        o->reference[0] = (ulong)(in[i] % 16) << 1 | 1;
        o->reference[1] = (ulong)(in[i] / 16 % 16) << 1 | 1;
        o->key = in[i + 16];
        m0->loaded[i] = (ulong)o;
    }
    for (uint i = 0; i < 8; i++)
        out[i] = plain(walk((struct object *)m0->loaded[i], m0->loaded, in[i + 20] % 64 + 64));
    for (uint i = 0; i < 16; i++)
        count += swizzled((struct object *)m0->loaded[i]);
    out[8] = plain(count);
}
