/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_read.c - makes a unit of one module for the linker: words in host order, every length and id checked, spec
 * constants frozen to their values (two modules may use one SpecId), symbols listed.
 *
 * Tables are indexed by ids. A module whose bound is far above the ids that it has gets others, close together, while
 * it is checked: a header of five words must not cost what a bound of four million does.
 */
#include "linker.h"

#include "spirv/spirv.h"

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
    size_t size = unit->bound;
    if (unit->bound > unit->count) { /* no more ids than words */
        size = unit->count;
        unit->dense_size = 2;
        while (unit->dense_size < unit->count)
            unit->dense_size *= 2;
        unit->dense_size *= 2;
        unit->dense = calloc(unit->dense_size, sizeof *unit->dense);
    }
    unit->map = calloc(size, sizeof *unit->map);
    unit->dropped = calloc(size, sizeof *unit->dropped);
    unit->type = calloc(size, sizeof *unit->type);
    unit->constant = calloc(size, sizeof *unit->constant);
    unit->ext_set = calloc(size, sizeof *unit->ext_set);
    unit->wide = calloc(size, sizeof *unit->wide);
    bool good = unit->map && unit->dropped && unit->type && unit->constant && unit->ext_set && unit->wide;
    return good && (unit->dense || !unit->dense_size) ? NF_OK : NF_OUT_OF_MEMORY;
}

/* ---- ids ---- */

/* @return the id that the unit has for an id of the module, 0 when that is none. */
static uint32_t id_of(struct nf_cl_unit *unit, uint32_t given)
{
    if (given == 0 || given >= unit->bound) return 0;
    if (!unit->dense) return given;
    size_t i = given * 2654435761u & (unit->dense_size - 1);
    while (unit->dense[i].given && unit->dense[i].given != given)
        i = (i + 1) & (unit->dense_size - 1);
    if (!unit->dense[i].given) unit->dense[i] = (struct nf_cl_dense){given, ++unit->dense_count};
    return unit->dense[i].id;
}

/* Give the word its id of the unit. @return false when it is none. */
static bool take_id(struct nf_cl_unit *unit, size_t at)
{
    unit->words[at] = id_of(unit, unit->words[at]);
    return unit->words[at] != 0;
}

/* All ids have been seen: the bound is that of the new ones. */
static void end_ids(struct nf_cl_unit *unit)
{
    if (!unit->dense) return;
    free(unit->dense);
    unit->dense = NULL;
    unit->bound = unit->dense_count + 1;
}

/* ---- one instruction ---- */

static bool ends_inside(const uint32_t *words, uint32_t from, uint32_t length)
{
    return from < length && memchr(words + from, 0, (length - from) * sizeof *words) != NULL;
}

static void note_ext_set(struct nf_cl_unit *unit, size_t at)
{
    const char *name = (const char *)(unit->words + at + 2);
    enum nf_ext_set set = NF_EXT_OTHER;
    if (strcmp(name, "OpenCL.std") == 0)
        set = NF_EXT_OPENCL_STD;
    else if (strcmp(name, "OpenCL.DebugInfo.100") == 0)
        set = NF_EXT_DEBUG_INFO;
    unit->ext_set[id_of(unit, unit->words[at + 1])] = (uint8_t)set;
}

static enum nf_ext_set set_of(struct nf_cl_unit *unit, size_t at)
{
    if (nf_cl_op(unit, at) != NF_CL_OP_EXT_INST || nf_cl_length(unit, at) < 5) return NF_EXT_OTHER;
    return (enum nf_ext_set)unit->ext_set[id_of(unit, unit->words[at + 3])];
}

/* How many words has a literal of the OpSwitch at `at`? */
static unsigned selector_words(struct nf_cl_unit *unit, size_t at)
{
    if (nf_cl_op(unit, at) != NF_CL_OP_SWITCH || nf_cl_length(unit, at) < 3) return 1;
    return unit->wide[unit->type[id_of(unit, unit->words[at + 1])]] ? 2 : 1;
}

/* Walk the operands, and make their ids the unit's. @return false when they do not fit the grammar or an id is out of
 * bounds. */
static bool check_operands(struct nf_cl_unit *unit, size_t at)
{
    uint32_t length = nf_cl_length(unit, at);
    const struct nf_op *op = nf_op_find(nf_cl_op(unit, at));
    struct nf_operands walk = nf_operands_begin(unit->words + at, length, set_of(unit, at), selector_words(unit, at));
    for (uint32_t i = 1; i < 1u + (op->result & 1) + (op->result >> 1); i++)
        if (!take_id(unit, at + i)) return false;
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && !take_id(unit, at + walk.at)) return false;
    return !walk.broken;
}

/* What other instructions have to know of this one before their operands can be told apart. Its ids are still those of
 * the module. */
static nf_status note_instruction(struct nf_cl_unit *unit, size_t at, char **message)
{
    const struct nf_op *op = nf_op_find(nf_cl_op(unit, at));
    const uint32_t *words = unit->words + at;
    if (op->opcode == 0xffff) {
        *message = nf_cl_format("word %zu: an instruction that is not known (opcode %u) cannot be linked", at,
                                nf_cl_op(unit, at));
        return NF_REFUSED;
    }
    if (nf_cl_length(unit, at) < op->words) return malformed(message, at, op->name);
    if (op->opcode == NF_CL_OP_EXT_INST_IMPORT && ends_inside(words, 2, nf_cl_length(unit, at))) note_ext_set(unit, at);
    if (op->result == 3) unit->type[id_of(unit, words[2])] = id_of(unit, words[1]);
    if (op->opcode == NF_CL_OP_TYPE_INT) unit->wide[id_of(unit, words[1])] = words[2] > 32;
    if (op->opcode == NF_CL_OP_CONSTANT || op->opcode == NF_CL_OP_SPEC_CONSTANT)
        unit->constant[id_of(unit, words[2])] = at;
    if (op->opcode == NF_CL_OP_FUNCTION && !unit->functions) unit->functions = at;
    return NF_OK;
}

static nf_status note_all(struct nf_cl_unit *unit, char **message)
{
    nf_status status = NF_OK;
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->count && status == NF_OK; at += nf_cl_length(unit, at)) {
        uint32_t length = nf_cl_length(unit, at);
        if (length == 0 || length > unit->count - at) return malformed(message, at, "an instruction that does not end");
        status = note_instruction(unit, at, message);
    }
    if (!unit->functions) unit->functions = unit->count;
    return status;
}

/* In two walks: a module may be wrong and define what decides over an instruction's operands behind it, or twice, and
 * whoever reads the unit afterwards must see the same operands as this. */
static nf_status check(struct nf_cl_unit *unit, char **message)
{
    nf_status status = note_all(unit, message);
    for (size_t at = NF_CL_HEADER_WORDS; at < unit->count && status == NF_OK; at += nf_cl_length(unit, at))
        if (!check_operands(unit, at)) status = malformed(message, at, nf_op_find(nf_cl_op(unit, at))->name);
    end_ids(unit);
    return status;
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
    unit->symbols = calloc(count + 1, sizeof *unit->symbols);
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
    free(unit->dense);
    free(unit->map);
    free(unit->dropped);
    free(unit->type);
    free(unit->constant);
    free(unit->ext_set);
    free(unit->wide);
    free(unit->symbols);
}
