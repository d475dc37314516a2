/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - names of functions and values, and source lines, for reports and messages.
 *
 *     OpLine %file 7 3      "k.cl:7" for the instructions that follow it in its block
 *
 * Source lines come in two forms: core SPIR-V's OpLine, and extended instructions of NonSemantic.Shader.DebugInfo,
 * which DPC++ emits.
 *
 * needs: a module that was read.  gives: strings, in the module itself or in the arena.
 */
#include "module/module.h"

uint32_t nf_name_word(const struct nf_module *m, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpName && nf_annotated_id(m, at) == id) return at + 2;
    return 0;
}

const char *nf_function_name(struct nf_module *m, const struct nf_function *f)
{
    uint32_t word = f->entry_at ? f->entry_at + 3 : nf_name_word(m, f->id);
    struct nf_text name = {.arena = m->arena};
    if (word) return nf_string(m, word);
    nf_print(&name, "%%%u", f->id);
    return name.at;
}

const struct nf_function *nf_function_around(const struct nf_module *m, uint32_t at)
{
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].at <= at && at < m->functions[i].end) return &m->functions[i];
    return NULL;
}

uint32_t nf_after_variables(const struct nf_module *m, const struct nf_function *f)
{
    uint32_t at = nf_next(m, f->body);
    while (nf_opcode(m, at) == OpVariable || nf_debug_at(m, at) != NF_DEBUG_NONE)
        at = nf_next(m, at);
    return at;
}

uint32_t nf_parameter_from(const struct nf_module *m, uint32_t at)
{
    while (nf_opcode(m, at) != OpFunctionParameter)
        at = nf_next(m, at);
    return at;
}

uint32_t nf_parameter_index(const struct nf_module *m, const struct nf_function *f, uint32_t at)
{
    uint32_t index = 0;
    for (uint32_t before = f->parameters; before < at; before = nf_next(m, before))
        index += nf_opcode(m, before) == OpFunctionParameter;
    return index;
}

/* Returns the last line instruction before `at` in its block, 0 if there is none. */
static uint32_t line_before(const struct nf_module *m, const struct nf_function *f, uint32_t at)
{
    uint32_t line = 0;
    for (uint32_t i = f->at; i < at; i = nf_next(m, i)) {
        enum nf_debug debug = nf_debug_at(m, i);
        if (debug == NF_DEBUG_LINE) line = i;
        if (debug == NF_DEBUG_NO_LINE || nf_ends_block(nf_opcode(m, i))) line = 0;
    }
    return line;
}

/* Returns the OpString that names the file of a line instruction; 0 if there is none. */
static uint32_t file_of(const struct nf_module *m, uint32_t line)
{
    if (nf_opcode(m, line) == OpLine) return nf_match(m, nf_line_file(m, line), OpString);
    uint32_t source = nf_length(m, line) > 6 ? nf_match(m, nf_extended_operand(m, line, 0), OpExtInst) : 0;
    return source && nf_length(m, source) > 5 ? nf_match(m, nf_extended_operand(m, source, 0), OpString) : 0;
}

static uint32_t number_of_line(const struct nf_module *m, uint32_t line)
{
    if (nf_opcode(m, line) == OpLine) return nf_line_number(m, line);
    uint32_t constant = nf_match(m, nf_extended_operand(m, line, 1), OpConstant);
    return constant ? nf_constant_word(m, constant, 0) : 0;
}

const char *nf_source_of(struct nf_module *m, const struct nf_function *f, uint32_t at)
{
    uint32_t line = line_before(m, f, at), file = line ? file_of(m, line) : 0;
    struct nf_text where = {.arena = m->arena};
    uint32_t number = file ? number_of_line(m, line) : 0; /* line 0: code that the compiler generated */
    if (!number) return "";
    nf_print(&where, "%s:%u", nf_string(m, file + 2), number);
    return where.at;
}

const char *nf_linkage_name(const struct nf_module *m, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_is_linkage(m, at) && nf_annotated_id(m, at) == id) return nf_string(m, at + 3);
    return "";
}

bool nf_is_cxx_runtime(const char *name)
{
    static const char *const prefixes[] = {"__cxa_",
                                           "_ZSt",
                                           "_ZNSt",
                                           "_ZNKSt",
                                           "_Znwm",
                                           "_Znam",
                                           "_Zdl",
                                           "_Zda",
                                           "_ZTVSt",
                                           "_ZTISt",
                                           "_ZTVN10__cxxabiv1",
                                           "__glibcxx_assert",
                                           "__assert_fail"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
    return false;
}
