/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c - instructions as expressions and as statements, and the values that are their operands.
 *
 *     %5 = OpIAdd %uint %3 %4          a variable v5, or, where %5 has one use in the same block, its operand (v3 + v4)
 *     OpStore %p %5                    *v7 = (v3 + v4);
 *
 * The function of a form writes an expression; this file writes it inside the expression that uses it, or as a
 * statement. The hard case is a half on a compiler without halves: its value is a ushort with the bits. Arithmetic
 * widens its operands to float and narrows its result, which rounds correctly because a float has more than twice the
 * precision.
 *
 * needs: uses.c, which decides where each instruction is written.  gives: text.
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

static const struct {
    void (*say)(struct nf_emitter *e, const struct nf_insn *i);
    uint8_t traits;
} forms[] = {
#define X(name, traits) {nf_form_##name, traits},
    NF_FORMS(X)
#undef X
};

uint8_t nf_traits_of(const struct nf_form *form)
{
    return forms[form->kind].traits;
}

/* ---- Decoding ---- */

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

void nf_form_refused(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_refuse(e, i->at, "%s has no form in OpenCL C", nf_is_unknown(i->op) ? "an unknown instruction" : i->op->name);
}

void nf_form_nothing(struct nf_emitter *e, const struct nf_insn *i)
{
    (void)e, (void)i;
}

void nf_form_undefined(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_zero(e, i->type);
}

void nf_form_copy(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_value(e, i->operands[0]);
}

/* ---- Halves without cl_khr_fp16 ---- */

static bool is_emulated_half(const struct nf_emitter *e, uint32_t type)
{
    return !nf_has_feature(e, NF_C_FP16) && nf_is_half(e, nf_type(e->m, type));
}

/* Writes the beginning of a call of half_to_float() or float_to_half() for a type. */
static void say_half_helper(struct nf_emitter *e, const char *name, const struct nf_type *type)
{
    uint32_t count = nf_is_vector(type) ? type->count : 1;
    e->needs |= NF_NEEDS_HALF_HELPERS;
    e->widened_sizes |= 1u << count;
    nf_say_string(e, name);
    if (count > 1) nf_say_number(e, count);
    nf_say_char(e, '(');
}

void nf_say_expression(struct nf_emitter *e, const struct nf_insn *i)
{
    bool widens = e->widens, is_raw = forms[i->form->kind].traits & RAW_HALF;
    bool narrows = !is_raw && i->type && is_emulated_half(e, i->type);
    if (narrows) say_half_helper(e, "float_to_half", nf_type(e->m, i->type));
    e->widens = !is_raw && !nf_has_feature(e, NF_C_FP16);
    forms[i->form->kind].say(e, i);
    if (narrows) nf_say_char(e, ')');
    e->widens = widens;
}

/* ---- Operands ---- */

static bool is_primary(const struct nf_emitter *e, const struct nf_insn *i)
{
    return forms[i->form->kind].traits & PRIMARY || (i->type && is_emulated_half(e, i->type));
}

/* Writes a value as it is, without the widening of halves. */
static void say_plain(struct nf_emitter *e, uint32_t id)
{
    const struct nf_module *m = e->m;
    uint32_t def = id < m->bound ? m->def[id] : 0, opcode = def ? nf_opcode(m, def) : 0;
    if (nf_is_constant(e, id)) {
        nf_say_constant(e, id);
    } else if (opcode == OpVariable) {
        nf_say_variable(e, id);
    } else if (opcode == OpFunction) {
        nf_refuse(e, def, "a function pointer");
    } else if (e->facts[id] & NF_ID_INLINED || nf_built_in_of(e, id)) {
        struct nf_insn i = nf_insn_at(e, def);
        bool bare = is_primary(e, &i);
        if (!bare) nf_say_char(e, '(');
        nf_say_expression(e, &i);
        if (!bare) nf_say_char(e, ')');
    } else if (e->facts[id] & NF_ID_BY_VALUE) {
        nf_say_string(e, "(&");
        nf_say_name(e, id, 'v');
        nf_say_char(e, ')');
    } else {
        nf_say_name(e, id, 'v');
    }
}

void nf_say_value(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type_of(e->m, id);
    bool widens = e->widens && nf_is_half(e, type), is_literal = widens && nf_is_constant(e, id) && !nf_is_vector(type);
    if (is_literal || !widens) {
        say_plain(e, id);
        return;
    }
    say_half_helper(e, "half_to_float", type);
    e->widens = false;
    say_plain(e, id);
    e->widens = true;
    nf_say_char(e, ')');
}

void nf_say_signed(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type_of(e->m, id);
    int64_t number;
    if (type->kind == NF_KIND_INT && nf_bits_of_type(e, type) >= 32 && nf_constant(e->m, id, &number) && number >= 0) {
        nf_say_number(e, (uint64_t)number);
        if (nf_bits_of_type(e, type) == 64) nf_say_char(e, 'l');
        return;
    }
    nf_say(e, nf_is_vector(type) ? "as_%I(" : "(%I)", type->id);
    nf_say_value(e, id);
    if (nf_is_vector(type)) nf_say_char(e, ')');
}

void nf_open_signed(struct nf_emitter *e, uint32_t type)
{
    nf_say(e, nf_is_vector(nf_type(e->m, type)) ? "as_%t(" : "(%t)(", type);
}

/* Returns true if the value is written as an expression that has no parentheses around it yet. */
static bool needs_parentheses(const struct nf_emitter *e, uint32_t id)
{
    if (nf_is_constant(e, id)) return nf_type_of(e->m, id)->kind != NF_KIND_INT;
    if (!(e->facts[id] & NF_ID_INLINED || nf_built_in_of(e, id))) return false;
    struct nf_insn i = nf_insn_at(e, e->m->def[id]);
    return is_primary(e, &i);
}

void nf_say_postfix(struct nf_emitter *e, uint32_t id)
{
    bool open = needs_parentheses(e, id);
    if (open) nf_say_char(e, '(');
    nf_say_value(e, id);
    if (open) nf_say_char(e, ')');
}

void nf_say_bare(struct nf_emitter *e, uint32_t id)
{
    bool widens = e->widens && nf_is_half(e, nf_type_of(e->m, id));
    if (e->facts[id] & NF_ID_INLINED && !widens) {
        struct nf_insn i = nf_insn_at(e, e->m->def[id]);
        nf_say_expression(e, &i);
    } else {
        nf_say_value(e, id);
    }
}

/* ---- Values in memory ---- */

static bool is_bool_vector(const struct nf_emitter *e, const struct nf_type *type)
{
    return nf_is_vector(type) && nf_is_bool(e, type);
}

void nf_say_stored(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type_of(e->m, id);
    bool is_bools = is_bool_vector(e, type);
    if (type->kind == NF_KIND_POINTER) nf_say_string(e, e->m->address_bits == 32 ? "(uint)" : "(ulong)");
    if (is_bools)
        nf_say(e, "as_%m(-%p)", type->id, id);
    else if (type->kind == NF_KIND_POINTER)
        nf_say_value(e, id);
    else
        nf_say_bare(e, id);
}

void nf_load_begin(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type(e->m, id);
    if (type->kind == NF_KIND_POINTER) nf_say(e, "(%t)", id);
    if (type->kind == NF_KIND_BOOL) nf_say_char(e, '(');
    if (is_bool_vector(e, type)) nf_say(e, "-as_%t(", id);
}

void nf_load_end(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type(e->m, id);
    if (type->kind == NF_KIND_BOOL) nf_say_string(e, " & 1)");
    if (is_bool_vector(e, type)) nf_say_char(e, ')');
}

/* ---- Statements ---- */

void nf_declare_value(struct nf_emitter *e, uint32_t id)
{
    struct nf_text *to = e->to;
    bool widens = e->widens;
    if (e->facts[id] & NF_ID_DECLARED || e->dry) return;
    e->facts[id] |= NF_ID_DECLARED;
    e->to = &e->declarations;
    e->widens = false;
    nf_say(e, "\t%t ", nf_type_of(e->m, id)->id);
    nf_say_name(e, id, 'v');
    nf_say_string(e, ";\n");
    e->to = to;
    e->widens = widens;
}

/* Declares the result of an instruction: at the head of the function if another block uses it, else here. Returns true
 * if the text ends with that declaration, so that the value or a semicolon must follow. */
static bool declare_result(struct nf_emitter *e, const struct nf_insn *i)
{
    if (e->facts[i->id] & NF_ID_CROSSING) {
        nf_declare_value(e, i->id);
        return false;
    }
    nf_say(e, "%t ", i->type);
    nf_say_name(e, i->id, 'v');
    return true;
}

void nf_declare_result(struct nf_emitter *e, const struct nf_insn *i)
{
    if (declare_result(e, i)) nf_say_string(e, "; ");
}

void nf_assign(struct nf_emitter *e, const struct nf_insn *i)
{
    bool widens = e->widens;
    e->widens = false;
    if (!declare_result(e, i)) nf_say_name(e, i->id, 'v');
    nf_say_string(e, " = ");
    e->widens = widens;
}

void nf_say_statement(struct nf_emitter *e, const struct nf_insn *i)
{
    uint8_t traits = forms[i->form->kind].traits;
    nf_say_indent(e);
    if (traits & STATEMENT) {
        bool widens = e->widens;
        e->widens = !(traits & RAW_HALF) && !nf_has_feature(e, NF_C_FP16);
        forms[i->form->kind].say(e, i);
        e->widens = widens;
    } else {
        if (i->id && e->uses[i->id] && nf_type(e->m, i->type)->kind != NF_KIND_VOID) nf_assign(e, i);
        nf_say_expression(e, i);
        nf_say_char(e, ';');
    }
    nf_say_char(e, '\n');
}
