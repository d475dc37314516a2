/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads a file as a module: words in host order, types, names, decorations, and the positions of all
 * definitions. Takes modules that spirv-val accepts; other modules are rejected only if they would crash the judge.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) nfj_usage("cannot read %s", path);
    size_t room = 1 << 16, got;
    uint8_t *bytes = nfj_alloc(room);
    *size = 0;
    while ((got = fread(bytes + *size, 1, room - *size, file)) > 0) {
        *size += got;
        if (*size == room) {
            room *= 2;
            bytes = realloc(bytes, room);
            if (!bytes) nfj_usage("out of memory for %s", path);
        }
    }
    fclose(file);
    return bytes;
}

static uint32_t swap(uint32_t w)
{
    return w >> 24 | (w >> 8 & 0xff00) | (w << 8 & 0xff0000) | w << 24;
}

static void take_header(struct module *m, size_t size)
{
    m->word_count = (uint32_t)(size / 4);
    if (m->word_count < 5) nfj_cannot(m, "the file is too short");
    if (m->words[0] == swap(SpvMagicNumber))
        for (uint32_t i = 0; i < m->word_count; i++)
            m->words[i] = swap(m->words[i]);
    if (m->words[0] != SpvMagicNumber) nfj_cannot(m, "it is not SPIR-V");
    m->bound = m->words[3];
    if (m->bound > 1u << 24) nfj_cannot(m, "an id bound of %u", m->bound);
    m->types = nfj_alloc(m->bound * sizeof *m->types);
    m->ids = nfj_alloc(m->bound * sizeof *m->ids);
    for (uint32_t i = 0; i < m->bound; i++) {
        m->ids[i].builtin = -1;
        m->ids[i].spec = -1;
    }
    m->address_bits = 64;
}

static void take_decoration(struct module *m, const uint32_t *w, uint32_t length)
{
    struct id_info *id = &m->ids[w[1]];
    switch (w[2]) {
    case SpvDecorationBuiltIn: id->builtin = (int16_t)w[3]; break;
    case SpvDecorationSpecId: id->spec = (int32_t)w[3]; break;
    case SpvDecorationCPacked: id->packed = true; break;
    case SpvDecorationAlignment: id->alignment = w[3]; break;
    case SpvDecorationSaturatedConversion: id->saturate = true; break;
    case SpvDecorationFPRoundingMode: id->rounding = (uint8_t)(w[3] + 1); break;
    case SpvDecorationFuncParamAttr:
        if (w[3] == SpvFunctionParameterAttributeByVal) id->by_value = true;
        break;
    case SpvDecorationLinkageAttributes:
        id->linkage = (const char *)(w + 3);
        id->imported = w[length - 1] == SpvLinkageTypeImport;
        break;
    default: break;
    }
}

static void take_group_decoration(struct module *m, const uint32_t *w, uint32_t length)
{
    const struct id_info *group = &m->ids[w[1]];
    for (uint32_t i = 2; i < length; i++) {
        struct id_info *id = &m->ids[w[i]];
        if (group->builtin >= 0) id->builtin = group->builtin;
        id->packed |= group->packed;
        id->by_value |= group->by_value;
        id->saturate |= group->saturate;
        if (group->alignment) id->alignment = group->alignment;
        if (group->linkage) id->linkage = group->linkage;
    }
}

static bool is_type(uint32_t op)
{
    return (op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer) || op == SpvOpTypeNamedBarrier ||
           op == SpvOpTypePipeStorage || op == 4417;
}

static void take_function(struct module *m, uint32_t word)
{
    const uint32_t *w = m->words + word;
    struct function f = {.id = w[2], .first = word, .type = w[4]};
    PUSH(m->functions, f);
    m->ids[w[2]].function = m->functions.count;
}

static void take_parameter(struct module *m, const uint32_t *w)
{
    struct function *f = &m->functions.at[m->functions.count - 1];
    f->parameters = realloc(f->parameters, (f->parameter_count + 1) * sizeof *f->parameters);
    if (!f->parameters) nfj_usage("out of memory for %s", m->path);
    f->parameters[f->parameter_count++] = w[2];
    f->parameter_cells += nfj_type(m, w[1])->cells;
}

static void take_model(struct module *m, const uint32_t *w)
{
    m->address_bits = w[1] == SpvAddressingModelPhysical32 ? 32 : 64;
    if (w[1] == SpvAddressingModelLogical) nfj_cannot(m, "logical addressing");
}

/* Reads declarations and the boundaries of functions, but not their bodies. */
static void take(struct module *m, uint32_t word, bool in_function)
{
    const uint32_t *w = m->words + word;
    uint32_t op = w[0] & 0xffff, length = w[0] >> 16;
    bool has_result, has_type;
    nfj_result_of((uint16_t)op, &has_result, &has_type);
    if (has_result && length > (has_type ? 2u : 1u)) {
        uint32_t id = w[has_type ? 2 : 1];
        if (id >= m->bound) nfj_cannot(m, "id %u is out of bounds", id);
        m->ids[id].word = word;
        m->ids[id].type = has_type ? w[1] : 0;
    }
    if (is_type(op)) nfj_read_type(m, word);
    switch (op) {
    case SpvOpName: m->ids[w[1]].name = (const char *)(w + 2); break;
    case SpvOpDecorate: take_decoration(m, w, length); break;
    case SpvOpGroupDecorate: take_group_decoration(m, w, length); break;
    case SpvOpMemoryModel: take_model(m, w); break;
    case SpvOpEntryPoint: PUSH(m->entries, word); break;
    case SpvOpExecutionMode: PUSH(m->modes, word); break;
    case SpvOpExtInstImport:
        if (!strcmp((const char *)(w + 2), "OpenCL.std")) m->opencl_std = w[1];
        break;
    case SpvOpFunction: take_function(m, word); break;
    case SpvOpFunctionParameter: take_parameter(m, w); break;
    case SpvOpLabel: m->functions.at[m->functions.count - 1].has_body = true; break;
    default:
        if (!in_function && has_type && op != SpvOpExtInst) PUSH(m->scope, word);
        break;
    }
}

struct module *nfj_read(const char *path)
{
    struct module *m = nfj_alloc(sizeof *m);
    size_t size;
    m->path = path;
    m->words = (uint32_t *)(void *)read_file(path, &size);
    take_header(m, size);
    bool in_function = false;
    for (uint32_t word = 5; word < m->word_count;) {
        uint32_t length = m->words[word] >> 16, op = m->words[word] & 0xffff;
        if (length == 0 || word + length > m->word_count) nfj_cannot(m, "the instruction at word %u is cut", word);
        in_function |= op == SpvOpFunction;
        take(m, word, in_function);
        in_function &= op != SpvOpFunctionEnd;
        word += length;
    }
    return m;
}

static void free_types(struct module *m)
{
    for (uint32_t i = 0; i < m->bound; i++)
        if (m->types[i]) {
            free(m->types[i]->members);
            free(m->types[i]->offsets);
            free(m->types[i]->leaves);
            free(m->types[i]);
        }
    free(m->types);
}

void nfj_free_module(struct module *m)
{
    free_types(m);
    for (uint32_t i = 0; i < m->functions.count; i++) {
        free(m->functions.at[i].parameters);
        free(m->functions.at[i].code);
    }
    free(m->functions.at);
    free(m->edges.at);
    free(m->moves.at);
    free(m->pool.at);
    free(m->constants.at);
    free(m->scope.at);
    free(m->entries.at);
    free(m->modes.at);
    free(m->ids);
    free(m->words);
    free(m);
}
