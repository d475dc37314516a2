/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units.c - makes a unit of one module: reads and checks it, folds its specialization constants, lists its symbols.
 *
 *     OpDecorate %n SpecId 3                             OpDecorate %n SpecId 3      (dropped by link.c)
 *     %n = OpSpecConstant %uint 8                        %n = OpConstant %uint 64    the value that the host set for 3
 *
 * Specialization constants are folded because another module may use the same SpecId for another constant. The hard
 * case is an instruction that the opcode table lacks: its ids cannot be found and mapped, so the module is refused.
 *
 * needs: the bytes of a module.  gives: a unit in which every id can be mapped.
 */
#include "link/internal.h"

/* ---- Checks that the reader does not make ---- */

/* Refuses unknown instructions: their ids must be mapped, but any of their words may be an id. */
static void refuse_unknown(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at))
        if (nf_is_unknown(nf_op_find(nf_opcode(m, at))))
            nf_fail(m->arena, NF_REFUSED, at, "a program with an unknown instruction (opcode %u) cannot be linked",
                    nf_opcode(m, at));
}

/* Checks that the targets of names are below the bound; the reader does not check this. */
static void check_names(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        bool name = nf_opcode(m, at) == OpName || nf_opcode(m, at) == OpMemberName;
        if (name && nf_annotated_id(m, at) >= m->bound)
            nf_fail(m->arena, NF_MALFORMED, at, "id %u is not below the bound %u", nf_annotated_id(m, at), m->bound);
    }
}

/* ---- Specialization constants ---- */

static const nf_spec_value *value_of(const nf_link_input *input, uint32_t spec_id)
{
    for (size_t i = 0; i < input->spec_value_count; i++)
        if (input->spec_values[i].id == spec_id) return &input->spec_values[i];
    return NULL;
}

/* Makes the specialization constant at `at` an ordinary constant, with `value`, or its default if `value` is NULL. */
static void freeze_one(struct nf_module *m, uint32_t at, const nf_spec_value *value)
{
    uint32_t opcode = nf_opcode(m, at), *words = m->words + at;
    if (opcode < OpSpecConstantTrue || opcode > OpSpecConstant) return;
    uint32_t plain = opcode - OpSpecConstantTrue + OpConstantTrue;
    if (value && opcode != OpSpecConstant) plain = value->value & 0xff ? OpConstantTrue : OpConstantFalse;
    words[0] = nf_first_word(plain, nf_length_of(words[0]));
    for (uint32_t i = 3; value && opcode == OpSpecConstant && i < nf_length(m, at) && i < 5; i++)
        words[i] = (uint32_t)(value->value >> (i - 3) * 32);
}

static void freeze(struct nf_module *m, const nf_link_input *input)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_decorates(m, at, NF_DECORATION_SPEC_ID) && nf_length(m, at) == 4)
            freeze_one(m, m->def[nf_annotated_id(m, at)], value_of(input, nf_decoration_operand(m, at, 0)));
    }
}

/* ---- Symbols ---- */

/* Returns true if the instruction is a linkage decoration whose name ends before its last word, the linkage type. */
static bool names_symbol(const struct nf_module *m, uint32_t at)
{
    uint32_t length = nf_length(m, at);
    return nf_is_linkage(m, at) && length >= 5 && memchr(nf_string(m, at + 3), 0, (length - 4) * 4);
}

static void list_symbols(struct nf_unit *unit)
{
    struct nf_module *m = &unit->m;
    uint32_t count = 0;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        count += names_symbol(m, at);
    unit->symbols = NF_NEW(m->arena, struct nf_symbol, count);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!names_symbol(m, at)) continue;
        uint32_t id = nf_annotated_id(m, at), def = m->def[id], opcode = nf_opcode(m, def);
        unit->symbols[unit->symbol_count++] =
            (struct nf_symbol){nf_string(m, at + 3), id, m->words[nf_next(m, at) - 1],
                               opcode == OpFunction || opcode == OpVariable ? def : 0};
    }
}

void nf_unit_read(struct nf_unit *unit, const nf_link_input *input)
{
    struct nf_module *m = &unit->m;
    nf_read(m, input->module, input->size);
    refuse_unknown(m);
    check_names(m);
    freeze(m, input);
    unit->map = NF_NEW(m->arena, uint32_t, m->bound);
    unit->dropped = NF_NEW(m->arena, bool, m->bound);
    list_symbols(unit);
}
