/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sections.c - finds the section of an instruction in the output, and appends it there with its ids mapped.
 *
 *     OpName %7 "x"      of a unit with base 100: OpName %107 "x" in NF_SECTION_NAMES
 *
 * needs: units whose maps are filled.  gives: words in the sections.
 */
#include "link/internal.h"

enum nf_section nf_section_of(uint32_t opcode)
{
    switch (opcode) {
    case OpCapability: return NF_SECTION_CAPABILITIES;
    case OpExtension: return NF_SECTION_EXTENSIONS;
    case OpExtInstImport: return NF_SECTION_IMPORTS;
    case OpMemoryModel: return NF_SECTION_MEMORY_MODEL;
    case OpEntryPoint: return NF_SECTION_ENTRY_POINTS;
    case OpExecutionMode:
    case OpExecutionModeId: return NF_SECTION_MODES;
    case OpSourceContinued:
    case OpSource:
    case OpSourceExtension:
    case OpString: return NF_SECTION_SOURCES;
    case OpName:
    case OpMemberName: return NF_SECTION_NAMES;
    case OpModuleProcessed: return NF_SECTION_PROCESSED;
    case OpDecorateId:
    case OpDecorateString:
    case OpMemberDecorateString: return NF_SECTION_ANNOTATIONS;
    default:
        return opcode >= OpDecorate && opcode <= OpGroupMemberDecorate ? NF_SECTION_ANNOTATIONS : NF_SECTION_GLOBALS;
    }
}

void nf_append_mapped(struct nf_linker *linker, const struct nf_unit *unit, uint32_t at, enum nf_section section)
{
    const struct nf_module *m = &unit->m;
    struct nf_words *words = &linker->sections[section];
    uint32_t start = words->count, operands = nf_operand_at(m, at, 0) - at;
    nf_append_words(words, m->words + at, nf_length(m, at));
    uint32_t *copy = words->at + start;
    for (uint32_t i = 1; i < operands; i++)
        copy[i] = unit->map[copy[i]];
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) copy[walk.at] = unit->map[copy[walk.at]];
}
