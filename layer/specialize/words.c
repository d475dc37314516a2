/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.c - queries of a module without the core: the names of its kernels, its spec constants, whether it has and
 * writes program-scope variables, and whether it uses pipes or device-side enqueue. Takes bytes in either byte order
 * that the core may not have validated yet, so every access is checked; gives positions and copies. arguments.c and
 * subgroups.c answer further queries without the core.
 */
#include "layer/specialize/module_words.h"
#include "layer/specialize/specialize.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
    OP_ENTRY_POINT = 15,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19,
    OP_TYPE_BOOL = 20,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_FORWARD_POINTER = 39,
    OP_CONSTANT = 43,
    OP_SPEC_TRUE = 48,
    OP_SPEC_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_FUNCTION = 54,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    OP_DECORATE = 71,
    OP_UNTYPED_VARIABLE = 4418,
    DECORATION_SPEC_ID = 1,
    DECORATION_BUILT_IN = 11,
    STORAGE_CROSS_WORKGROUP = 5,
    CAPABILITY_PIPES = 17,
    CAPABILITY_DEVICE_ENQUEUE = 19
};

static void set_word(struct nf_cl_bytes *module, size_t index, uint32_t word)
{
    uint32_t magic;
    memcpy(&magic, module->data, sizeof magic);
    word = magic == 0x07230203u ? word : __builtin_bswap32(word);
    memcpy((char *)module->data + index * sizeof word, &word, sizeof word);
}

/* Searches the instructions before the first function. @return the position of the first instruction that `accepts`
 * accepts, or 0. */
static size_t find(const struct nf_cl_bytes *module, bool (*accepts)(const struct nf_cl_bytes *, size_t, uint32_t),
                   uint32_t key)
{
    size_t words = module->size / sizeof(uint32_t), at = NF_CL_HEADER_WORDS;
    while (at < words) {
        uint32_t first = nf_cl_word_at(module, at), length = nf_cl_length_of(first);
        if (length == 0 || length > words - at || nf_cl_opcode_of(first) == OP_FUNCTION) return 0;
        if (accepts(module, at, key)) return at;
        at += length;
    }
    return 0;
}

static bool is_spec_id(const struct nf_cl_bytes *module, size_t at, uint32_t id)
{
    return nf_cl_word_at(module, at) == (4u << 16 | OP_DECORATE) &&
           nf_cl_word_at(module, at + 2) == DECORATION_SPEC_ID && nf_cl_word_at(module, at + 3) == id;
}

static bool is_spec_constant(const struct nf_cl_bytes *module, size_t at, uint32_t result)
{
    uint32_t first = nf_cl_word_at(module, at), op = nf_cl_opcode_of(first);
    return op >= OP_SPEC_TRUE && op <= OP_SPEC_CONSTANT && nf_cl_length_of(first) >= 3 &&
           nf_cl_word_at(module, at + 2) == result;
}

static bool is_scalar_type(const struct nf_cl_bytes *module, size_t at, uint32_t result)
{
    uint32_t first = nf_cl_word_at(module, at), op = nf_cl_opcode_of(first);
    return op >= OP_TYPE_BOOL && op <= OP_TYPE_FLOAT && nf_cl_length_of(first) >= (op == OP_TYPE_BOOL ? 2u : 3u) &&
           nf_cl_word_at(module, at + 1) == result;
}

size_t nf_cl_spec_size(const struct nf_cl_bytes *module, uint32_t id)
{
    size_t decoration = find(module, is_spec_id, id);
    size_t constant = decoration ? find(module, is_spec_constant, nf_cl_word_at(module, decoration + 1)) : 0;
    size_t type = constant ? find(module, is_scalar_type, nf_cl_word_at(module, constant + 1)) : 0;
    if (!type) return 0;
    return nf_cl_opcode_of(nf_cl_word_at(module, type)) == OP_TYPE_BOOL ? 1 : nf_cl_word_at(module, type + 2) / 8;
}

/* Sets the default of a spec constant to the value, in a module of either byte order. */
static void apply(struct nf_cl_bytes *module, const nf_spec_value *value)
{
    size_t decoration = find(module, is_spec_id, value->id);
    size_t constant = decoration ? find(module, is_spec_constant, nf_cl_word_at(module, decoration + 1)) : 0;
    if (!constant) return;
    uint32_t first = nf_cl_word_at(module, constant), op = nf_cl_opcode_of(first);
    if (op != OP_SPEC_CONSTANT) {
        op = value->value & 0xff ? OP_SPEC_TRUE : OP_SPEC_FALSE;
        set_word(module, constant, (first & 0xffff0000u) | op);
    }
    for (uint32_t i = 3; op == OP_SPEC_CONSTANT && i < nf_cl_length_of(first) && i < 5; i++)
        set_word(module, constant + i, (uint32_t)(value->value >> (i - 3) * 32));
}

bool nf_cl_spec_apply(const struct nf_cl_bytes *module, const nf_spec_value *specs, size_t count,
                      struct nf_cl_bytes *copy)
{
    copy->size = module->size;
    copy->data = malloc(module->size ? module->size : 1);
    if (!copy->data) return false;
    memcpy(copy->data, module->data, module->size);
    for (size_t i = 0; i < count; i++)
        apply(copy, &specs[i]);
    return true;
}

/* ---- kernels ---- */

enum { NAME_AT = 3 }; /* first word of the name in OpEntryPoint */

char *nf_cl_string_at(const struct nf_cl_bytes *module, size_t at, uint32_t first)
{
    uint32_t length = nf_cl_length_of(nf_cl_word_at(module, at));
    size_t bytes = length > first ? (length - first) * sizeof(uint32_t) : 0, used = 0;
    char *text = calloc(1, bytes + 1);
    for (; text && used < bytes; used++) {
        text[used] = (char)(nf_cl_word_at(module, at + first + used / 4) >> used % 4 * 8);
        if (!text[used]) break;
    }
    return text;
}

char *nf_cl_next_entry(const struct nf_cl_bytes *module, size_t *at)
{
    size_t words = module->size / sizeof(uint32_t);
    size_t next = *at ? *at + nf_cl_length_of(nf_cl_word_at(module, *at)) : NF_CL_HEADER_WORDS;
    while (next < words) {
        uint32_t first = nf_cl_word_at(module, next), length = nf_cl_length_of(first);
        if (length == 0 || length > words - next) return NULL;
        *at = next;
        if (nf_cl_opcode_of(first) == OP_ENTRY_POINT) return nf_cl_string_at(module, next, NAME_AT);
        next += length;
    }
    return NULL;
}

/* ---- variables ---- */

static bool is_built_in(const struct nf_cl_bytes *module, size_t end, uint32_t id)
{
    for (size_t at = NF_CL_HEADER_WORDS; at < end; at += nf_cl_length_of(nf_cl_word_at(module, at)))
        if (nf_cl_word_at(module, at) == (4u << 16 | OP_DECORATE) && nf_cl_word_at(module, at + 1) == id &&
            nf_cl_word_at(module, at + 2) == DECORATION_BUILT_IN)
            return true;
    return false;
}

static bool declares_variable(uint32_t code)
{
    return code == OP_VARIABLE || code == OP_UNTYPED_VARIABLE;
}

static bool is_variable(const struct nf_cl_bytes *module, size_t at)
{
    uint32_t first = nf_cl_word_at(module, at);
    return declares_variable(nf_cl_opcode_of(first)) && nf_cl_length_of(first) >= 4 &&
           nf_cl_word_at(module, at + 3) == STORAGE_CROSS_WORKGROUP &&
           !is_built_in(module, at, nf_cl_word_at(module, at + 2));
}

/* Returns the position of the first program-scope variable, or 0. */
static size_t first_variable(const struct nf_cl_bytes *module)
{
    size_t words = module->size / sizeof(uint32_t);
    for (size_t at = NF_CL_HEADER_WORDS; at < words;) {
        uint32_t first = nf_cl_word_at(module, at), length = nf_cl_length_of(first);
        if (length == 0 || length > words - at || nf_cl_opcode_of(first) == OP_FUNCTION) return 0;
        if (is_variable(module, at)) return at;
        at += length;
    }
    return 0;
}

bool nf_cl_has_variables(const struct nf_cl_bytes *module)
{
    return first_variable(module) > 0;
}

static bool is_chain(uint32_t code)
{
    return (code >= OP_ACCESS_CHAIN && code <= OP_PTR_ACCESS_CHAIN) || code == OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
}

/* Marks the result of a variable, or of an access chain on a marked address, in `is_address`, which is indexed by
 * id. */
static void mark(const struct nf_cl_bytes *module, size_t at, bool *is_address, uint32_t bound)
{
    uint32_t first = nf_cl_word_at(module, at);
    bool chain = is_chain(nf_cl_opcode_of(first)) && nf_cl_length_of(first) >= 4;
    if (!chain && !is_variable(module, at)) return;
    uint32_t result = nf_cl_word_at(module, at + 2), base = chain ? nf_cl_word_at(module, at + 3) : 0;
    if (result < bound && (!chain || (base < bound && is_address[base]))) is_address[result] = true;
}

/* Returns true if an instruction may do more with a marked address than load from it. Conservative: a literal operand
 * may equal a marked id. */
static bool may_escape(const struct nf_cl_bytes *module, size_t at, const bool *is_address, uint32_t bound)
{
    uint32_t first = nf_cl_word_at(module, at), code = nf_cl_opcode_of(first), begin = 1, end = nf_cl_length_of(first);
    if (code == OP_LOAD || code == OP_CONSTANT || is_chain(code)) return false;
    if (code >= OP_TYPE_VOID && code <= OP_TYPE_FORWARD_POINTER) return false;
    if (declares_variable(code)) begin = 4;        /* the initializer; the data type of an untyped variable */
    if (code == OP_STORE) end = end < 3 ? end : 3; /* pointer and value, without memory operands */
    for (uint32_t i = begin; i < end; i++) {
        uint32_t word = nf_cl_word_at(module, at + i);
        if (word < bound && is_address[word]) return true;
    }
    return false;
}

bool nf_cl_writes_variables(const struct nf_cl_bytes *module)
{
    size_t words = module->size / sizeof(uint32_t), start = first_variable(module), at = start;
    if (!start) return false;
    uint32_t bound = nf_cl_word_at(module, 3), length;
    bool writes = bound > words * 2; /* implausible id bound: not analyzed */
    bool *is_address = writes ? NULL : calloc(bound + 1, sizeof *is_address);
    if (!is_address) return true;
    for (; at < words && (length = nf_cl_length_of(nf_cl_word_at(module, at))) > 0 && length <= words - at;
         at += length)
        mark(module, at, is_address, bound);
    writes = at != words;
    for (at = start; !writes && at < words; at += nf_cl_length_of(nf_cl_word_at(module, at)))
        writes = may_escape(module, at, is_address, bound);
    free(is_address);
    return writes;
}

bool nf_cl_uses_pipes_or_enqueue(const struct nf_cl_bytes *module)
{
    size_t words = module->size / sizeof(uint32_t);
    for (size_t at = NF_CL_HEADER_WORDS; at + 1 < words; at += 2) {
        if (nf_cl_word_at(module, at) != (2u << 16 | OP_CAPABILITY)) break; /* capabilities come first */
        uint32_t capability = nf_cl_word_at(module, at + 1);
        if (capability == CAPABILITY_PIPES || capability == CAPABILITY_DEVICE_ENQUEUE) return true;
    }
    return false;
}
