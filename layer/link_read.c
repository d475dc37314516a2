/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_read.c - makes a unit of one module for the linker: words in host order, every length and id checked, spec
 * constants frozen to their values (two modules may use one SpecId), symbols listed.
 */
#include "linker.h"

#include "opcodes.h"

#include <stdlib.h>
#include <string.h>

enum { ID_BOUND_MAX = 4194303 }; /* SPIR-V's own limit: tables of that size are no danger */

static nf_status malformed(char **message, size_t at, const char *what)
{
    *message = nf_cl_format("not a well-formed SPIR-V module: word %zu: %s", at, what);
    return NF_MALFORMED;
}

/* ---- words ---- */

static nf_status read_words(const struct nf_cl_link_input *input, struct nf_cl_unit *unit, char **message)
{
    unit->count = input->size / sizeof(uint32_t);
    if (unit->count < NF_CL_HEADER_WORDS || input->size % sizeof(uint32_t) != 0)
        return malformed(message, 0, "its size");
    unit->words = malloc(input->size);
    if (!unit->words) return NF_OUT_OF_MEMORY;
    memcpy(unit->words, input->module, input->size);
    if (unit->words[0] == 0x03022307u)
        for (size_t i = 0; i < unit->count; i++)
            unit->words[i] = __builtin_bswap32(unit->words[i]);
    if (unit->words[0] != 0x07230203u) return malformed(message, 0, "no magic number");
    unit->bound = unit->words[3];
    if (unit->bound == 0 || unit->bound > ID_BOUND_MAX) return malformed(message, 3, "its bound");
    return NF_OK;
}

/* Byte-swapping also turned the bytes of strings around; host-order words hold them little end first. So strings are
 * right again once every word is in host order, on a little-endian host. */

static nf_status allocate(struct nf_cl_unit *unit)
{
    unit->map = calloc(unit->bound, sizeof(*unit->map));
    unit->dropped = calloc(unit->bound, sizeof(*unit->dropped));
    unit->type = calloc(unit->bound, sizeof(*unit->type));
    unit->ext_set = calloc(unit->bound, sizeof(*unit->ext_set));
    unit->wide = calloc(unit->bound, sizeof(*unit->wide));
    bool good = unit->map && unit->dropped && unit->type && unit->ext_set && unit->wide;
    return good ? NF_OK : NF_OUT_OF_MEMORY;
}

/* ---- one instruction ---- */

static bool ends_inside(const uint32_t *words, uint32_t from, uint32_t length)
{
    return from < length && memchr(words + from, 0, (length - from) * sizeof(*words)) != NULL;
}

static void note_ext_set(struct nf_cl_unit *unit, size_t at)
{
    const char *name = (const char *)(unit->words + at + 2);
    enum nf_ext_set set = NF_EXT_OTHER;
    if (strcmp(name, "OpenCL.std") == 0)
        set = NF_EXT_OPENCL_STD;
    else if (strcmp(name, "OpenCL.DebugInfo.100") == 0)
        set = NF_EXT_DEBUG_INFO;
    unit->ext_set[unit->words[at + 1]] = (uint8_t)set;
}

static enum nf_ext_set set_of(const struct nf_cl_unit *unit, size_t at)
{
    if (nf_cl_op(unit, at) != NF_CL_OP_EXT_INST || nf_cl_length(unit, at) < 5) return NF_EXT_OTHER;
    uint32_t import = unit->words[at + 3];
    return import < unit->bound ? (enum nf_ext_set)unit->ext_set[import] : NF_EXT_OTHER;
}

/* How many words has a literal of the OpSwitch at `at`? */
static unsigned selector_words(const struct nf_cl_unit *unit, size_t at)
{
    if (nf_cl_op(unit, at) != NF_CL_OP_SWITCH || nf_cl_length(unit, at) < 3) return 1;
    uint32_t selector = unit->words[at + 1];
    return selector < unit->bound && unit->wide[unit->type[selector]] ? 2 : 1;
}

/* Walk the operands. @return false when they do not fit the grammar or an id is out of bounds. */
static bool check_operands(const struct nf_cl_unit *unit, size_t at)
{
    uint32_t length = nf_cl_length(unit, at);
    const struct nf_op *op = nf_op_find(nf_cl_op(unit, at));
    if (op->opcode == 0xffff || length < op->words) return false;
    for (uint32_t i = 1; i < 1u + (op->result & 1) + (op->result >> 1); i++)
        if (unit->words[at + i] == 0 || unit->words[at + i] >= unit->bound) return false;
    struct nf_operands walk = nf_operands_begin(unit->words + at, length, set_of(unit, at), selector_words(unit, at));
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && (unit->words[at + walk.at] == 0 || unit->words[at + walk.at] >= unit->bound))
            return false;
    return !walk.broken;
}

static nf_status note_instruction(struct nf_cl_unit *unit, size_t at, char **message)
{
    const struct nf_op *op = nf_op_find(nf_cl_op(unit, at));
    const uint32_t *words = unit->words + at;
    if (op->opcode == 0xffff) {
        *message = nf_cl_format("word %zu: an instruction that is not known (opcode %u) cannot be linked", at,
                                nf_cl_op(unit, at));
        return NF_REFUSED;
    }
    if (op->opcode == NF_CL_OP_EXT_INST_IMPORT && words[1] < unit->bound &&
        ends_inside(words, 2, nf_cl_length(unit, at)))
        note_ext_set(unit, at);
    if (!check_operands(unit, at)) return malformed(message, at, op->name);
    if (op->result == 3) unit->type[words[2]] = words[1];
    if (op->opcode == NF_CL_OP_TYPE_INT) unit->wide[words[1]] = words[2] > 32;
    if (op->opcode == NF_CL_OP_FUNCTION && !unit->functions) unit->functions = at;
    return NF_OK;
}

static nf_status check(struct nf_cl_unit *unit, char **message)
{
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->count; at += nf_cl_length(unit, at)) {
        uint32_t length = nf_cl_length(unit, at);
        if (length == 0 || length > unit->count - at) return malformed(message, at, "an instruction that does not end");
        nf_status status = note_instruction(unit, at, message);
        if (status != NF_OK) return status;
    }
    if (!unit->functions) unit->functions = unit->count;
    return NF_OK;
}

/* ---- spec constants ---- */

static const nf_spec_value *value_of(const struct nf_cl_link_input *input, uint32_t spec_id)
{
    for (size_t i = 0; i < input->spec_count; i++)
        if (input->specs[i].id == spec_id) return &input->specs[i];
    return NULL;
}

/* Make the spec constant `id` a plain one, with `value` when there is one. */
static void freeze_one(struct nf_cl_unit *unit, uint32_t id, const nf_spec_value *value)
{
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->functions; at += nf_cl_length(unit, at)) {
        uint32_t op = nf_cl_op(unit, at), *words = unit->words + at;
        if (op < NF_CL_OP_SPEC_TRUE || op > NF_CL_OP_SPEC_CONSTANT || words[2] != id) continue;
        uint32_t plain = op - NF_CL_OP_SPEC_TRUE + NF_CL_OP_CONSTANT_TRUE;
        if (value && op != NF_CL_OP_SPEC_CONSTANT)
            plain = value->value & 0xff ? NF_CL_OP_CONSTANT_TRUE : NF_CL_OP_CONSTANT_FALSE;
        words[0] = (words[0] & 0xffff0000u) | plain;
        for (uint32_t i = 3; value && op == NF_CL_OP_SPEC_CONSTANT && i < nf_cl_length(unit, at) && i < 5; i++)
            words[i] = (uint32_t)(value->value >> (i - 3) * 32);
        return;
    }
}

static void freeze(struct nf_cl_unit *unit, const struct nf_cl_link_input *input)
{
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->functions; at += nf_cl_length(unit, at)) {
        const uint32_t *words = unit->words + at;
        if (nf_cl_op(unit, at) == NF_CL_OP_DECORATE && nf_cl_length(unit, at) == 4 &&
            words[2] == NF_CL_DECORATION_SPEC_ID)
            freeze_one(unit, words[1], value_of(input, words[3]));
    }
}

/* ---- symbols ---- */

static bool is_linkage(const struct nf_cl_unit *unit, size_t at)
{
    const uint32_t *words = unit->words + at;
    uint32_t length = nf_cl_length(unit, at);
    return nf_cl_op(unit, at) == NF_CL_OP_DECORATE && length >= 5 && words[2] == NF_CL_DECORATION_LINKAGE &&
           ends_inside(words, 3, length - 1);
}

static size_t definition_of(const struct nf_cl_unit *unit, uint32_t id)
{
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->count; at += nf_cl_length(unit, at)) {
        uint32_t op = nf_cl_op(unit, at);
        if ((op == NF_CL_OP_FUNCTION || op == NF_CL_OP_VARIABLE) && unit->words[at + 2] == id) return at;
    }
    return 0;
}

static nf_status list_symbols(struct nf_cl_unit *unit)
{
    size_t count = 0;
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->functions; at += nf_cl_length(unit, at))
        count += is_linkage(unit, at);
    unit->symbols = calloc(count + 1, sizeof(*unit->symbols));
    if (!unit->symbols) return NF_OUT_OF_MEMORY;
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->functions; at += nf_cl_length(unit, at)) {
        if (!is_linkage(unit, at)) continue;
        const uint32_t *words = unit->words + at;
        struct nf_cl_symbol *symbol = &unit->symbols[unit->symbol_count++];
        symbol->name = (const char *)(words + 3);
        symbol->id = words[1];
        symbol->kind = words[nf_cl_length(unit, at) - 1];
        symbol->at = definition_of(unit, symbol->id);
    }
    return NF_OK;
}

nf_status nf_cl_unit_read(const struct nf_cl_link_input *input, struct nf_cl_unit *unit, char **message)
{
    nf_status status = read_words(input, unit, message);
    if (status == NF_OK) status = allocate(unit);
    if (status == NF_OK) status = check(unit, message);
    if (status == NF_OK) freeze(unit, input);
    return status == NF_OK ? list_symbols(unit) : status;
}

void nf_cl_unit_free(struct nf_cl_unit *unit)
{
    free(unit->words);
    free(unit->map);
    free(unit->dropped);
    free(unit->type);
    free(unit->ext_set);
    free(unit->wide);
    free(unit->symbols);
}
