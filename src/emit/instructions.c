/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instructions.c - decodes instructions: determines the form of an instruction in the text, and its operands.
 *
 *     %5 = OpExtInst %float %std fma %1 %2 %3        form `function` with the text "fma", operands %1 %2 %3
 *     %6 = OpSpecConstantOp %uint IAdd %7 %8         form `operator` with the text "+", operands %7 %8
 *
 * needs: the tables of forms, which the build generates from forms.txt.  gives: struct nf_insn.
 */
#include "emit/internal.h"

#include "emit/forms.inc"

enum {
    EFFECT = NF_TRAIT_EFFECT,
    READS = NF_TRAIT_READS,
    STATEMENT = NF_TRAIT_STATEMENT,
    SILENT = NF_TRAIT_SILENT,
    PRIMARY = NF_TRAIT_PRIMARY,
    RAW_HALF = NF_TRAIT_RAW_HALF,
    REPEATS = NF_TRAIT_REPEATS
};

uint8_t nf_traits_of(const struct nf_form *form)
{
    static const uint8_t traits_of[] = {
#define X(name, traits) traits,
        NF_FORMS(X)
#undef X
    };
    return traits_of[form->kind];
}

static const struct nf_form *core_form(uint32_t opcode)
{
    return &core_forms[opcode < sizeof core_lookup ? core_lookup[opcode] : 0];
}

/* Decodes an extended instruction. Debug information and non-semantic sets have no text. */
static void decode_extended(const struct nf_emitter *e, struct nf_insn *i)
{
    static const struct nf_form nothing = {NF_FORM_nothing, ""};
    uint32_t set = i->operands[0], number = i->operands[1];
    const struct nf_op *op = set == e->m->ext_opencl ? nf_op_find_std(number) : NULL;
    if (op) {
        i->op = op;
        i->form = &std_forms[number < sizeof std_lookup ? std_lookup[number] : 0];
        i->operands += 2;
        i->count -= 2;
    } else if (set != e->m->ext_opencl) {
        i->form = &nothing;
    } else {
        i->form = &core_forms[0];
    }
}

struct nf_insn nf_insn_at(const struct nf_emitter *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at);
    const struct nf_op *op = nf_op_find(opcode);
    struct nf_insn i = {.op = op,
                        .form = core_form(opcode),
                        .at = at,
                        .type = nf_result_type(m, at),
                        .id = nf_result_id(m, at),
                        .count = nf_operand_count(m, at),
                        .operands = m->words + nf_operand_at(m, at, 0)};
    if (opcode == OpExtInst) decode_extended(e, &i);
    if (opcode == OpSpecConstantOp) {
        i.op = nf_op_find(i.operands[0]);
        i.form = core_form(i.operands[0]);
        i.operands++;
        i.count--;
        bool is_short = i.count + nf_first_operand(i.op) < i.op->words;
        if (is_short) i.form = &core_forms[0];
    }
    return i;
}
