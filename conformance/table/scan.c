/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - indexes a module, finds generic uses in it, removes its alias information. See scan.h. */
#include "scan.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.h>

/* The header defines it as inline only. */
extern void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

enum { HEADER_WORDS = 5, UNTYPED_POINTER = 4417, UNTYPED_VARIABLE = 4418 };

static uint32_t opcode(const struct module *module, uint32_t at)
{
    return module->words[at] & 0xffff;
}

static uint32_t length(const struct module *module, uint32_t at)
{
    return module->words[at] >> 16;
}

static int index_instruction(struct module *module, uint32_t at)
{
    bool has_result = false, has_type = false;
    const uint32_t *word = module->words + at;
    SpvHasResultAndType((SpvOp)opcode(module, at), &has_result, &has_type);
    if (!has_result) return 0;
    uint32_t place = has_type ? 2 : 1;
    if (length(module, at) <= place || word[place] >= module->bound) return -1;
    module->definition[word[place]] = at;
    module->type[word[place]] = has_type ? word[1] : 0;
    return 0;
}

int module_open(struct module *module, const uint32_t *words, size_t count)
{
    memset(module, 0, sizeof *module);
    if (count < HEADER_WORDS || count > UINT32_MAX || words[0] != SpvMagicNumber || words[3] > 1u << 24) return -1;
    module->words = words;
    module->count = (uint32_t)count;
    module->bound = words[3];
    module->definition = calloc(module->bound + 1, sizeof *module->definition);
    module->type = calloc(module->bound + 1, sizeof *module->type);
    int bad = !module->definition || !module->type;
    for (uint32_t at = HEADER_WORDS; !bad && at < module->count; at += length(module, at))
        bad = length(module, at) == 0 || length(module, at) > module->count - at || index_instruction(module, at);
    if (bad) module_close(module);
    return bad ? -1 : 0;
}

void module_close(struct module *module)
{
    free(module->definition);
    free(module->type);
    memset(module, 0, sizeof *module);
}

/* Returns true if the string at word `from` of the instruction contains `text`. */
static int string_holds(const struct module *module, uint32_t at, uint32_t from, const char *text)
{
    const char *bytes = (const char *)(module->words + at + from);
    size_t size = (size_t)(length(module, at) - from) * 4;
    if (length(module, at) <= from || !memchr(bytes, '\0', size)) return 0;
    return strstr(bytes, text) != NULL;
}

/* Returns true if the decoration imports a function whose mangled name has a generic pointer parameter. */
static int generic_import(const struct module *module, uint32_t at)
{
    uint32_t n = length(module, at);
    return n > 4 && module->words[at + 2] == SpvDecorationLinkageAttributes &&
           module->words[at + n - 1] == SpvLinkageTypeImport &&
           (string_holds(module, at, 3, "U3AS4") || string_holds(module, at, 3, ".p4"));
}

static const char *generic_in(const struct module *module, uint32_t at)
{
    const uint32_t *word = module->words + at;
    uint32_t n = length(module, at);
    switch (opcode(module, at)) {
    case SpvOpCapability: return n > 1 && word[1] == SpvCapabilityGenericPointer ? "capability GenericPointer" : NULL;
    case SpvOpTypePointer: return n > 2 && word[2] == SpvStorageClassGeneric ? "OpTypePointer Generic" : NULL;
    case SpvOpTypeForwardPointer: return n > 2 && word[2] == SpvStorageClassGeneric ? "OpTypeForwardPointer" : NULL;
    case UNTYPED_POINTER: return n > 2 && word[2] == SpvStorageClassGeneric ? "untyped pointer" : NULL;
    case UNTYPED_VARIABLE:
    case SpvOpVariable: return n > 3 && word[3] == SpvStorageClassGeneric ? "OpVariable Generic" : NULL;
    case SpvOpPtrCastToGeneric: return "OpPtrCastToGeneric";
    case SpvOpGenericCastToPtr: return "OpGenericCastToPtr";
    case SpvOpGenericCastToPtrExplicit: return "OpGenericCastToPtrExplicit";
    case SpvOpGenericPtrMemSemantics: return "OpGenericPtrMemSemantics";
    case SpvOpSpecConstantOp:
        return n > 3 && word[3] >= SpvOpPtrCastToGeneric && word[3] <= SpvOpGenericCastToPtrExplicit
                   ? "OpSpecConstantOp"
                   : NULL;
    case SpvOpDecorate: return generic_import(module, at) ? "import with a generic parameter" : NULL;
    default: return NULL;
    }
}

const char *generic_left(const struct module *module)
{
    const char *found = NULL;
    for (uint32_t at = HEADER_WORDS; at < module->count && !found; at += length(module, at))
        found = generic_in(module, at);
    return found;
}

/* ---- Alias information ------------------------------------------------------------------------------------------ */

static int is_alias(const struct module *module, uint32_t at)
{
    const uint32_t *word = module->words + at;
    switch (opcode(module, at)) {
    case SpvOpAliasDomainDeclINTEL:
    case SpvOpAliasScopeDeclINTEL:
    case SpvOpAliasScopeListDeclINTEL: return 1;
    case SpvOpDecorate:
    case SpvOpDecorateId:
        return length(module, at) > 2 &&
               (word[2] == SpvDecorationAliasScopeINTEL || word[2] == SpvDecorationNoAliasINTEL);
    default: return 0;
    }
}

/* Returns the word at which the memory operands begin, 0 if the instruction has none. */
static uint32_t memory_operands(const struct module *module, uint32_t at)
{
    uint32_t place;
    switch (opcode(module, at)) {
    case SpvOpLoad: place = 4; break;
    case SpvOpStore:
    case SpvOpCopyMemory: place = 3; break;
    case SpvOpCopyMemorySized: place = 4; break;
    default: return 0;
    }
    return place < length(module, at) ? place : 0;
}

size_t without_aliases(const struct module *module, uint32_t *out)
{
    const uint32_t both = SpvMemoryAccessAliasScopeINTELMaskMask | SpvMemoryAccessNoAliasINTELMaskMask;
    size_t size = HEADER_WORDS;
    memcpy(out, module->words, HEADER_WORDS * sizeof *out);
    for (uint32_t at = HEADER_WORDS; at < module->count; at += length(module, at)) {
        uint32_t n = length(module, at), place = memory_operands(module, at);
        if (is_alias(module, at)) continue;
        memcpy(out + size, module->words + at, n * sizeof *out);
        uint32_t mask = place ? out[size + place] & both : 0;
        if (mask) { /* the operands of both bits are the last ones */
            uint32_t ids = mask == both ? 2 : 1;
            out[size + place] &= ~both;
            n -= ids < n - place ? ids : 0;
            out[size] = n << 16 | opcode(module, at);
        }
        size += n;
    }
    return size;
}
