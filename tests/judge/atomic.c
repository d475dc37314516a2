/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic.c - atomic instructions. Each atomic instruction is a load and a store, because one work-item runs at a time.
 * Atomics through a pointer of Function class are reported: no device supports them on private memory, so a module must
 * not contain them.
 */
#include "judge.h"

static void check_space(struct item *item, const struct inst *in)
{
    if (in->space == SPACE_PRIVATE) nfj_report(item, in, "an atomic on private memory");
}

/* Reads the old value to `*old`, and writes `store` unless that is NULL. @return false after a report that the pointer
 * reaches no such object. */
static bool swap(struct item *item, const struct inst *in, unsigned bits, const struct cell *pointer,
                 const struct cell *store, struct cell *old)
{
    uint64_t offset;
    uint32_t size = bits / 8;
    struct object *o = nfj_access(item, in, pointer, in->space, size, store != NULL, &offset);
    check_space(item, in);
    *old = (struct cell){0, mask_of(bits), 0, 0};
    if (!o) return false;
    if (pointer->bits % size)
        nfj_report(item, in, "address 0x%llx is not aligned to %u", (unsigned long long)pointer->bits, size);
    nfj_load_leaf(o, offset, size, old);
    if (store) nfj_store_leaf(o, offset, size, store);
    return true;
}

static void op_load(struct item *item, const struct inst *in)
{
    const struct cell pointer = *value(item, in->a);
    swap(item, in, in->bits, &pointer, NULL, item->frame + in->dst);
}

static void op_store(struct item *item, const struct inst *in)
{
    struct cell old;
    unsigned bits = nfj_type(item->module, in->type)->bits;
    swap(item, in, bits, value(item, in->a), value(item, operand(item, in, 3)), &old);
}

static void exchange(struct item *item, const struct inst *in, const struct cell *pointer, const struct cell *by)
{
    struct cell old;
    swap(item, in, in->bits, pointer, by, &old);
    item->frame[in->dst] = old;
}

static void op_exchange(struct item *item, const struct inst *in)
{
    exchange(item, in, value(item, in->a), value(item, operand(item, in, 3)));
}

static void op_compare_exchange(struct item *item, const struct inst *in)
{
    const struct cell *pointer = value(item, in->a);
    const struct cell *store = value(item, operand(item, in, 4)), *expected = value(item, operand(item, in, 5));
    struct cell old, ignored;
    if (swap(item, in, in->bits, pointer, NULL, &old) && !old.undef && old.bits == expected->bits)
        swap(item, in, in->bits, pointer, store, &ignored);
    item->frame[in->dst] = old;
}

static uint16_t plain(uint16_t op)
{
    switch (op) {
    case SpvOpAtomicIAdd:
    case SpvOpAtomicIIncrement: return SpvOpIAdd;
    case SpvOpAtomicISub:
    case SpvOpAtomicIDecrement: return SpvOpISub;
    case SpvOpAtomicAnd: return SpvOpBitwiseAnd;
    case SpvOpAtomicOr: return SpvOpBitwiseOr;
    case SpvOpAtomicXor: return SpvOpBitwiseXor;
    case SpvOpAtomicFAddEXT: return SpvOpFAdd;
    default: return op;
    }
}

static void update(struct item *item, const struct inst *in, const struct cell *pointer, const struct cell *by)
{
    struct cell old, now, ignored;
    if (swap(item, in, in->bits, pointer, NULL, &old)) {
        nfj_join(&now, &old, by);
        now.bits = nfj_operate(plain(in->op), in->bits, old.bits, by->bits);
        now.undef = now.undef ? mask_of(in->bits) : 0;
        swap(item, in, in->bits, pointer, &now, &ignored);
    }
    item->frame[in->dst] = old;
}

static void op_update(struct item *item, const struct inst *in)
{
    const struct cell one = {1, 0, 0, 0};
    update(item, in, value(item, in->a), in->nops > 3 ? value(item, operand(item, in, 3)) : &one);
}

void nfj_atomic_call(struct item *item, const struct inst *in, uint16_t op, enum space space,
                     const struct cell *pointer, const struct cell *by)
{
    struct inst as = *in;
    as.op = op;
    as.space = space;
    if (op == SpvOpAtomicExchange)
        exchange(item, &as, pointer, by);
    else
        update(item, &as, pointer, by);
}

static void op_flag_set(struct item *item, const struct inst *in)
{
    const struct cell *pointer = value(item, in->a), set = {1, 0, 0, 0};
    struct cell old;
    swap(item, in, 32, pointer, &set, &old);
    item->frame[in->dst] = (struct cell){old.bits != 0, old.undef != 0, 0, 0};
}

static void op_flag_clear(struct item *item, const struct inst *in)
{
    const struct cell clear = {0, 0, 0, 0};
    struct cell old;
    swap(item, in, 32, value(item, in->a), &clear, &old);
}

const struct opinfo nfj_atomic_ops[] = {
    {SpvOpAtomicLoad, "v", op_load},
    {SpvOpAtomicStore, "v", op_store},
    {SpvOpAtomicExchange, "v", op_exchange},
    {SpvOpAtomicCompareExchange, "v", op_compare_exchange},
    {SpvOpAtomicCompareExchangeWeak, "v", op_compare_exchange},
    {SpvOpAtomicIIncrement, "v", op_update},
    {SpvOpAtomicIDecrement, "v", op_update},
    {SpvOpAtomicIAdd, "v", op_update},
    {SpvOpAtomicISub, "v", op_update},
    {SpvOpAtomicSMin, "v", op_update},
    {SpvOpAtomicUMin, "v", op_update},
    {SpvOpAtomicSMax, "v", op_update},
    {SpvOpAtomicUMax, "v", op_update},
    {SpvOpAtomicAnd, "v", op_update},
    {SpvOpAtomicOr, "v", op_update},
    {SpvOpAtomicXor, "v", op_update},
    {SpvOpAtomicFAddEXT, "v", op_update},
    {5614, "v", op_update}, /* OpAtomicFMinEXT */
    {5615, "v", op_update}, /* OpAtomicFMaxEXT */
    {SpvOpAtomicFlagTestAndSet, "v", op_flag_set},
    {SpvOpAtomicFlagClear, "v", op_flag_clear},
    {0, NULL, NULL},
};
