/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ext.c - the OpenCL extended instruction set: calls the file that implements an instruction; implements the
 * instructions that only move components. Operands begin at number 2, after the set and the number of the instruction.
 */
#include "ext.h"

#include <string.h>

static void op_shuffle(struct item *item, const struct inst *in, uint32_t number)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *a = ext_value(item, in, 0);
    const struct cell *b = number == OpenCLstd_Shuffle2 ? ext_value(item, in, 1) : a;
    const struct cell *mask = ext_value(item, in, number == OpenCLstd_Shuffle2 ? 2 : 1);
    uint64_t n = ext_type(item, in, 0)->cells, all = number == OpenCLstd_Shuffle2 ? 2 * n : n;
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t index = mask[i].bits & (all - 1);
        to[i] = index < n ? a[index] : b[index - n];
        if (mask[i].undef) to[i].undef = mask_of(in->bits);
    }
}

static void op_bitselect(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *a = ext_value(item, in, 0), *b = ext_value(item, in, 1), *c = ext_value(item, in, 2);
    for (uint32_t i = 0; i < in->n; i++) {
        struct cell r;
        nfj_join(&r, &a[i], &b[i]);
        r.bits = (a[i].bits & ~c[i].bits) | (b[i].bits & c[i].bits);
        r.undef = (a[i].undef & ~c[i].bits) | (b[i].undef & c[i].bits) | c[i].undef;
        r.spare = 0;
        to[i] = r;
    }
}

/* A vector's component is selected by its top bit, a scalar by any bit. */
static void op_select(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *a = ext_value(item, in, 0), *b = ext_value(item, in, 1), *c = ext_value(item, in, 2);
    const struct type *type = ext_type(item, in, 2);
    bool vector = type->op == SpvOpTypeVector;
    for (uint32_t i = 0; i < in->n; i++) {
        bool second = vector ? c[i].bits >> (type->bits - 1) & 1 : c[i].bits != 0;
        to[i] = second ? b[i] : a[i];
        if (c[i].undef) to[i].undef = mask_of(in->bits);
    }
}

static void op_ext(struct item *item, const struct inst *in)
{
    uint32_t number = (uint32_t)in->b;
    if ((uint32_t)in->a != item->module->opencl_std)
        nfj_cannot(item->module, "an instruction of another set at word %u", in->word);
    switch (number) {
    case OpenCLstd_Shuffle:
    case OpenCLstd_Shuffle2: op_shuffle(item, in, number); return;
    case OpenCLstd_Bitselect: op_bitselect(item, in); return;
    case OpenCLstd_Select: op_select(item, in); return;
    case OpenCLstd_Prefetch: return;
    case OpenCLstd_Printf: nfj_printf(item, in); return;
    default: break;
    }
    if (!nfj_ext_memory(item, in, number) && !nfj_ext_integer(item, in, number) && !nfj_ext_math(item, in, number))
        nfj_cannot(item->module, "OpenCL.std %u at word %u", number, in->word);
}

const struct opinfo nfj_ext_ops[] = {
    {SpvOpExtInst, "llv", op_ext},
    {0, NULL, NULL},
};
