/* SPDX-License-Identifier: Apache-2.0 */
/*
 * properties.c - properties that hold for every module, determined from its words.
 */
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "shape.h"

#define UNTYPED_POINTER 4417 /* OpTypeUntypedPointerKHR, which the headers of some distributions lack */
#define UNTYPED_VARIABLE 4418

/* Advances to the next instruction of a module. */
typedef struct cursor {
    words module;
    size_t at;
    const uint32_t *word;
    unsigned opcode, count;
} cursor;

static cursor start(words module)
{
    return (cursor){.module = module, .at = 5};
}

/* @return 0 at the end, or if an instruction is longer than the module. */
static int next(cursor *c)
{
    if (c->at >= c->module.count) return 0;
    c->word = c->module.data + c->at;
    c->opcode = c->word[0] & 0xffff;
    c->count = c->word[0] >> 16;
    if (c->count == 0 || c->at + c->count > c->module.count) return 0;
    c->at += c->count;
    return 1;
}

static int is_generic_operation(unsigned opcode)
{
    return opcode == SpvOpPtrCastToGeneric || opcode == SpvOpGenericCastToPtr ||
           opcode == SpvOpGenericCastToPtrExplicit || opcode == SpvOpGenericPtrMemSemantics;
}

static const char *what_is_generic(const cursor *c)
{
    const uint32_t *w = c->word;
    if (c->opcode == SpvOpCapability && w[1] == SpvCapabilityGenericPointer) return "the capability";
    if (c->opcode == SpvOpTypePointer && w[2] == SpvStorageClassGeneric) return "a pointer type";
    if (c->opcode == SpvOpTypeForwardPointer && w[2] == SpvStorageClassGeneric) return "a forward pointer type";
    if (c->opcode == UNTYPED_POINTER && w[2] == SpvStorageClassGeneric) return "an untyped pointer type";
    if (c->opcode == SpvOpVariable && w[3] == SpvStorageClassGeneric) return "a variable";
    if (c->opcode == UNTYPED_VARIABLE && w[3] == SpvStorageClassGeneric) return "an untyped variable";
    if (is_generic_operation(c->opcode)) return "an operation on generic pointers";
    if (c->opcode == SpvOpSpecConstantOp && is_generic_operation(w[3])) return "a constant operation";
    return NULL;
}

const char *find_generic(words module)
{
    for (cursor c = start(module); next(&c);) {
        const char *what = what_is_generic(&c);
        if (what) return what;
    }
    return NULL;
}

words swap_bytes(words module)
{
    words swapped = {malloc(module.count * 4 + 1), module.count};
    if (!swapped.data) abort();
    for (size_t i = 0; i < module.count; i++) {
        uint32_t w = module.data[i];
        swapped.data[i] = w >> 24 | (w >> 8 & 0xff00) | (w << 8 & 0xff0000) | w << 24;
    }
    return swapped;
}

/* @return the number of parameters of the function `id`. */
static int count_parameters(words module, uint32_t id)
{
    int inside = 0, count = 0;
    for (cursor c = start(module); next(&c);) {
        if (c.opcode == SpvOpFunction) inside = c.word[2] == id;
        count += inside && c.opcode == SpvOpFunctionParameter;
    }
    return count;
}

/* Advances to the next instruction whose effect a host program can observe. */
static int next_visible(cursor *c)
{
    while (next(c)) {
        if (c->opcode == SpvOpEntryPoint) return 1;
        if (c->opcode == SpvOpDecorate && c->word[2] == SpvDecorationSpecId) return 1;
    }
    return 0;
}

static void compare_entry_points(const cursor *a, const cursor *b)
{
    const char *name = (const char *)(a->word + 3);
    if (strcmp(name, (const char *)(b->word + 3)) != 0)
        shape_fail("kernel %s became %s", name, (const char *)(b->word + 3));
    int before = count_parameters(a->module, a->word[2]);
    int after = count_parameters(b->module, b->word[2]);
    if (before != after) shape_fail("kernel %s has %d parameters, had %d", name, after, before);
}

void check_interface(words before, words after)
{
    cursor a = start(before), b = start(after);
    for (;;) {
        int more = next_visible(&a);
        if (more != next_visible(&b)) {
            shape_fail("the number of kernels or of specialization ids changed");
            return;
        }
        if (!more) return;
        if (a.opcode != b.opcode) {
            shape_fail("kernels and specialization ids changed their order");
            return;
        }
        if (a.opcode == SpvOpEntryPoint) compare_entry_points(&a, &b);
        if (a.opcode == SpvOpDecorate && a.word[3] != b.word[3])
            shape_fail("SpecId %u became %u", a.word[3], b.word[3]);
    }
}
