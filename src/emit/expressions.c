/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expressions.c - writes instructions as expressions. The function of the instruction's form (emit.c has the table)
 * writes the operator, the call or the cast.
 *
 * The hard case is a half on a compiler without halves: a value of type ushort holds the bits of the half. Arithmetic
 * widens its operands to float and narrows its result. This rounds the four basic operations correctly, because the
 * precision of a float (24 bits) is at least twice that of a half (11 bits), plus 2.
 *
 * needs: a decoded instruction (instructions.c) and e->writers.  gives: OpenCL C text.
 */
#include "emit/internal.h"

bool nf_is_emulated_half(const struct nf_emitter *e, uint32_t type)
{
    return !nf_has_feature(e, NF_C_FP16) && nf_is_half(e, nf_type(e->m, type));
}

void nf_say_half_helper(struct nf_emitter *e, const char *name, const struct nf_type *type)
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
    bool widens = e->widens, is_raw = nf_traits_of(i->form) & NF_TRAIT_RAW_HALF;
    bool narrows = !is_raw && i->type && nf_is_emulated_half(e, i->type);
    if (narrows) nf_say_half_helper(e, "float_to_half", nf_type(e->m, i->type));
    e->widens = !is_raw && !nf_has_feature(e, NF_C_FP16);
    e->writers[i->form->kind](e, i);
    if (narrows) nf_say_char(e, ')');
    e->widens = widens;
}
