/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access.c - instructions that access memory, create variables, or begin and end their lifetimes.
 */
#include "judge.h"

#include <string.h>

/* Reports an access whose address contradicts its `Aligned` operand, which is a promise of the module. */
static void check_aligned(struct item *item, const struct inst *in, const struct cell *pointer, uint32_t at)
{
    if (in->nops < at + 2u || !(operand(item, in, at) & SpvMemoryAccessAlignedMask)) return;
    uint64_t align = (uint32_t)operand(item, in, at + 1);
    if (align && pointer->bits % align)
        nfj_report(item, in, "address 0x%llx is not aligned to %llu", (unsigned long long)pointer->bits,
                   (unsigned long long)align);
}

static void op_load(struct item *item, const struct inst *in)
{
    const struct cell pointer = *value(item, in->a);
    nfj_load(item, in, &pointer, in->space, in->type, item->frame + in->dst);
    check_aligned(item, in, &pointer, 1);
}

static void op_store(struct item *item, const struct inst *in)
{
    const struct cell *pointer = value(item, in->a);
    nfj_store(item, in, pointer, in->space, in->type, value(item, in->b));
    check_aligned(item, in, pointer, 2);
}

static const struct type *pointer_type(const struct item *item, uint32_t id)
{
    return nfj_type(item->module, item->module->ids[id].type);
}

static void op_copy_memory(struct item *item, const struct inst *in)
{
    const uint32_t *w = item->module->words + in->word;
    const struct type *to = pointer_type(item, w[1]), *from = pointer_type(item, w[2]);
    uint64_t size;
    if (in->op == SpvOpCopyMemorySized) {
        const struct cell *count = value(item, in->c);
        if (count->undef) {
            nfj_report(item, in, "the size is undefined");
            return;
        }
        size = count->bits;
    } else {
        size = nfj_type(item->module, to->element ? to->element : from->element)->size;
    }
    nfj_copy(item, in, value(item, in->a), to->space, value(item, in->b), from->space, size);
}

static void op_variable(struct item *item, const struct inst *in)
{
    struct module *m = item->module;
    const uint32_t *w = m->words + in->word;
    bool untyped = in->op != SpvOpVariable;
    struct type *type = m->types[untyped ? w[4] : nfj_type(m, in->type)->element];
    uint32_t length = w[0] >> 16, initializer = untyped ? (length > 5 ? w[5] : 0) : (length > 4 ? w[4] : 0);
    uint64_t align = type->align > m->ids[w[2]].alignment ? type->align : m->ids[w[2]].alignment;
    uint32_t number = nfj_push_variable(item, type->size, align, m->ids[w[2]].name);
    struct object *o = &item->judge->objects.at[number];
    item->frame[in->dst] = nfj_pointer_to(item->judge, number, SPACE_PRIVATE);
    if (!initializer) return;
    const struct cell *from = value(item, m->ids[initializer].ref);
    const struct leaf *leaves = nfj_leaves(m, type);
    for (uint32_t i = 0; i < type->cells; i++)
        nfj_store_leaf(o, leaves[i].offset, leaves[i].size, &from[i]);
}

static void op_variable_length_array(struct item *item, const struct inst *in)
{
    const struct type *type = nfj_type(item->module, nfj_type(item->module, in->type)->element);
    uint64_t count = value(item, in->a)->bits;
    uint32_t number = nfj_push_variable(item, type->size * count, type->align, NULL);
    item->frame[in->dst] = nfj_pointer_to(item->judge, number, SPACE_PRIVATE);
}

/* Makes the contents of an object undefined, as they are before OpLifetimeStart and after OpLifetimeStop. */
static void op_lifetime(struct item *item, const struct inst *in)
{
    const struct cell *pointer = value(item, in->a);
    uint64_t offset;
    struct object *o = nfj_access(item, in, pointer, in->space, 0, true, &offset);
    if (o) nfj_set_undefined(o, offset, o->size - offset);
}

static void op_nothing(struct item *item, const struct inst *in)
{
    (void)item;
    (void)in;
}

const struct opinfo nfj_memory_ops[] = {
    {SpvOpLoad, "vl", op_load},
    {SpvOpStore, "vvl", op_store},
    {SpvOpCopyMemory, "vvl", op_copy_memory},
    {SpvOpCopyMemorySized, "vvvl", op_copy_memory},
    {SpvOpVariable, "l", op_variable},
    {4418, "l", op_variable}, /* OpUntypedVariableKHR */
    {SpvOpVariableLengthArrayINTEL, "v", op_variable_length_array},
    {SpvOpLifetimeStart, "vl", op_lifetime},
    {SpvOpLifetimeStop, "vl", op_lifetime},
    {SpvOpMemoryBarrier, "v", op_nothing},
    {4425, "v", op_nothing}, /* OpUntypedPrefetchKHR */
    {0, NULL, NULL},
};
