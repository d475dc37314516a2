/* SPDX-License-Identifier: Apache-2.0 */
/*
 * idle.c - makes the idle copy of a module: its kernels are compiled as a whole, but return at once if they are
 * launched in three dimensions, as the trial launches them. So the trial observes the compilation of a driver that
 * compiles at the launch, and does not execute the kernel, for which it has no meaningful arguments (argument_memory()
 * in build.c describes an exception). Takes the words of a module; gives the words of the copy. Touches nothing else.
 *
 *     %f = OpFunction ...              %f = OpFunction ...
 *     %a = OpLabel                     %new = OpLabel
 *     %v = OpVariable ...       ->     %v = OpVariable ...
 *          ...                         %d = OpLoad %uint %WorkDim
 *                                      %c = OpIEqual %bool %d %three
 *                                           OpBranchConditional %c %end %a
 *                                      %end = OpLabel
 *                                           OpReturn
 *                                      %a = OpLabel
 *                                           ...
 *
 * %three is NF_TRY_IDLE_DIMENSIONS.
 *
 * Hazard: types must be unique, so the module's own types are used. %a keeps its name, because phis refer to it.
 */
#include "layer/build_test/build_test.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, BOUND = 3, MAGIC = 0x07230203 };
enum {
    OP_ENTRY_POINT = 15,
    OP_TYPE_VOID = 19,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FORWARD_POINTER = 39,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_DECORATE = 71,
    OP_GROUP_MEMBER_DECORATE = 75,
    OP_IEQUAL = 170,
    OP_LABEL = 248,
    OP_BRANCH_CONDITIONAL = 250,
    OP_RETURN = 253,
    OP_LINE = 8,
    OP_NO_LINE = 317
};
enum { KERNEL = 6, STORAGE_INPUT = 1, BUILTIN = 11, WORK_DIM = 30 };

/* The copy under construction. `boolean`, `integer` and `pointer` are ids of types that the module has, or else of new
 * types. */
struct copy {
    uint32_t *words;
    size_t count;
    uint32_t boolean, integer, pointer, variable, three, next;
    bool has_boolean, has_integer, has_pointer, decorated, declared;
    uint32_t *kernels;
    size_t kernel_count;
};

/* One instruction of the module. */
struct instruction {
    const uint32_t *words;
    uint32_t opcode, count;
};

static bool next_instruction(const uint32_t *words, size_t count, size_t *at, struct instruction *found)
{
    if (*at >= count) return false;
    *found = (struct instruction){words + *at, words[*at] & 0xffff, words[*at] >> 16};
    if (found->count == 0 || found->count > count - *at) return false;
    *at += found->count;
    return true;
}

static void put(struct copy *copy, const uint32_t *words, size_t count)
{
    memcpy(copy->words + copy->count, words, count * sizeof *words);
    copy->count += count;
}

#define PUT(copy, opcode, ...)                                                                                         \
    do {                                                                                                               \
        const uint32_t operands[] = {0, __VA_ARGS__};                                                                  \
        put_instruction(copy, opcode, operands, sizeof operands / sizeof *operands);                                   \
    } while (0)

static void put_instruction(struct copy *copy, uint32_t opcode, const uint32_t *words, size_t count)
{
    const size_t at = copy->count;
    put(copy, words, count);
    copy->words[at] = (uint32_t)count << 16 | opcode;
}

/* ---- declarations of the module ---------------------------------------------------------------------------------- */

static void take_id(uint32_t *id, bool *has, uint32_t found)
{
    *id = found;
    *has = true;
}

static void note_declaration(struct copy *copy, const struct instruction *i)
{
    const uint32_t *w = i->words;
    if (i->opcode == OP_TYPE_BOOL && i->count == 2) take_id(&copy->boolean, &copy->has_boolean, w[1]);
    if (i->opcode == OP_TYPE_INT && i->count == 4 && w[2] == 32) take_id(&copy->integer, &copy->has_integer, w[1]);
    if (i->opcode == OP_TYPE_POINTER && i->count == 4 && w[2] == STORAGE_INPUT && copy->has_integer &&
        w[3] == copy->integer)
        take_id(&copy->pointer, &copy->has_pointer, w[1]);
    if (i->opcode == OP_ENTRY_POINT && i->count > 3 && w[1] == KERNEL) copy->kernels[copy->kernel_count++] = w[2];
}

static bool collect_declarations(struct copy *copy, const uint32_t *words, size_t count)
{
    struct instruction i = {NULL, 0, 0};
    size_t at = HEADER;
    copy->next = words[BOUND];
    while (next_instruction(words, count, &at, &i))
        note_declaration(copy, &i);
    if (!copy->has_boolean) copy->boolean = copy->next++;
    if (!copy->has_integer) copy->integer = copy->next++;
    if (!copy->has_pointer) copy->pointer = copy->next++;
    copy->variable = copy->next++;
    copy->three = copy->next++;
    return at == count && copy->kernel_count > 0;
}

/* ---- creation of the idle copy ----------------------------------------------------------------------------------- */

static bool is_annotation_or_type(uint32_t opcode)
{
    return (opcode >= OP_DECORATE && opcode <= OP_GROUP_MEMBER_DECORATE) ||
           (opcode >= OP_TYPE_VOID && opcode <= OP_TYPE_FORWARD_POINTER);
}

static void declare(struct copy *copy)
{
    if (!copy->has_boolean) PUT(copy, OP_TYPE_BOOL, copy->boolean);
    if (!copy->has_integer) PUT(copy, OP_TYPE_INT, copy->integer, 32, 0);
    if (!copy->has_pointer) PUT(copy, OP_TYPE_POINTER, copy->pointer, STORAGE_INPUT, copy->integer);
    PUT(copy, OP_CONSTANT, copy->integer, copy->three, NF_TRY_IDLE_DIMENSIONS);
    PUT(copy, OP_VARIABLE, copy->pointer, copy->variable, STORAGE_INPUT);
}

/* Copies an instruction. Also writes the decoration of the variable WorkDim before the first annotation or type, and
 * the variable itself before the first function; adds the variable to the interface of an entry point. */
static void copy_global(struct copy *copy, const struct instruction *i)
{
    const size_t at = copy->count;
    if (!copy->decorated && is_annotation_or_type(i->opcode)) {
        PUT(copy, OP_DECORATE, copy->variable, BUILTIN, WORK_DIM);
        copy->decorated = true;
    }
    if (!copy->declared && i->opcode == OP_FUNCTION) {
        declare(copy);
        copy->declared = true;
    }
    put(copy, i->words, i->count);
    if (i->opcode != OP_ENTRY_POINT) return;
    put(copy, &copy->variable, 1);
    copy->words[at] += 1u << 16;
}

static bool is_kernel(const struct copy *copy, uint32_t function)
{
    for (size_t i = 0; i < copy->kernel_count; i++)
        if (copy->kernels[i] == function) return true;
    return false;
}

/* Writes the return after the first block's variables; the block's other instructions become the second block
 * `label`. */
static void put_return(struct copy *copy, uint32_t label)
{
    const uint32_t loaded = copy->next++, equal = copy->next++, end = copy->next++;
    PUT(copy, OP_LOAD, copy->integer, loaded, copy->variable);
    PUT(copy, OP_IEQUAL, copy->boolean, equal, loaded, copy->three);
    PUT(copy, OP_BRANCH_CONDITIONAL, equal, end, label);
    PUT(copy, OP_LABEL, end);
    put_instruction(copy, OP_RETURN, (const uint32_t[]){0}, 1);
    PUT(copy, OP_LABEL, label);
}

static void copy_all(struct copy *copy, const uint32_t *words, size_t count)
{
    struct instruction i;
    size_t at = HEADER;
    uint32_t label = 0;
    bool begins = false; /* true between a kernel's OpFunction and its first label */
    put(copy, words, HEADER);
    while (next_instruction(words, count, &at, &i)) {
        bool variable = i.opcode == OP_VARIABLE || i.opcode == OP_LINE || i.opcode == OP_NO_LINE;
        if (label && !variable) {
            put_return(copy, label);
            label = 0;
        }
        if (i.opcode == OP_FUNCTION) begins = i.count == 5 && is_kernel(copy, i.words[2]);
        if (begins && i.opcode == OP_LABEL) {
            label = i.words[1];
            begins = false;
            PUT(copy, OP_LABEL, copy->next++);
        } else {
            copy_global(copy, &i);
        }
    }
    copy->words[BOUND] = copy->next;
}

/* Returns an upper bound on the number of words that the copy adds to a module of `count` words. */
static size_t growth(size_t count)
{
    enum { DECLARED = 32, EACH_KERNEL = 24, SHORTEST_KERNEL = 4 };
    return DECLARED + EACH_KERNEL * (count / SHORTEST_KERNEL + 1);
}

bool nf_try_make_idle(const struct nf_bytes *module, struct nf_bytes *idle)
{
    const uint32_t *words = (const uint32_t *)(const void *)module->data;
    const size_t count = module->size / sizeof *words;
    *idle = (struct nf_bytes){NULL, 0};
    if (count < HEADER || words[0] != MAGIC) return false;
    struct copy copy = {.words = malloc((count + growth(count)) * sizeof *words),
                        .kernels = malloc(count * sizeof *words)};
    bool good = copy.words && copy.kernels && collect_declarations(&copy, words, count);
    if (good) copy_all(&copy, words, count);
    free(copy.kernels);
    if (good)
        *idle = (struct nf_bytes){(unsigned char *)copy.words, copy.count * sizeof *words};
    else
        free(copy.words);
    return good;
}
