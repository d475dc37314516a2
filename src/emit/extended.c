/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extended.c - writes the instructions of OpenCL.std as calls of functions of OpenCL C.
 *
 *     OpExtInst sin %x            sin(x)
 *     OpExtInst s_max %a %b       (uint)(max((int)a, (int)b))
 *     OpExtInst vloadn %i %p 4    vload4(i, (const global float *)p)
 *     OpExtInst printf %fmt %x    printf("...", x)
 *
 * Nearly all functions have the name and the arguments of the instruction; forms.txt lists the others.
 *
 * needs: the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

static void say_arguments(struct nf_emitter *e, const struct nf_insn *i, const char *conversion)
{
    for (uint32_t n = 0; n < i->count; n++) {
        if (n) nf_say_string(e, ", ");
        nf_say(e, conversion, i->operands[n]);
    }
    nf_say_char(e, ')');
}

void nf_form_function(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "%s(", i->form->text);
    say_arguments(e, i, "%e");
}

/* shuffle(), shuffle2() and bitselect() get halves as their bits: a component of a mask is as wide as one of the other
 * operands. */
void nf_form_bit_function(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_form_function(e, i);
}

/* Writes nan(). A half that the compiler does not have is made of the code and the bits of a quiet NaN. */
void nf_form_quiet_nan(struct nf_emitter *e, const struct nf_insn *i)
{
    if (nf_is_emulated_half(e, i->type))
        nf_say(e, "((%t)(%v | (%t)(0x7e00)))", i->type, i->operands[0], i->type);
    else
        nf_form_function(e, i);
}

/* Refuses halves on a compiler without halves: the float next to a half would be narrowed to that half again. */
void nf_form_next_after(struct nf_emitter *e, const struct nf_insn *i)
{
    if (nf_is_emulated_half(e, i->type))
        nf_refuse(e, i->at, "nextafter() of halves, which the compiler does not have (cl_khr_fp16)");
    nf_form_function(e, i);
}

/* The function takes signed arguments, and its result is unsigned. */
void nf_form_signed_arguments(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "%s(", i->form->text);
    say_arguments(e, i, "%i");
}

void nf_form_signed_function(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_open_signed(e, i->type);
    nf_form_signed_arguments(e, i);
    nf_say_char(e, ')');
}

void nf_form_signed_upsample(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_open_signed(e, i->type);
    nf_say(e, "upsample(%i, %v))", i->operands[0], i->operands[1]);
}

void nf_form_signed_last(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "%s(%e, %i)", i->form->text, i->operands[0], i->operands[1]);
}

void nf_form_signed_result(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_open_signed(e, i->type);
    nf_form_function(e, i);
    nf_say_char(e, ')');
}

void nf_say_plain_pointer(struct nf_emitter *e, uint32_t id, bool is_signed, bool is_const)
{
    const struct nf_type *pointer = nf_type_of(e->m, id);
    nf_say_string(e, is_const ? "(const " : "(");
    nf_say_space(e, pointer);
    nf_say(e, is_signed ? " %I *)%p" : " %t *)%p", pointer->element, id);
}

/* Writes a call of a function that stores a second result through its last operand, a pointer, as modf() does. If
 * this result is a half that is computed as a float, a helper function is called instead, which narrows the result. */
void nf_form_out_pointer(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t last = i->operands[i->count - 1];
    bool is_signed = i->form->text[0] == 's';
    bool narrows = e->widens && !is_signed && nf_is_half(e, nf_type(e->m, i->type));
    if (narrows)
        nf_say_narrowing_function(e, i->op->name, i->type, nf_type_of(e->m, last));
    else
        nf_say_string(e, i->op->name);
    nf_say_char(e, '(');
    for (uint32_t n = 0; n + 1 < i->count; n++)
        nf_say(e, "%v, ", i->operands[n]);
    if (narrows)
        nf_say_value(e, last);
    else
        nf_say_plain_pointer(e, last, is_signed, false);
    nf_say_char(e, ')');
}

/* ---- Vectors and halves in memory ---- */

static void say_memory_pointer(struct nf_emitter *e, const struct nf_insn *i, uint32_t id, bool is_const)
{
    const struct nf_type *pointer = nf_type_of(e->m, id);
    bool is_half = strstr(i->form->text, "half");
    if (!is_half) {
        nf_say_plain_pointer(e, id, false, is_const);
        return;
    }
    nf_say_string(e, is_const ? "(const " : "(");
    nf_say_space(e, pointer);
    nf_say(e, " half *)%p", id);
}

void nf_form_vector_load(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_string(e, i->form->text);
    if (i->count > 2) nf_say_number(e, i->operands[2]);
    nf_say(e, "(%e, ", i->operands[0]);
    say_memory_pointer(e, i, i->operands[1], true);
    nf_say_char(e, ')');
}

void nf_form_vector_store(struct nf_emitter *e, const struct nf_insn *i)
{
    static const char *const modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    const struct nf_type *value = nf_type_of(e->m, i->operands[0]);
    nf_say_string(e, i->form->text);
    if (nf_is_vector(value)) nf_say_number(e, value->count);
    if (i->count > 3 && i->operands[3] < 4) nf_say_string(e, modes[i->operands[3]]);
    nf_say(e, "(%e, %e, ", i->operands[0], i->operands[1]);
    say_memory_pointer(e, i, i->operands[2], false);
    nf_say_char(e, ')');
}

void nf_form_prefetch(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_string(e, "prefetch(");
    nf_say_plain_pointer(e, i->operands[0], false, true);
    nf_say(e, ", %v)", i->operands[1]);
}

/* select() of OpenCL.std tests the highest bit of each component of a vector mask, but all bits of a scalar mask. */
void nf_form_std_select(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "select(%v, %v, %v)", i->operands[0], i->operands[1], i->operands[2]);
}

/* ---- printf ---- */

/* Returns the variable from which fewer than 16 casts, copies and access chains derive the pointer, whatever the
 * indices of the chains; 0 if there is none. */
static uint32_t string_variable(const struct nf_emitter *e, uint32_t id)
{
    const struct nf_module *m = e->m;
    for (uint32_t steps = 0; steps < 16 && id < m->bound && m->def[id]; steps++) {
        uint32_t def = m->def[id], opcode = nf_opcode(m, def);
        if (opcode == OpVariable) return id;
        if (opcode == OpSpecConstantOp)
            id = nf_spec_operand(m, def, 0);
        else if (opcode == OpBitcast || opcode == OpCopyObject ||
                 (opcode >= OpAccessChain && opcode <= OpInBoundsPtrAccessChain))
            id = nf_operand(m, def, 0);
        else
            return 0;
    }
    return 0;
}

/* Writes the initializer of the variable as a string literal, up to the first NUL. Returns false, and writes nothing,
 * if `variable` is 0, or its initializer is missing, no composite, or not constant in a part before the NUL. */
static bool say_string_of(struct nf_emitter *e, uint32_t variable)
{
    const struct nf_module *m = e->m;
    uint32_t def = variable ? m->def[variable] : 0, count = 0;
    uint32_t value = def && nf_length(m, def) > 4 ? m->def[nf_variable_initializer(m, def)] : 0;
    if (!value || (nf_opcode(m, value) != OpConstantComposite && nf_opcode(m, value) != OpConstantNull)) return false;
    if (nf_opcode(m, value) == OpConstantNull) {
        nf_say_string(e, "\"\"");
        return true;
    }
    char *text = NF_NEW_ARRAY(e->arena, char, nf_length(m, value));
    for (uint32_t n = 0; n < nf_constituent_count(m, value); n++) {
        int64_t character;
        if (!nf_constant(m, nf_constituent(m, value, n), &character)) return false;
        if (character == 0) break;
        text[count++] = (char)character;
    }
    nf_say_literal(e, text, count);
    nf_arena_drop(e->arena, text);
    return true;
}

void nf_form_printf(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_string(e, "printf(");
    if (!say_string_of(e, string_variable(e, i->operands[0])))
        nf_refuse(e, i->at, "a format of printf that is not a constant string");
    for (uint32_t n = 1; n < i->count; n++) {
        nf_say_string(e, ", ");
        bool is_pointer = nf_type_of(e->m, i->operands[n])->kind == NF_KIND_POINTER;
        if (!is_pointer || !say_string_of(e, string_variable(e, i->operands[n]))) nf_say_value(e, i->operands[n]);
    }
    nf_say_char(e, ')');
}
