/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imports.c - functions without a body that compilers expect in the driver, looked up by name: LLVM's intrinsics, and
 * built-in functions of OpenCL C for which LLVM's SPIR-V writer has no instruction.
 */
#include "judge.h"

#include <string.h>

static const struct cell *argument(const struct item *item, const struct inst *in, uint32_t i)
{
    return value(item, operand(item, in, i + 1));
}

/* Returns the type of argument `i`; the words of a call are type, result, function, arguments. */
static const struct type *argument_type(const struct item *item, const struct inst *in, uint32_t i)
{
    return nfj_type(item->module, item->module->ids[item->module->words[in->word + 4 + i]].type);
}

static void move(struct item *item, const struct inst *in)
{
    const struct cell *size = argument(item, in, 2);
    if (size->undef)
        nfj_report(item, in, "the size is undefined");
    else
        nfj_copy(item, in, argument(item, in, 0), (enum space)argument_type(item, in, 0)->space, argument(item, in, 1),
                 (enum space)argument_type(item, in, 1)->space, size->bits);
}

static void set(struct item *item, const struct inst *in)
{
    const struct cell *byte = argument(item, in, 1), *size = argument(item, in, 2);
    uint64_t offset;
    struct object *o = nfj_access(item, in, argument(item, in, 0), (enum space)argument_type(item, in, 0)->space,
                                  size->bits, true, &offset);
    for (uint64_t i = 0; o && i < size->bits; i++)
        nfj_store_leaf(o, offset + i, 1, byte);
}

static uint64_t saturate(const char *name, unsigned bits, uint64_t x, uint64_t y)
{
    bool is_signed = name[0] == 's', sum = name[1] == 'a';
    uint64_t mask = mask_of(bits), r = (sum ? x + y : x - y) & mask, top = UINT64_C(1) << (bits - 1);
    if (!is_signed) return sum ? (r < x ? mask : r) : (x < y ? 0 : r);
    bool overflow = sum ? (~(x ^ y) & (x ^ r)) & top : ((x ^ y) & (x ^ r)) & top;
    return overflow ? (x & top ? top : top - 1) : r;
}

static void saturating(struct item *item, const struct inst *in, const char *name)
{
    const struct cell *a = argument(item, in, 0), *b = argument(item, in, 1);
    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t undef = a[i].undef | b[i].undef ? mask_of(in->bits) : 0;
        item->frame[in->dst + (int32_t)i] = (struct cell){saturate(name, in->bits, a[i].bits, b[i].bits), undef, 0, 0};
    }
}

static enum space class_of(const struct item *item, const struct inst *in)
{
    return (enum space)argument_type(item, in, 0)->space;
}

/* _Z25atomic_fetch_max_explicitPU3AS4VU7_Atomicii..., _Z9atom_xchgPU3AS3Vmm: an operation on (pointer, value). */
static bool atomic(struct item *item, const struct inst *in, const char *name)
{
    const char *of_atomic = strstr(name, "U7_Atomic");
    char letter = of_atomic ? of_atomic[9] : name[strlen(name) - 1];
    uint16_t op = 0;
    if (!strncmp(name, "_Z9atom_xchgP", 13)) op = SpvOpAtomicExchange;
    if (strstr(name, "atomic_fetch_max")) op = strchr("jm", letter) ? SpvOpAtomicUMax : SpvOpAtomicSMax;
    if (strstr(name, "atomic_fetch_min")) op = strchr("jm", letter) ? SpvOpAtomicUMin : SpvOpAtomicSMin;
    if (op) nfj_atomic_call(item, in, op, class_of(item, in), argument(item, in, 0), argument(item, in, 1));
    return op != 0;
}

static bool builtin(struct item *item, const struct inst *in, const char *name)
{
    enum { TO_FENCE = 8 }; /* CLK_LOCAL_MEM_FENCE, shifted, is WorkgroupMemory of Memory Semantics */
    if (!strncmp(name, "__to_", 5)) {
        nfj_cast_explicit(item, in, *argument(item, in, 0), class_of(item, in));
        return true;
    }
    if (strncmp(name, "_Z9get_fenceP", 13) != 0) return atomic(item, in, name);
    uint32_t fence = nfj_semantics(item, argument(item, in, 0), class_of(item, in)) >> TO_FENCE;
    item->frame[in->dst] = (struct cell){fence, 0, 0, 0};
    return true;
}

/* Executes the imported function `name`. @return false if it is unknown. */
bool nfj_imported(struct item *item, const struct inst *in, const char *name)
{
    if (strncmp(name, "llvm.", 5)) return builtin(item, in, name);
    name += 5;
    if (!strncmp(name, "memmove.", 8) || !strncmp(name, "memcpy.", 7))
        move(item, in);
    else if (!strncmp(name, "memset.", 7))
        set(item, in);
    else if (strchr("us", name[0]) && (!strncmp(name + 1, "add.sat.", 8) || !strncmp(name + 1, "sub.sat.", 8)))
        saturating(item, in, name);
    else
        return false;
    return true;
}
