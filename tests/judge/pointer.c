/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer.c - instructions that make, convert and compare pointers. Pointers of concrete classes hold numeric
 * addresses, generic ones flat addresses; the conversions between them are those of flat hardware.
 */
#include "judge.h"

static void op_chain(struct item *item, const struct inst *in)
{
    const struct module *m = item->module;
    const int32_t *pool = m->pool.at + in->ops;
    struct cell r = *value(item, in->a);
    uint64_t mask = mask_of(m->address_bits);
    if (in->n != 1) nfj_unknown(item, in);
    r.bits += (uint32_t)pool[1] | (uint64_t)(uint32_t)pool[2] << 32;
    for (int32_t i = 0; i < pool[3]; i++) {
        const int32_t *of = pool + 4 + 3 * i;
        const struct cell *index = value(item, of[0]);
        r.bits += (uint64_t)sign_extend(index->bits, (unsigned)of[2]) * (uint32_t)of[1];
        if (index->undef) r.undef = mask;
    }
    r.bits &= mask;
    item->frame[in->dst] = r;
}

static struct cell to_generic(const struct item *item, struct cell from, enum space space)
{
    if (space == SPACE_GENERIC) return from;
    if (from.bits == nfj_null(item->judge, space))
        from.bits = 0;
    else
        from.bits += nfj_flat_base(item->module, space);
    return from;
}

static struct cell from_generic(const struct item *item, struct cell from, enum space space)
{
    if (space == SPACE_GENERIC) return from;
    if (from.bits == 0)
        from.bits = nfj_null(item->judge, space);
    else
        from.bits = (from.bits - nfj_flat_base(item->module, space)) & mask_of(item->module->address_bits);
    return from;
}

static void op_cast_to_generic(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    for (uint32_t i = 0; i < in->n; i++)
        item->frame[in->dst + (int32_t)i] = to_generic(item, a[i], in->space);
}

static void op_generic_cast(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    enum space space = nfj_type(item->module, in->type)->space;
    for (uint32_t i = 0; i < in->n; i++)
        item->frame[in->dst + (int32_t)i] = from_generic(item, a[i], space);
}

static enum space space_of(const struct item *item, const struct cell *pointer)
{
    if (pointer->prov && pointer->prov != PROV_MIXED) return item->judge->objects.at[PROV_INDEX(pointer->prov)].space;
    return nfj_flat_space(item->module, pointer->bits);
}

/* Returns the converted pointer; null if the pointer, which has the class `from`, is not in the result's space. */
void nfj_cast_explicit(struct item *item, const struct inst *in, struct cell r, enum space from)
{
    enum space space = (enum space)nfj_type(item->module, in->type)->space;
    if (r.undef) nfj_report(item, in, "the space of an undefined pointer is asked for");
    if (r.bits && (from == SPACE_GENERIC ? space_of(item, &r) : from) == space)
        r = from == SPACE_GENERIC ? from_generic(item, r, space) : r;
    else
        r = (struct cell){nfj_null(item->judge, space), 0, 0, 0};
    item->frame[in->dst] = r;
}

static void op_cast_explicit(struct item *item, const struct inst *in)
{
    nfj_cast_explicit(item, in, *value(item, in->a), in->space);
}

/* Returns the bit of Memory Semantics for the memory to which the pointer, of storage class `from`, points. */
uint32_t nfj_semantics(const struct item *item, const struct cell *pointer, enum space from)
{
    enum space space = from == SPACE_GENERIC ? space_of(item, pointer) : from;
    if (space == SPACE_LOCAL) return SpvMemorySemanticsWorkgroupMemoryMask;
    if (space == SPACE_PRIVATE) return SpvMemorySemanticsSubgroupMemoryMask;
    return SpvMemorySemanticsCrossWorkgroupMemoryMask;
}

static void op_semantics(struct item *item, const struct inst *in)
{
    item->frame[in->dst] = (struct cell){nfj_semantics(item, value(item, in->a), in->space), 0, 0, 0};
}

/* Conversions to and from integers leave the bits unchanged, as hardware does. */
static void op_pointer_to_integer(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a);
    uint64_t mask = mask_of(in->bits);
    for (uint32_t i = 0; i < in->n; i++)
        item->frame[in->dst + (int32_t)i] = (struct cell){a[i].bits & mask, a[i].undef & mask, a[i].prov, 0};
}

static void op_compare(struct item *item, const struct inst *in)
{
    const struct cell *a = value(item, in->a), *b = value(item, in->b);
    for (uint32_t i = 0; i < in->n; i++) {
        bool equal = a[i].bits == b[i].bits;
        struct cell r = {(in->op == SpvOpPtrEqual) == equal, (a[i].undef | b[i].undef) != 0, 0, 0};
        item->frame[in->dst + (int32_t)i] = r;
    }
}

static void op_difference(struct item *item, const struct inst *in)
{
    const struct module *m = item->module;
    const struct cell *a = value(item, in->a), *b = value(item, in->b);
    const struct type *pointer = nfj_type(m, m->ids[m->words[in->word + 3]].type);
    int64_t size = pointer->element ? (int64_t)nfj_type(m, pointer->element)->size : 1;
    int64_t distance = sign_extend(a->bits - b->bits, m->address_bits);
    uint64_t mask = mask_of(in->bits);
    if (a->prov && b->prov && a->prov != b->prov) nfj_report(item, in, "the operands point into different objects");
    item->frame[in->dst] =
        (struct cell){(uint64_t)(distance / (size ? size : 1)) & mask, (a->undef | b->undef) ? mask : 0, 0, 0};
}

const struct opinfo nfj_pointer_ops[] = {
    {SpvOpAccessChain, "v", op_chain},
    {SpvOpInBoundsAccessChain, "v", op_chain},
    {SpvOpPtrAccessChain, "v", op_chain},
    {SpvOpInBoundsPtrAccessChain, "v", op_chain},
    {4419, "lv", op_chain}, /* untyped access chains */
    {4420, "lv", op_chain},
    {4423, "lv", op_chain},
    {4424, "lv", op_chain},
    {SpvOpPtrCastToGeneric, "v", op_cast_to_generic},
    {SpvOpGenericCastToPtr, "v", op_generic_cast},
    {SpvOpGenericCastToPtrExplicit, "vl", op_cast_explicit},
    {SpvOpGenericPtrMemSemantics, "v", op_semantics},
    {SpvOpConvertPtrToU, "v", op_pointer_to_integer},
    {SpvOpConvertUToPtr, "v", op_pointer_to_integer},
    {SpvOpPtrEqual, "v", op_compare},
    {SpvOpPtrNotEqual, "v", op_compare},
    {SpvOpPtrDiff, "v", op_difference},
    {0, NULL, NULL},
};
