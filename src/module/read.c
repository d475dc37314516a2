/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - bytes in, a checked module out.
 *
 * Every later stage trusts what this one has checked, and this one trusts nothing:
 *   - each instruction lies inside the input, has the words its grammar asks for, and its strings end inside it;
 *   - each id is below the bound, is defined exactly once, and result types are types;
 *   - functions, blocks and parameters are nested as they must be, and what they refer to (callee, label) exists.
 * The words stay as they are, in host order; an id whose bound is far above the module's size is renumbered here,
 * because all tables are flat arrays by id.
 *
 * needs: nothing.  gives: words, def, functions, facts of the header and the declarations.
 */
#include <stdlib.h>

#include "module/module.h"

static uint32_t address_bits_of(uint32_t addressing_model)
{
    return addressing_model == NF_ADDRESSING_PHYSICAL_32 ? 32 : addressing_model == NF_ADDRESSING_PHYSICAL_64 ? 64 : 0;
}

static void read_header(struct nf_module *m, const void *bytes, size_t size)
{
    uint32_t magic;
    if (size < NF_HEADER_WORDS * 4)
        nf_fail(m->arena, NF_MALFORMED, 0, "%zu bytes: too short for a SPIR-V header", size);
    if (size % 4) nf_fail(m->arena, NF_MALFORMED, 0, "%zu bytes: not a whole number of words", size);
    if (size / 4 > UINT32_MAX / 4) nf_fail(m->arena, NF_MALFORMED, 0, "%zu bytes: too large", size);
    memcpy(&magic, bytes, 4);
    if (magic != NF_MAGIC && magic != nf_swapped(NF_MAGIC))
        nf_fail(m->arena, NF_MALFORMED, 0, "no SPIR-V magic number");
    m->swapped = magic != NF_MAGIC;
    uint32_t count = (uint32_t)(size / 4), *words = NF_NEW(m->arena, uint32_t, count);
    memcpy(words, bytes, size);
    for (uint32_t i = 0; m->swapped && i < count; i++)
        words[i] = nf_swapped(words[i]);
    m->words = words;
    m->count = count;
    m->version = words[1];
    m->bound = words[3];
    if (m->version & 0xff0000ff || (m->version >> 16 & 0xff) != 1)
        nf_fail(m->arena, NF_MALFORMED, 1, "version word 0x%08x is not of SPIR-V 1.x", m->version);
    if (!m->bound || m->bound > NF_MAX_BOUND + 1u)
        nf_fail(m->arena, NF_MALFORMED, 3, "id bound %u is out of the range 1 to %u", m->bound, NF_MAX_BOUND + 1u);
}

/* An instruction that the table lacks most likely begins as all others do: with its result type and its result. */
static bool is_unknown_result(const struct nf_module *m, uint32_t at)
{
    return nf_length(m, at) > 2 && m->words[at + 2] < m->bound && m->def[m->words[at + 2]] == at;
}

uint32_t nf_result_type(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_is_unknown(op)) return is_unknown_result(m, at) ? m->words[at + 1] : 0;
    return nf_has_type(op) ? m->words[at + 1] : 0;
}

uint32_t nf_result_id(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_is_unknown(op)) return is_unknown_result(m, at) ? m->words[at + 2] : 0;
    return nf_has_result(op) ? m->words[at + nf_result_word(op)] : 0;
}

/* Sets that the table lacks: operands are ids if every one of them can be. Debug sets of other compilers mix them with
 * numbers, and what is no id must not be taken for one. */
static enum nf_ext_set unknown_set(const struct nf_module *m, const uint32_t *words)
{
    for (uint32_t i = 5; m->def && i < nf_length_of(words[0]); i++)
        if (words[i] >= m->bound || !m->def[words[i]]) return NF_EXT_LITERALS;
    return NF_EXT_OTHER;
}

static enum nf_ext_set ext_set(const struct nf_module *m, const uint32_t *words)
{
    if (nf_opcode_of(words[0]) != OpExtInst) return NF_EXT_OTHER;
    return words[3] == m->ext_opencl         ? NF_EXT_OPENCL_STD
           : words[3] == m->ext_debug        ? NF_EXT_DEBUG_INFO
           : words[3] == m->ext_shader_debug ? NF_EXT_OTHER
                                             : unknown_set(m, words);
}

/* Words of one OpSwitch literal: those of the selector's type. */
static unsigned selector_words(const struct nf_module *m, const uint32_t *words)
{
    if (nf_opcode_of(words[0]) != OpSwitch) return 1;
    uint32_t def = words[1] < m->bound ? m->def[words[1]] : 0;
    uint32_t type = def ? nf_result_type(m, def) : 0;
    uint32_t type_def = type && type < m->bound ? m->def[type] : 0;
    return type_def && nf_opcode(m, type_def) == OpTypeInt && m->words[type_def + 2] > 32 ? 2 : 1;
}

struct nf_operands nf_walk_words(const struct nf_module *m, const uint32_t *words)
{
    return nf_operands_begin(words, nf_length_of(words[0]), ext_set(m, words), selector_words(m, words));
}

struct nf_operands nf_walk(const struct nf_module *m, uint32_t at)
{
    return nf_walk_words(m, m->words + at);
}

enum nf_role nf_role_at(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (op->opcode != OpExtInst) return op->role;
    if (ext_set(m, m->words + at) != NF_EXT_OPENCL_STD) return NF_ROLE_nothing;
    op = nf_op_find_std(m->words[at + 4]);
    return op ? op->role : NF_ROLE_unknown;
}

static bool same_string(const struct nf_module *m, uint32_t at, uint32_t end, const char *string)
{
    for (size_t i = 0; at + i / 4 < end; i++) {
        char c = (char)(m->words[at + i / 4] >> 8 * (i % 4));
        if (c != string[i]) return false;
        if (!c) return true;
    }
    return false;
}

static void note_import(struct nf_module *m, uint32_t at)
{
    uint32_t end = nf_next(m, at);
    if (same_string(m, at + 2, end, "OpenCL.std")) m->ext_opencl = m->words[at + 1];
    /* The second is what LLVM's translator called the first before it was registered: the same to the word. */
    if (same_string(m, at + 2, end, "OpenCL.DebugInfo.100") || same_string(m, at + 2, end, "SPIRV.debug"))
        m->ext_debug = m->words[at + 1];
    if (same_string(m, at + 2, end, "NonSemantic.Shader.DebugInfo.100") ||
        same_string(m, at + 2, end, "NonSemantic.Shader.DebugInfo.200"))
        m->ext_shader_debug = m->words[at + 1];
}

static bool names_debug(const char *name)
{
    return strncmp(name, "NonSemantic.", 12) == 0 || strstr(name, "debug") || strstr(name, "Debug");
}

/* What an instruction of such a set does with addresses cannot be known; one about debug information does nothing. */
void nf_check_extended_sets(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpExtInst || ext_set(m, m->words + at) == NF_EXT_OPENCL_STD) continue;
        uint32_t import = m->words[at + 3] < m->bound ? m->def[m->words[at + 3]] : 0;
        if (!import || nf_opcode(m, import) != OpExtInstImport)
            nf_fail(m->arena, NF_MALFORMED, at, "id %u is no extended instruction set", m->words[at + 3]);
        if (!names_debug(nf_string(m, import + 2)))
            nf_fail(m->arena, NF_REFUSED, at, "the extended instruction set \"%.200s\" is not known",
                    nf_string(m, import + 2));
    }
}

enum nf_debug nf_debug_at(const struct nf_module *m, uint32_t at)
{
    enum { SCOPE = 23, NO_SCOPE = 24, LINE = 103, NO_LINE = 104 }; /* LINE: not in OpenCL.DebugInfo.100 */
    uint32_t opcode = nf_opcode(m, at), set = opcode == OpExtInst ? m->words[at + 3] : 0;
    if (opcode == OpLine || opcode == OpNoLine) return opcode == OpLine ? NF_DEBUG_LINE : NF_DEBUG_NO_LINE;
    if (!set || (set != m->ext_debug && set != m->ext_shader_debug)) return NF_DEBUG_NONE;
    switch (m->words[at + 4]) {
    case SCOPE: return NF_DEBUG_SCOPE;
    case NO_SCOPE: return NF_DEBUG_NO_SCOPE;
    case LINE: return NF_DEBUG_LINE;
    case NO_LINE: return NF_DEBUG_NO_LINE;
    default: return NF_DEBUG_OTHER;
    }
}

static void check_bound(const struct nf_module *m, uint32_t at, uint32_t id)
{
    if (!id || id >= m->bound)
        nf_fail(m->arena, NF_MALFORMED, at, "result id %u is not below the bound %u", id, m->bound);
}

static void define(struct nf_module *m, uint32_t at, uint32_t id)
{
    check_bound(m, at, id);
    if (m->def[id]) nf_fail(m->arena, NF_MALFORMED, at, "id %u is defined twice", id);
    m->def[id] = at;
}

/* First pass: where instructions begin, and which sets are imported. */
static void check_lengths(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS, length; at < m->count; at += length) {
        length = nf_length(m, at);
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (!length) nf_fail(m->arena, NF_MALFORMED, at, "an instruction of 0 words");
        if (length > m->count - at)
            nf_fail(m->arena, NF_MALFORMED, at, "%u words, but the module ends after %u", length, m->count - at);
        if (length < op->words)
            nf_fail(m->arena, NF_MALFORMED, at, "%u words, but it needs at least %u", length, op->words);
        if (op->opcode == OpExtInstImport) note_import(m, at);
    }
}

/* Second pass: what defines each id. */
static void find_definitions(struct nf_module *m)
{
    m->def = NF_NEW(m->arena, uint32_t, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (nf_has_result(op)) define(m, at, m->words[at + nf_result_word(op)]);
    }
}

static bool is_type(const struct nf_module *m, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : 0;
    return def && nf_op_find(nf_opcode(m, def))->result == 2 && nf_opcode(m, def) != OpLabel &&
           nf_opcode(m, def) != OpString && nf_opcode(m, def) != OpExtInstImport;
}

/* Ids that nobody else defines are the results of unknown instructions, where these have them at the usual place. */
static void find_unknown_results(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (!nf_is_unknown(nf_op_find(nf_opcode(m, at))) || nf_length(m, at) < 3) continue;
        uint32_t id = m->words[at + 2];
        if (id && id < m->bound && !m->def[id] && is_type(m, m->words[at + 1])) m->def[id] = at;
    }
}

bool nf_is_made_constant(uint32_t opcode)
{
    return opcode == OpConstantComposite || opcode == OpSpecConstantComposite || opcode == OpSpecConstantOp;
}

/* Labels and forward pointers come later than their uses; all other ids only have to exist. */
static void check_ids(struct nf_module *m, uint32_t at, const struct nf_op *op, struct nf_function *f)
{
    if (nf_has_type(op) && !is_type(m, m->words[at + 1]))
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u is no type", m->words[at + 1]);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t id = m->words[at + walk.at];
        if (walk.kind != NF_OPERAND_ID) continue;
        if (!id || id >= m->bound) nf_fail(m->arena, NF_MALFORMED, at, "id %u is not below the bound %u", id, m->bound);
        uint32_t def = m->def[id];
        if (!def) nf_fail(m->arena, NF_MALFORMED, at, "id %u is not defined", id);
        bool elsewhere = f && def >= m->body_at && (def < f->at || def >= f->end) && nf_opcode(m, def) != OpFunction;
        if (elsewhere) nf_fail(m->arena, NF_MALFORMED, at, "id %u is of another function", id);
        if (f && def >= at && def < f->end && op->opcode != OpPhi && nf_opcode(m, def) != OpLabel) f->unordered = true;
        if (def < at || !nf_is_made_constant(op->opcode)) continue;
        if (def >= m->body_at) nf_fail(m->arena, NF_MALFORMED, at, "a constant is made of id %u, which is none", id);
        m->unordered_constants = true;
    }
    if (walk.broken)
        nf_fail(m->arena, NF_MALFORMED, at, "its words do not fit its grammar (at word %u of it)", walk.at);
}

static uint32_t end_of_function(const struct nf_module *m, uint32_t at)
{
    while (at < m->count && nf_opcode(m, at) != OpFunctionEnd)
        at = nf_next(m, at);
    return at < m->count ? nf_next(m, at) : at;
}

static struct nf_function *add_function(struct nf_module *m, uint32_t at)
{
    NF_RESERVE(m->arena, m->functions, m->function_capacity, (size_t)m->function_count + 1);
    struct nf_function *f = &m->functions[m->function_count];
    f->id = m->words[at + 2];
    f->result_type = m->words[at + 1];
    f->type = m->words[at + 4];
    f->at = at;
    f->parameters = nf_next(m, at);
    f->end = end_of_function(m, at);
    m->index_of[f->id] = m->function_count++;
    if (nf_opcode(m, is_type(m, f->type) ? m->def[f->type] : at) != OpTypeFunction)
        nf_fail(m->arena, NF_MALFORMED, at, "its type %u is no function type", f->type);
    if (m->words[m->def[f->type] + 2] != f->result_type)
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u is not that of its type %u", f->result_type, f->type);
    return f;
}

static void add_parameter(struct nf_module *m, struct nf_function *f, uint32_t at)
{
    if (!f || f->body) nf_fail(m->arena, NF_MALFORMED, at, "a parameter that is not at the head of a function");
    uint32_t type = m->def[f->type], index = f->parameter_count++;
    if (index >= nf_length(m, type) - 3 || m->words[type + 3 + index] != m->words[at + 1])
        nf_fail(m->arena, NF_MALFORMED, at, "parameter %u is not of the function's type %u", index, f->type);
}

static void end_function(struct nf_module *m, struct nf_function *f, uint32_t at)
{
    if (!f) nf_fail(m->arena, NF_MALFORMED, at, "no function begins before it");
    if (f->parameter_count != nf_length(m, m->def[f->type]) - 3)
        nf_fail(m->arena, NF_MALFORMED, f->at, "%u parameters, but not in its type %u", f->parameter_count, f->type);
    f->end = nf_next(m, at);
}

/* Instructions that only refer to ids by a name, and may name ones that are gone. */
static bool is_loose(uint32_t opcode)
{
    return opcode == OpName || opcode == OpMemberName || opcode == OpTypeForwardPointer;
}

static void check_block_end(struct nf_module *m, uint32_t at, bool in_block)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode == OpLabel && in_block) nf_fail(m->arena, NF_MALFORMED, at, "the block before it does not end");
    if (opcode == OpFunctionEnd && in_block) nf_fail(m->arena, NF_MALFORMED, at, "the last block does not end");
}

bool nf_ends_block(uint32_t opcode)
{
    return (opcode >= OpBranch && opcode <= OpUnreachable) || opcode == OpKill;
}

/* Third pass: ids, and the nesting of functions, parameters and blocks. */
static void check_structure(struct nf_module *m)
{
    struct nf_function *f = NULL;
    bool in_block = false;
    m->body_at = m->count;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (nf_is_unknown(op)) {
            if (f) f->unknown_ops = true;
            continue;
        }
        if (!is_loose(op->opcode)) check_ids(m, at, op, f);
        if (op->opcode == OpTypeForwardPointer && m->words[at + 1] >= m->bound)
            nf_fail(m->arena, NF_MALFORMED, at, "id %u is not below the bound %u", m->words[at + 1], m->bound);
        check_block_end(m, at, in_block);
        if (op->opcode == OpFunction) {
            if (f) nf_fail(m->arena, NF_MALFORMED, at, "the function before it does not end");
            if (m->body_at == m->count) m->body_at = at;
            f = add_function(m, at);
        } else if (op->opcode == OpFunctionEnd) {
            end_function(m, f, at);
            f = NULL;
        } else if (op->opcode == OpFunctionParameter) {
            add_parameter(m, f, at);
        } else if (op->opcode == OpLabel) {
            if (!f) nf_fail(m->arena, NF_MALFORMED, at, "a block outside of a function");
            if (!f->body) f->body = at;
            in_block = true;
        } else if (f && !in_block && op->opcode != OpLine && op->opcode != OpNoLine && op->opcode != OpExtInst) {
            nf_fail(m->arena, NF_MALFORMED, at, "an instruction outside of a block");
        }
        if (f && nf_ends_block(op->opcode)) in_block = false;
    }
    if (f) nf_fail(m->arena, NF_MALFORMED, f->at, "the function does not end");
}

static struct nf_function *function_of(struct nf_module *m, uint32_t at, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : 0;
    if (!def || nf_opcode(m, def) != OpFunction) nf_fail(m->arena, NF_MALFORMED, at, "id %u is no function", id);
    return &m->functions[m->index_of[id]];
}

static void check_call(struct nf_module *m, uint32_t at)
{
    struct nf_function *callee = function_of(m, at, m->words[at + 3]);
    if (callee->body && callee->parameter_count != nf_length(m, at) - 4)
        nf_fail(m->arena, NF_MALFORMED, at, "%u arguments, but function %u has %u parameters", nf_length(m, at) - 4,
                callee->id, callee->parameter_count);
}

/* Compilers give function pointers the storage class Function, or one of their own. */
static void note_function_pointer(struct nf_module *m, uint32_t at)
{
    uint32_t type = m->def[m->words[at + 1]];
    function_of(m, at, m->words[at + 3])->address_taken = true;
    if (nf_opcode(m, type) == OpTypePointer) m->code_storage = m->words[type + 2];
}

/* The host asks for the function's address and hands it to a kernel. */
static void note_indirect(struct nf_module *m, uint32_t id)
{
    if (nf_opcode(m, m->def[id]) == OpFunction) m->functions[m->index_of[id]].address_taken = true;
}

static void check_type(struct nf_module *m, uint32_t at, uint32_t id)
{
    if (!is_type(m, id)) nf_fail(m->arena, NF_MALFORMED, at, "id %u is no type", id);
}

/* Its result is a constant once the space is known, so it has to be a type that has such. */
static void check_semantics(struct nf_module *m, uint32_t at)
{
    uint32_t type = m->def[m->words[at + 1]];
    if (nf_opcode(m, type) != OpTypeInt || m->words[type + 2] != 32)
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u is no 32-bit integer", m->words[at + 1]);
}

/* Validators let it pass, but nothing else can be made of it. */
static void check_constant_cast(struct nf_module *m, uint32_t at)
{
    uint32_t type = m->def[m->words[at + 1]];
    if (m->words[at + 3] != OpPtrCastToGeneric) return;
    bool pointer = nf_opcode(m, type) == OpTypePointer || nf_opcode(m, type) == OpTypeUntypedPointerKHR;
    if (!pointer || m->words[type + 2] != NF_STORAGE_GENERIC)
        nf_fail(m->arena, NF_MALFORMED, at, "PtrCastToGeneric, but result type %u is not generic", m->words[at + 1]);
}

static void note_linkage(struct nf_module *m, uint32_t at)
{
    uint32_t target = m->words[at + 1], length = nf_length(m, at), kind = m->words[at + length - 1];
    if (length < 5) return;
    m->linkage[target] |= (uint8_t)(kind < 8 ? 1 + kind : 0);
    if (nf_opcode(m, m->def[target]) != OpFunction) return;
    struct nf_function *f = function_of(m, at, target);
    f->imported = kind == NF_LINKAGE_IMPORT;
    f->exported = kind == NF_LINKAGE_EXPORT || kind == NF_LINKAGE_LINK_ONCE_ODR;
}

static bool is_of_subgroups(uint32_t capability)
{
    enum { GROUPS = 18, DISPATCH = 58, NON_UNIFORM = 61, NON_UNIFORM_QUAD = 68, SHUFFLE = 5568, IMAGE_BLOCK_IO = 5570 };
    return capability == GROUPS || capability == DISPATCH ||
           (capability >= NON_UNIFORM && capability <= NON_UNIFORM_QUAD) ||
           (capability >= SHUFFLE && capability <= IMAGE_BLOCK_IO);
}

/* Fourth pass: what refers to functions and types, now that all are known. */
static void check_references(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        switch (nf_opcode(m, at)) {
        case OpFunctionCall: check_call(m, at); break;
        case OpGenericPtrMemSemantics: check_semantics(m, at); break;
        case OpSpecConstantOp: check_constant_cast(m, at); break;
        case OpEntryPoint:
            function_of(m, at, m->words[at + 2])->entry_at = at;
            m->kernel_count++;
            break;
        case OpConstantFunctionPointerINTEL: note_function_pointer(m, at); break;
        case OpMemoryModel: m->address_bits = address_bits_of(m->words[at + 1]); break;
        case OpDecorate:
            if (m->words[at + 2] == NF_DECORATION_LINKAGE) note_linkage(m, at);
            if (m->words[at + 2] == NF_DECORATION_CONSTANT) m->linkage[m->words[at + 1]] |= NF_IS_CONSTANT;
            if (m->words[at + 2] == NF_DECORATION_REFERENCED_INDIRECTLY) note_indirect(m, m->words[at + 1]);
            break;
        case OpVariable:
        case OpUntypedVariableKHR:
            if (at >= m->body_at) break;
            NF_RESERVE(m->arena, m->variables, m->variable_capacity, (size_t)m->variable_count + 1);
            m->variables[m->variable_count++] = nf_result_id(m, at);
            break;
        case OpCapability:
            m->uses_generic |= m->words[at + 1] == NF_CAPABILITY_GENERIC_POINTER;
            m->uses_subgroups |= is_of_subgroups(m->words[at + 1]);
            break;
        case OpTypePointer: check_type(m, at, m->words[at + 3]); /* fall through */
        case OpTypeUntypedPointerKHR:
            m->uses_generic |= m->words[at + 2] == NF_STORAGE_GENERIC;
            m->untyped_pointers |= nf_opcode(m, at) == OpTypeUntypedPointerKHR;
            break;
        case OpTypeArray:
        case OpTypeVector: check_type(m, at, m->words[at + 2]); break;
        case OpTypeStruct:
        case OpTypeFunction:
            for (uint32_t i = 2; i < nf_length(m, at); i++)
                check_type(m, at, m->words[at + i]);
            break;
        default: break;
        }
    }
}

/* ---- Ids far apart ---- */

/* By the ids that are defined, in ascending order: the number that each gets. */
struct numbering {
    struct number {
        uint32_t id, number;
    } * ids;
    uint32_t count, bound;
};

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = ((const struct number *)a)->id, y = ((const struct number *)b)->id;
    return x < y ? -1 : x > y;
}

/* An id that nothing defines gets a number that nothing defines, one that is not below the bound stays so. */
static uint32_t number_of(const struct numbering *n, uint32_t id)
{
    uint32_t low = 0, high = n->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (n->ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < n->count && n->ids[low].id == id) return n->ids[low].number;
    return n->count + (id && id < n->bound ? 1 : 2);
}

static void number_operands(struct nf_module *m, const struct numbering *n, uint32_t at)
{
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) m->words[at + walk.at] = number_of(n, m->words[at + walk.at]);
}

/* An id bound much larger than the module would make every table by id too large: give the ids new numbers. Where the
 * operands of OpSwitch are is known when its selector's type is: they come last. */
static void renumber_ids(struct nf_module *m)
{
    struct numbering n = {.bound = m->bound};
    uint32_t capacity = 0;
    NF_RESERVE(m->arena, n.ids, capacity, 16);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (nf_is_unknown(op))
            nf_fail(m->arena, NF_REFUSED, at, "unknown instruction in a module whose id bound is %u", m->bound);
        if (!nf_has_result(op)) continue;
        NF_RESERVE(m->arena, n.ids, capacity, (size_t)n.count + 1);
        uint32_t id = m->words[at + nf_result_word(op)];
        check_bound(m, at, id);
        n.ids[n.count] = (struct number){id, n.count + 1};
        n.count++;
    }
    qsort(n.ids, n.count, sizeof *n.ids, compare_ids);
    for (uint32_t i = 1; i < n.count; i++)
        if (n.ids[i].id == n.ids[i - 1].id) n.ids[i].number = n.ids[i - 1].number;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (op->opcode != OpSwitch) number_operands(m, &n, at);
        for (uint32_t i = 1; i < nf_first_operand(op); i++)
            m->words[at + i] = number_of(&n, m->words[at + i]);
    }
    m->ext_opencl = number_of(&n, m->ext_opencl);
    m->ext_debug = number_of(&n, m->ext_debug);
    m->ext_shader_debug = number_of(&n, m->ext_shader_debug);
    m->bound = n.count + 2;
    find_definitions(m);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpSwitch) continue;
        m->words[at + 1] = number_of(&n, m->words[at + 1]);
        uint32_t selector = m->words[at + 1];
        number_operands(m, &n, at);
        m->words[at + 1] = selector;
    }
    nf_drop(m->arena, n.ids);
}

void nf_read(struct nf_module *m, const void *bytes, size_t size)
{
    read_header(m, bytes, size);
    m->bytes = nf_bytes_of(m->arena, m->words, m->count);
    check_lengths(m);
    if (m->bound > m->count + 4096)
        renumber_ids(m);
    else
        find_definitions(m);
    find_unknown_results(m);
    m->index_of = NF_NEW(m->arena, uint32_t, m->bound);
    m->linkage = NF_NEW(m->arena, uint8_t, m->bound);
    NF_RESERVE(m->arena, m->functions, m->function_capacity, 1);
    m->function_count = 1;
    check_structure(m);
    check_references(m);
}

void nf_read_again(struct nf_module *m, const struct nf_words *words)
{
    bool swapped = m->swapped;
    *m = (struct nf_module){.arena = m->arena, .options = m->options, .moves = m->moves, .input_count = m->input_count};
    nf_read(m, words->at, (size_t)words->count * 4);
    m->swapped = swapped;
}

void nf_take_words(struct nf_module *m, const struct nf_words *words)
{
    m->words = words->at;
    m->count = words->count;
    m->bytes = nf_bytes_of(m->arena, words->at, words->count);
    m->version = words->at[1];
    m->bound = words->at[3];
    m->body_at = m->count;
    find_definitions(m);
    find_unknown_results(m);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpExtInstImport) note_import(m, at);
        if (nf_opcode(m, at) == OpMemoryModel) m->address_bits = address_bits_of(m->words[at + 1]);
        if (nf_opcode(m, at) != OpFunction) continue;
        m->body_at = at;
        break;
    }
}

void nf_note_move(struct nf_module *m, struct nf_moves *moves, uint32_t at, uint32_t input)
{
    if (moves->count && input - at == moves->at[moves->count - 1].input - moves->at[moves->count - 1].at) return;
    NF_RESERVE(m->arena, moves->at, moves->capacity, (size_t)moves->count + 1);
    moves->at[moves->count++] = (struct nf_move){at, input};
}

uint32_t nf_input_word(const struct nf_module *m, uint32_t at)
{
    uint32_t low = 0, high = m->moves.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (m->moves.at[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? m->moves.at[low - 1].input + (at - m->moves.at[low - 1].at) : at;
}

bool nf_declares(const struct nf_module *m, uint32_t capability)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && nf_opcode(m, at) == OpCapability; at = nf_next(m, at))
        if (m->words[at + 1] == capability) return true;
    return false;
}

const char *nf_linkage_name(const struct nf_module *m, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_is_linkage(m, at) && m->words[at + 1] == id) return nf_string(m, at + 3);
    return "";
}

nf_status nf_peek(const void *bytes, size_t size, nf_summary *summary)
{
    const uint8_t *input = bytes;
    uint32_t header[2];
    memset(summary, 0, sizeof *summary);
    if (size < NF_HEADER_WORDS * 4 || size % 4) return NF_MALFORMED;
    memcpy(header, input, 8);
    bool swapped = header[0] == nf_swapped(NF_MAGIC);
    if (header[0] != NF_MAGIC && !swapped) return NF_MALFORMED;
    summary->version = swapped ? nf_swapped(header[1]) : header[1];
    for (size_t at = NF_HEADER_WORDS, length; at < size / 4; at += length) {
        uint32_t word[4] = {0};
        size_t left = size / 4 - at;
        memcpy(word, input + 4 * at, 4 * (left < 4 ? left : 4));
        for (int i = 0; swapped && i < 4; i++)
            word[i] = nf_swapped(word[i]);
        uint32_t opcode = nf_opcode_of(word[0]), last = 0;
        length = nf_length_of(word[0]);
        if (!length || length > left) return NF_MALFORMED;
        if (opcode == OpFunction && !summary->uses_generic) break;
        memcpy(&last, input + 4 * (at + length - 1), 4);
        last = swapped ? nf_swapped(last) : last;
        if (opcode == OpEntryPoint && word[1] == NF_EXECUTION_MODEL_KERNEL) summary->kernels++;
        if (opcode == OpMemoryModel) summary->address_bits = address_bits_of(word[1]);
        if (opcode == OpCapability && word[1] == NF_CAPABILITY_GENERIC_POINTER) summary->uses_generic = 1;
        if ((opcode == OpTypePointer || opcode == OpTypeUntypedPointerKHR) && word[2] == NF_STORAGE_GENERIC)
            summary->uses_generic = 1;
        if (opcode == OpGenericCastToPtrExplicit || opcode == OpGenericPtrMemSemantics) summary->asks_memory = 1;
        if (opcode == OpDecorate && word[2] == NF_DECORATION_LINKAGE) {
            summary->has_imports |= last == NF_LINKAGE_IMPORT;
            summary->has_exports |= last != NF_LINKAGE_IMPORT;
        }
    }
    return NF_OK;
}
