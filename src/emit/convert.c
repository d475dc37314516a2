/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convert.c - writes conversions between types of numbers and pointers.
 *
 *     OpSConvert %ulong %i                  (ulong)(int)i
 *     OpConvertFToS %uint %f, saturated     (uint)(convert_int_sat(f))
 *     OpConvertUToF %float4 %v RTZ          convert_float4_rtz(v)
 *     OpBitcast %float %i                   as_float(i)
 *     OpConvertUToPtr %p %i                 (global u32 *)(ulong)i
 *
 * needs: types and decorations.  gives: OpenCL C text.
 */
#include "emit/internal.h"

/* Returns true if say_suffix() writes a suffix because of the decorations of the result. */
static bool has_suffix(const struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_decorations *d = nf_decorations_of(e, i->id);
    return d->saturated || d->rounding;
}

/* Writes the suffixes, such as `_sat` and `_rtz`, that the decorations of the result require; `_sat` also if
 * `saturates` is set. */
static void say_suffix(struct nf_emitter *e, const struct nf_insn *i, bool saturates)
{
    static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
    const struct nf_decorations *d = nf_decorations_of(e, i->id);
    if (saturates || d->saturated) nf_say_string(e, "_sat");
    nf_say_string(e, modes[d->rounding]);
}

/* Returns true for a conversion between half and float on a compiler without half: the operand is a float already, and
 * expressions.c narrows a result that is a half. */
static bool is_widened_away(const struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *to = nf_type(e->m, i->type), *from = nf_type_of(e->m, i->operands[0]);
    uint32_t to_bits = nf_bits_of_type(e, to), from_bits = nf_bits_of_type(e, from);
    bool floats = nf_scalar_of(e->m, to)->kind == NF_KIND_FLOAT && nf_scalar_of(e->m, from)->kind == NF_KIND_FLOAT;
    return e->widens && floats && to_bits + from_bits == 48;
}

/* Refuses a conversion to half through float that would round differently from a single conversion: from double, or in
 * a mode other than to nearest even. */
static void refuse_double_rounding(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_decorations *d = nf_decorations_of(e, i->id);
    bool rounds = d->rounding > 1, from_double = nf_bits_of_type(e, nf_type_of(e->m, i->operands[0])) == 64;
    if (e->widens && nf_is_half(e, nf_type(e->m, i->type)) && (rounds || (from_double && i->op->opcode == OpFConvert)))
        nf_refuse(e, i->at,
                  "a conversion to half that the compiler would round twice, as it has no half (cl_khr_fp16)");
}

void nf_form_convert(struct nf_emitter *e, const struct nf_insn *i)
{
    bool is_signed = i->form->text[0] == 's', is_vector = nf_is_vector(nf_type(e->m, i->type));
    bool to_integer = nf_scalar_of(e->m, nf_type(e->m, i->type))->kind == NF_KIND_INT;
    refuse_double_rounding(e, i);
    if (is_widened_away(e, i)) {
        nf_say_value(e, i->operands[0]);
        return;
    }
    if (!is_vector && !has_suffix(e, i)) {
        nf_say(e, is_signed ? "(%t)%i" : "(%t)%p", i->type, i->operands[0]);
        return;
    }
    bool through_signed = is_signed && to_integer;
    if (through_signed) nf_say(e, "as_%t(", i->type);
    nf_say(e, through_signed ? "convert_%I" : "convert_%t", i->type);
    say_suffix(e, i, false);
    nf_say(e, is_signed ? "(%i)" : "(%v)", i->operands[0]);
    if (through_signed) nf_say_char(e, ')');
}

void nf_form_convert_to_integer(struct nf_emitter *e, const struct nf_insn *i)
{
    bool is_signed = i->form->text[0] == 's', is_vector = nf_is_vector(nf_type(e->m, i->type));
    if (!is_vector && !has_suffix(e, i)) {
        nf_say(e, is_signed ? "(%t)(%I)%p" : "(%t)%p", i->type, is_signed ? i->type : i->operands[0], i->operands[0]);
        return;
    }
    if (is_signed) nf_open_signed(e, i->type);
    nf_say(e, is_signed ? "convert_%I" : "convert_%t", i->type);
    say_suffix(e, i, false);
    nf_say(e, "(%v)", i->operands[0]);
    if (is_signed) nf_say_char(e, ')');
}

/* OpSatConvertSToU has a signed operand, OpSatConvertUToS a signed result. */
void nf_form_convert_saturated(struct nf_emitter *e, const struct nf_insn *i)
{
    bool gives_signed = i->form->text[0] == 's';
    if (gives_signed) nf_open_signed(e, i->type);
    nf_say(e, gives_signed ? "convert_%I" : "convert_%t", i->type);
    say_suffix(e, i, true);
    nf_say(e, gives_signed ? "(%v)" : "(%i)", i->operands[0]);
    if (gives_signed) nf_say_char(e, ')');
}

/* ---- Bit casts ---- */

static void cast_pointer(struct nf_emitter *e, const struct nf_insn *i, const struct nf_type *from)
{
    const char *address = e->m->address_bits == 32 ? "(uint)" : "(ulong)";
    const struct nf_type *to = nf_type(e->m, i->type);
    if (nf_is_vector(from) || nf_is_vector(to)) nf_refuse(e, i->at, "a pointer as a vector");
    if (to->kind == NF_KIND_POINTER && from->kind == NF_KIND_POINTER)
        nf_say(e, "(%t)%p", i->type, i->operands[0]);
    else
        nf_say(e, "(%t)%s%p", i->type, address, i->operands[0]);
}

void nf_form_bitcast(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *to = nf_type(e->m, i->type), *from = nf_type_of(e->m, i->operands[0]);
    if (to->kind == NF_KIND_POINTER || from->kind == NF_KIND_POINTER)
        cast_pointer(e, i, from);
    else if (to->id == from->id || (to->kind == NF_KIND_INT && from->kind == NF_KIND_INT && to->size == from->size))
        nf_say_value(e, i->operands[0]);
    else
        nf_say(e, "as_%t(%v)", i->type, i->operands[0]);
}

/* The two types have equal members and different names. */
void nf_form_copy_logical(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *from = nf_type_of(e->m, i->operands[0]);
    nf_declare_result(e, i);
    nf_say(e, "{ %t from = %v; *(private %t *)&", from->id, i->operands[0], from->id);
    nf_say_name(e, i->id, 'v');
    nf_say_string(e, " = from; }");
}
