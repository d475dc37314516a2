/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c - writes values as operands, and instructions as statements.
 *
 *     %5 = OpIAdd %uint %3 %4          uint v5 = v3 + v4; or, at the only use of %5 in the same block, (v3 + v4)
 *     OpStore %p %5                    *v7 = v3 + v4;
 *
 * An instruction is written as an expression (expressions.c) inside the expression that uses it, or as a statement.
 * The hard case is arithmetic on halves for a compiler without the type half: each operand that is a half is widened to
 * float.
 *
 * needs: the uses of each id (uses.c), which determine where an instruction is written.  gives: OpenCL C text.
 */
#include "emit/internal.h"

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

/* ---- Operands ---- */

static bool is_primary(const struct nf_emitter *e, const struct nf_insn *i)
{
    return nf_traits_of(i->form) & NF_TRAIT_PRIMARY || (i->type && nf_is_emulated_half(e, i->type));
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
        bool primary = is_primary(e, &i);
        if (!primary) nf_say_char(e, '(');
        nf_say_expression(e, &i);
        if (!primary) nf_say_char(e, ')');
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
    nf_say_half_helper(e, "half_to_float", type);
    e->widens = false;
    say_plain(e, id);
    e->widens = true;
    nf_say_char(e, ')');
}

/* Writes the beginning of a reinterpretation as the type. */
static void say_as(struct nf_emitter *e, uint32_t type, bool is_signed)
{
    nf_say_string(e, "as_");
    nf_say_type(e, type, is_signed);
    nf_say_char(e, '(');
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
    if (nf_is_vector(type))
        say_as(e, type->id, true);
    else
        nf_say_cast(e, type->id, true);
    nf_say_value(e, id);
    if (nf_is_vector(type)) nf_say_char(e, ')');
}

void nf_open_signed(struct nf_emitter *e, uint32_t type)
{
    if (nf_is_vector(nf_type(e->m, type))) {
        say_as(e, type, false);
        return;
    }
    nf_say_cast(e, type, false);
    nf_say_char(e, '(');
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

void nf_say_unparenthesized(struct nf_emitter *e, uint32_t id)
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
    if (is_bools) {
        nf_say_string(e, "as_");
        nf_say_memory_type(e, type->id);
        nf_say_string(e, "(-");
        nf_say_postfix(e, id);
        nf_say_char(e, ')');
    } else if (type->kind == NF_KIND_POINTER) {
        nf_say_value(e, id);
    } else {
        nf_say_unparenthesized(e, id);
    }
}

void nf_load_begin(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type(e->m, id);
    if (type->kind == NF_KIND_POINTER) nf_say_cast(e, id, false);
    if (type->kind == NF_KIND_BOOL) nf_say_char(e, '(');
    if (!is_bool_vector(e, type)) return;
    nf_say_char(e, '-');
    say_as(e, id, false);
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
    nf_say_char(e, '\t');
    nf_say_type(e, nf_type_of(e->m, id)->id, false);
    nf_say_char(e, ' ');
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
    nf_say_type(e, i->type, false);
    nf_say_char(e, ' ');
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
    uint8_t traits = nf_traits_of(i->form);
    nf_say_indent(e);
    if (traits & NF_TRAIT_STATEMENT) {
        bool widens = e->widens;
        e->widens = !(traits & NF_TRAIT_RAW_HALF) && !nf_has_feature(e, NF_C_FP16);
        e->writers[i->form->kind](e, i);
        e->widens = widens;
    } else {
        if (i->id && e->uses[i->id] && nf_type(e->m, i->type)->kind != NF_KIND_VOID) nf_assign(e, i);
        nf_say_expression(e, i);
        nf_say_char(e, ';');
    }
    nf_say_char(e, '\n');
}
