/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subgroups.c - finds out which sub-group size a kernel requires, and whether its code depends on the size.
 *
 *     OpExecutionMode %k SubgroupSize 16                              kernel k requires 16
 *     OpDecorate %v BuiltIn SubgroupLocalInvocationId                 the size is visible
 *     %x = OpGroupIAdd %uint %three Reduce %y, %three = 3: Subgroup   the size is visible
 *     OpControlBarrier %two %two %semantics, %two = 2: Workgroup      the size is not visible
 *
 * Unknown constructs count as dependent: a capability that is not listed here, a function without a body, a scope that
 * is not an OpConstant, a malformed instruction, a module without functions. Takes a module in either byte order,
 * before it is validated.
 */
#include "layer/specialize/module_words.h"
#include "layer/specialize/specialize.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_LABEL = 248,
    MODE_SUBGROUP_SIZE = 35,
    DECORATION_BUILT_IN = 11,
    BUILT_IN_LAST_OTHER = 34, /* GlobalLinearId: OpenCL's built-ins with higher numbers concern sub-groups */
    SCOPE_SUBGROUP = 3
};

/* Capabilities whose instructions do not depend on sub-groups, unless they have a sub-group scope. */
static const uint32_t independent[] = {
    4,    5,    6,                    /* addresses, linkage, kernels */
    7,    8,    9,    10,   11,   12, /* vectors of 16, halves, doubles, 64-bit integers and atomics */
    13,   14,   15,   20,             /* images, literal samplers */
    18,   6400,                       /* group operations, whose scope is checked */
    22,   38,   39,                   /* 16-bit integers, generic pointers, 8-bit integers */
    43,   44,   46,   47,             /* images of other shapes */
    4464, 4465, 4466, 4467, 4468,     /* denormal numbers, infinities, rounding */
    5612, 5613, 6033, 6034, 6095,     /* floating-point atomics */
    5629, 5910, 6094, 6115,           /* assumptions, aliasing, no optimization, conversion to bfloat16 */
};

/* Instructions with a scope, and the index of the word that contains it. */
static const struct {
    uint32_t first, last, word;
} scopes[] = {
    {224, 225, 1},                  /* barriers; for the first opcode, the second scope is the memory scope */
    {227, 227, 4},   {228, 228, 2}, /* load, store */
    {229, 242, 4},                  /* other atomics */
    {259, 259, 3},   {260, 260, 1}, /* async copies, wait */
    {261, 271, 3},   {318, 318, 4},   {319, 319, 2}, /* the last two: atomic flags */
    {5614, 5615, 4}, {6035, 6035, 4}, {6401, 6408, 3},
};

enum { CONTROL_BARRIER = 224, KEPT = 8 };

struct scan {
    const struct nf_cl_bytes *module;
    size_t words, functions; /* position of the first function */
    uint32_t harmless[KEPT]; /* ids of scopes that are known not to be the sub-group */
    unsigned count;
    bool open; /* the current function has no body yet */
};

/* Returns the length of the instruction, 0 if it reaches beyond the module. */
static uint32_t length_of(const struct nf_cl_bytes *module, size_t at)
{
    size_t words = module->size / sizeof(uint32_t);
    uint32_t length = nf_cl_length_of(nf_cl_word_at(module, at));
    return length <= words - at ? length : 0;
}

static bool is_independent(uint32_t capability)
{
    for (size_t i = 0; i < sizeof independent / sizeof *independent; i++)
        if (independent[i] == capability) return true;
    return false;
}

/* Returns true if the id is a constant other than the scope of a sub-group. */
static bool is_other_scope(struct scan *s, uint32_t id)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->harmless[i] == id) return true;
    for (size_t at = NF_CL_HEADER_WORDS; at < s->functions; at += nf_cl_length_of(nf_cl_word_at(s->module, at))) {
        bool is_it = nf_cl_word_at(s->module, at) == (4u << 16 | OP_CONSTANT) && nf_cl_word_at(s->module, at + 2) == id;
        if (!is_it) continue;
        if (nf_cl_word_at(s->module, at + 3) == SCOPE_SUBGROUP) return false;
        if (s->count < KEPT) s->harmless[s->count++] = id;
        return true;
    }
    return false;
}

static bool has_scope_of_subgroup(struct scan *s, size_t at, uint32_t code, uint32_t length)
{
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        if (code < scopes[i].first || code > scopes[i].last) continue;
        uint32_t word = scopes[i].word, last = code == CONTROL_BARRIER ? word + 1 : word;
        for (; word <= last; word++)
            if (word >= length || !is_other_scope(s, nf_cl_word_at(s->module, at + word))) return true;
    }
    return false;
}

/* Returns true if an instruction before the functions depends on the size. */
static bool declares(const struct nf_cl_bytes *module, size_t at, uint32_t code, uint32_t length)
{
    if (code == OP_CAPABILITY) return length < 2 || !is_independent(nf_cl_word_at(module, at + 1));
    if (code == OP_MEMBER_DECORATE) return length > 3 && nf_cl_word_at(module, at + 3) == DECORATION_BUILT_IN;
    bool built_in = code == OP_DECORATE && length > 3 && nf_cl_word_at(module, at + 2) == DECORATION_BUILT_IN;
    return built_in && nf_cl_word_at(module, at + 3) > BUILT_IN_LAST_OTHER;
}

/* Returns true if an instruction of a function depends on the size; the end of a function without a body counts as such
 * an instruction. */
static bool depends_on_size(struct scan *s, size_t at, uint32_t code, uint32_t length)
{
    if (code == OP_FUNCTION) s->open = true;
    if (code == OP_LABEL) s->open = false;
    return (code == OP_FUNCTION_END && s->open) || has_scope_of_subgroup(s, at, code, length);
}

bool nf_cl_shows_subgroups(const struct nf_cl_bytes *module)
{
    struct scan s = {.module = module, .words = module->size / sizeof(uint32_t)};
    for (size_t at = NF_CL_HEADER_WORDS; at < s.words;) {
        uint32_t length = length_of(module, at), code = nf_cl_opcode_of(nf_cl_word_at(module, at));
        if (!length) return true;
        if (code == OP_FUNCTION && !s.functions) s.functions = at;
        if (s.functions ? depends_on_size(&s, at, code, length) : declares(module, at, code, length)) return true;
        at += length;
    }
    return s.functions == 0;
}

uint32_t nf_cl_required_subgroup_size(const struct nf_cl_bytes *module, const char *kernel)
{
    size_t words = module->size / sizeof(uint32_t), entry = 0;
    char *name = nf_cl_next_entry(module, &entry);
    while (name && strcmp(name, kernel) != 0) {
        free(name);
        name = nf_cl_next_entry(module, &entry);
    }
    if (!name) return 0;
    free(name);
    uint32_t id = nf_cl_word_at(module, entry + 2), length;
    for (size_t at = NF_CL_HEADER_WORDS; at < words && (length = length_of(module, at)) > 0; at += length) {
        uint32_t first = nf_cl_word_at(module, at);
        if (nf_cl_opcode_of(first) == OP_FUNCTION) break;
        if (first == (4u << 16 | OP_EXECUTION_MODE) && nf_cl_word_at(module, at + 1) == id &&
            nf_cl_word_at(module, at + 2) == MODE_SUBGROUP_SIZE)
            return nf_cl_word_at(module, at + 3);
    }
    return 0;
}
