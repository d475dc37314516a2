/* SPDX-License-Identifier: Apache-2.0 */
/*
 * roots.c - finds the origin of the pointer of each generic memory access, as far as the access's own function shows
 * it: a function-local compiler pass cannot determine more. The search walks back through casts, access chains, phis
 * and selects; a stamp per id prevents endless cycles.
 */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

enum { HEADER_WORDS = 5, MAX_DEPTH = 4096 };

struct walk {
    const struct module *module;
    uint32_t *stamp, *stack;
    uint32_t round, depth;
    uint32_t spaces; /* mask of the storage classes that were reached */
    int kinds[ROOT_COUNT];
};

const char *root_name(enum root root)
{
    static const char *const names[ROOT_COUNT] = {"integer to pointer",  "loaded from private",
                                                  "parameter",           "loaded through generic",
                                                  "loaded from global",  "loaded from local",
                                                  "result of a call",    "cast of one space",
                                                  "merge of two spaces", "other"};
    return names[root];
}

/* Returns the storage class of a value's pointer type, -1 if it is no pointer. */
static int class_of(const struct module *module, uint32_t id)
{
    uint32_t type = id < module->bound ? module->type[id] : 0;
    uint32_t at = type && type < module->bound ? module->definition[type] : 0;
    if (!at || (module->words[at] & 0xffff) != SpvOpTypePointer) return -1;
    return (int)module->words[at + 2];
}

static void push(struct walk *walk, uint32_t id)
{
    if (id >= walk->module->bound || walk->stamp[id] == walk->round || walk->depth == MAX_DEPTH) return;
    walk->stamp[id] = walk->round;
    walk->stack[walk->depth++] = id;
}

static void root_of_load(struct walk *walk, uint32_t pointer)
{
    switch (class_of(walk->module, pointer)) {
    case SpvStorageClassFunction: walk->kinds[ROOT_PRIVATE] = 1; break;
    case SpvStorageClassWorkgroup: walk->kinds[ROOT_LOCAL] = 1; break;
    case SpvStorageClassGeneric: walk->kinds[ROOT_GENERIC] = 1; break;
    default: walk->kinds[ROOT_GLOBAL] = 1; break;
    }
}

static void step(struct walk *walk, uint32_t id)
{
    uint32_t at = walk->module->definition[id];
    const uint32_t *word = walk->module->words + at;
    uint32_t n = at ? word[0] >> 16 : 0;
    int space = class_of(walk->module, id);
    if (space >= 0 && space != SpvStorageClassGeneric) {
        walk->spaces |= 1u << space;
        return;
    }
    switch (at ? word[0] & 0xffff : 0) {
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpPtrCastToGeneric:
    case SpvOpGenericCastToPtr:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain: push(walk, word[3]); break;
    case SpvOpSelect:
        push(walk, word[4]);
        push(walk, word[5]);
        break;
    case SpvOpPhi:
        for (uint32_t i = 3; i + 1 < n; i += 2)
            push(walk, word[i]);
        break;
    case SpvOpConvertUToPtr: walk->kinds[ROOT_INTEGER] = 1; break;
    case SpvOpFunctionParameter: walk->kinds[ROOT_PARAMETER] = 1; break;
    case SpvOpFunctionCall: walk->kinds[ROOT_CALL] = 1; break;
    case SpvOpLoad: root_of_load(walk, word[3]); break;
    case SpvOpConstantNull:
    case SpvOpUndef: break;
    default: walk->kinds[ROOT_OTHER] = 1; break;
    }
}

static enum root root_of(struct walk *walk, uint32_t id)
{
    static const enum root order[] = {ROOT_INTEGER, ROOT_PRIVATE, ROOT_PARAMETER, ROOT_GENERIC,
                                      ROOT_GLOBAL,  ROOT_LOCAL,   ROOT_CALL,      ROOT_OTHER};
    memset(walk->kinds, 0, sizeof walk->kinds);
    walk->spaces = 0;
    walk->depth = 0;
    walk->round++;
    push(walk, id);
    while (walk->depth)
        step(walk, walk->stack[--walk->depth]);
    if (walk->spaces & (walk->spaces - 1)) return ROOT_MERGE;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (walk->kinds[order[i]]) return order[i];
    return walk->spaces ? ROOT_CAST : ROOT_OTHER;
}

/* Returns the generic pointer through which an instruction accesses memory, 0 if there is none. */
static uint32_t accessed(const struct module *module, uint32_t at)
{
    const uint32_t *word = module->words + at;
    uint32_t op = word[0] & 0xffff, n = word[0] >> 16, first = 0, last = 0;
    if (op == SpvOpLoad || (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor && op != SpvOpAtomicStore) ||
        op == SpvOpAtomicFlagTestAndSet || op == SpvOpAtomicFAddEXT || op == SpvOpAtomicFMinEXT ||
        op == SpvOpAtomicFMaxEXT)
        first = last = 3;
    else if (op == SpvOpStore || op == SpvOpAtomicStore || op == SpvOpAtomicFlagClear)
        first = last = 1;
    else if (op == SpvOpCopyMemory || op == SpvOpCopyMemorySized)
        first = 1, last = 2;
    else if (op == SpvOpExtInst)
        first = 5, last = n - 1;
    for (uint32_t i = first; first && i <= last && i < n; i++)
        if (class_of(module, word[i]) == SpvStorageClassGeneric) return word[i];
    return 0;
}

int count_roots(const struct module *module, uint32_t counts[ROOT_COUNT])
{
    struct walk walk = {.module = module};
    memset(counts, 0, ROOT_COUNT * sizeof *counts);
    walk.stamp = calloc(module->bound + 1, sizeof *walk.stamp);
    walk.stack = calloc(MAX_DEPTH, sizeof *walk.stack);
    if (walk.stamp && walk.stack)
        for (uint32_t at = HEADER_WORDS; at < module->count; at += module->words[at] >> 16) {
            uint32_t pointer = accessed(module, at);
            if (pointer) counts[root_of(&walk, pointer)]++;
        }
    int bad = !walk.stamp || !walk.stack;
    free(walk.stamp);
    free(walk.stack);
    return bad ? -1 : 0;
}
