// SPDX-License-Identifier: Apache-2.0
// A stack machine whose cells are doubles: addresses of arrays are stored as the bits of a double.
#include "storage.h"

struct array {
    uint count;
    double numbers[4];
};
struct memory {
    struct array arrays[6];
    double stack[16];
};

double as_cell(const struct array *a)
{
    ulong bits = (ulong)a;
    return AS(double, bits);
}

NOINLINE const struct array *as_array(double cell)
{
    ulong bits = AS(ulong, cell);
    return (const struct array *)bits;
}

NOINLINE void sum(double *stack)
{
    const struct array *a = as_array(stack[0]);
    double s = 0;
    for (uint i = 0; i < a->count; i++)
        s += a->numbers[i];
    stack[0] = s;
}

NOINLINE void swap(double *stack)
{
    double t = stack[0];
    stack[0] = stack[1];
    stack[1] = t;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 6; i++) {
        struct array *a = &PICK(i)->arrays[i];
        a->count = i % 4 + 1;
        for (uint j = 0; j < a->count; j++)
            a->numbers[j] = (in[i] >> j) % 64 * 0.5;
        m0->stack[i] = as_cell(a);
    }
    for (uint i = 0; i < 5; i++)
        swap(m0->stack + i);
    for (uint i = 0; i < 6; i++) {
        sum(m0->stack + i);
        out[i] = plain((uint)(m0->stack[i] * 2));
    }
}
