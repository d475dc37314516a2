// SPDX-License-Identifier: Apache-2.0
// NaN boxing: values of a dynamic language are doubles, or in the bits of a NaN a 48-bit address, an integer or nothing.
#include "storage.h"

typedef ulong value;
struct pair {
    value first, second;
};
struct memory {
    struct pair pairs[16];
};
#define OBJECT 0xfffc000000000000ul
#define INTEGER 0xfffd000000000000ul
#define NOTHING 0xfffe000000000000ul
#define KIND 0xffff000000000000ul

bool is_object(value v)
{
    return (v & KIND) == OBJECT;
}

NOINLINE value object(struct pair *p)
{
    return OBJECT | (ulong)p;
}

NOINLINE struct pair *pair_of(value v)
{
    return (struct pair *)(v & ~KIND);
}

value real(double d)
{
    return AS(ulong, d);
}

NOINLINE double total(value v)
{
    double s = 0;
    while (is_object(v)) {
        value first = pair_of(v)->first;
        if ((first & KIND) == INTEGER)
            s += (double)(uint)first;
        else if (is_object(first))
            s += total(first);
        else
            s += AS(double, first);
        v = pair_of(v)->second;
    }
    return s;
}

SHAPE(struct memory)
{
    value list = NOTHING;
    for (uint i = 0; i < 16; i++) {
        struct pair *p = &PICK(i)->pairs[i];
        p->first = i % 3 == 0 ? INTEGER | in[i] % 1000 : i == 8 ? list : real(i * 0.25);
        p->second = i == 8 ? NOTHING : list;
        list = object(p);
    }
    out[0] = plain((uint)(total(list) * 4));
}
