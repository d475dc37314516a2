/* SPDX-License-Identifier: Apache-2.0 */
/*
 * definitions.c - records where each id is defined, and which extended instruction sets are imported.
 *
 *     %opencl = OpExtInstImport "OpenCL.std"     m->ext_opencl
 *     %7 = OpTypeInt 32 0                        m->def[7]
 *
 * needs: instructions of valid length.  gives: def, ext_opencl, ext_debug and ext_shader_debug.
 */
#include "module/internal.h"

uint32_t nf_address_bits_of(uint32_t addressing_model)
{
    return addressing_model == NF_ADDRESSING_PHYSICAL_32 ? 32 : addressing_model == NF_ADDRESSING_PHYSICAL_64 ? 64 : 0;
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

void nf_note_import(struct nf_module *m, uint32_t at)
{
    uint32_t end = nf_next(m, at);
    if (same_string(m, at + 2, end, "OpenCL.std")) m->ext_opencl = nf_declared_id(m, at);
    /* SPIRV.debug is the name that LLVM's translator used before OpenCL.DebugInfo.100 was registered; the sets are
     * identical. */
    if (same_string(m, at + 2, end, "OpenCL.DebugInfo.100") || same_string(m, at + 2, end, "SPIRV.debug"))
        m->ext_debug = nf_declared_id(m, at);
    if (same_string(m, at + 2, end, "NonSemantic.Shader.DebugInfo.100") ||
        same_string(m, at + 2, end, "NonSemantic.Shader.DebugInfo.200"))
        m->ext_shader_debug = nf_declared_id(m, at);
}

void nf_check_bound(const struct nf_module *m, uint32_t at, uint32_t id)
{
    if (!id || id >= m->bound)
        nf_fail(m->arena, NF_MALFORMED, at, "result id %u is not below the bound %u", id, m->bound);
}

static void define(struct nf_module *m, uint32_t at, uint32_t id)
{
    nf_check_bound(m, at, id);
    if (m->def[id]) nf_fail(m->arena, NF_MALFORMED, at, "id %u is defined twice", id);
    m->def[id] = at;
}

/* Records, as results of unknown instructions, the ids at the usual position that no other instruction defines. */
static void find_unknown_results(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (!nf_is_unknown(nf_op_find(nf_opcode(m, at))) || nf_length(m, at) < 3) continue;
        uint32_t id = nf_value_id(m, at);
        if (id && id < m->bound && !m->def[id] && nf_is_type(m, nf_value_type(m, at))) m->def[id] = at;
    }
}

void nf_find_definitions(struct nf_module *m)
{
    bool unknown = false;
    m->def = NF_NEW(m->arena, uint32_t, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        unknown |= nf_is_unknown(op);
        if (nf_has_result(op)) define(m, at, nf_word(m, at, nf_result_word(op)));
    }
    if (unknown) find_unknown_results(m);
}

bool nf_profile_takes_extension(const nf_profile *p, const char *name)
{
    if (p->extension_count == SIZE_MAX) return false;
    if (!p->extension_count) return true;
    for (size_t i = 0; i < p->extension_count; i++)
        if (strcmp(p->extensions[i], name) == 0) return true;
    return false;
}

bool nf_has_fault(const nf_profile *profile, nf_fault fault)
{
    for (size_t i = 0; profile && i < profile->fault_count; i++)
        if (profile->faults[i] == (uint32_t)fault) return true;
    return false;
}

bool nf_declares(const struct nf_module *m, uint32_t capability)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && nf_opcode(m, at) == OpCapability; at = nf_next(m, at))
        if (nf_capability_at(m, at) == capability) return true;
    return false;
}

static void reach_operands(const struct nf_module *m, uint32_t at, bool *reached)
{
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) reached[nf_current_operand(&walk)] = true;
}

/* Definitions precede their uses, so they are visited in reverse order. */
const bool *nf_reached_by_functions(const struct nf_module *m)
{
    struct nf_words definitions = {.arena = m->arena};
    bool *reached = NF_NEW(m->arena, bool, m->bound);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        if (nf_debug_at(m, at) == NF_DEBUG_NONE) reach_operands(m, at, reached);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_is_made_constant(nf_opcode(m, at)) || nf_opcode(m, at) == OpVariable) nf_append_word(&definitions, at);
    while (definitions.count) {
        uint32_t at = definitions.at[--definitions.count];
        if (reached[nf_result_id(m, at)]) reach_operands(m, at, reached);
    }
    return reached;
}

/* Returns the pointer from which `id` is derived by casts and access chains. */
static uint32_t origin_of(const struct nf_module *m, uint32_t id)
{
    enum { MOST_STEPS = 64 };
    for (uint32_t i = 0; i < MOST_STEPS && m->def[id] && nf_derives_pointer(nf_role_at(m, m->def[id])); i++)
        id = nf_value_operand(m, m->def[id], 0);
    return id;
}

bool nf_is_of_llvm_back_end(const struct nf_module *m)
{
    enum { GENERATOR_WORD = 2, LLVM_BACK_END = 43 }; /* the number of the generator in SPIR-V's registry */
    return m->words[GENERATOR_WORD] >> 16 == LLVM_BACK_END;
}

bool nf_is_move_inside_object(const struct nf_module *m, uint32_t at)
{
    return nf_is_of_llvm_back_end(m) && origin_of(m, nf_copy_target(m, at)) == origin_of(m, nf_copy_source(m, at));
}
