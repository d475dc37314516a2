/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_fdiv_by_zero.c - replaces a floating-point division of scalars by constant zero by a multiplication by infinity.
 *
 *     %q = OpFDiv %float %x %float_0                      %q = OpFMul %float %x %float_infinity
 *
 * Stock Mesa evaluates such a division wrongly, also in OpenCL C: the result is finite (25.0), or 0 (26.2). The product
 * equals the quotient for every operand, including zeros, infinities and NaN. Infinity gets the sign of the zero.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/workarounds.h"

/* If `at` divides a scalar by a zero that no specialization changes, stores the words of the infinity of the same sign
 * and returns their count; otherwise returns 0. */
static uint32_t infinity_for(const struct nf_module *m, uint32_t at, uint32_t words[2])
{
    if (nf_opcode(m, at) != OpFDiv || m->def[nf_value_operand(m, at, 1)] >= m->body_at) return 0;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    uint32_t from = m->def[nf_value_operand(m, at, 1)], last = type->size == 8,
             sign = type->size == 2 ? 0x8000 : 0x80000000;
    bool null = nf_opcode(m, from) == OpConstantNull;
    if (type->kind != NF_KIND_FLOAT || !(null || nf_opcode(m, from) == OpConstant)) return 0;
    uint32_t low = null ? 0 : nf_constant_word(m, from, 0), high = null ? 0 : nf_constant_word(m, from, last);
    if ((last && low) || high & ~sign) return 0;
    words[0] = 0;
    words[last] = high | (type->size == 2 ? 0x7c00 : type->size == 4 ? 0x7f800000 : 0x7ff00000);
    return 1 + last;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    uint32_t infinity[2], count = infinity_for(e->m, at, infinity);
    (void)unused;
    if (!count) return false;
    uint32_t type = nf_value_type(e->m, at);
    uint32_t factor = nf_edit_define(e, OpConstant, type, infinity, count);
    nf_edit_emit(e, OpFMul, (uint32_t[]){type, nf_value_id(e->m, at), nf_value_operand(e->m, at, 0), factor}, 4);
    return true;
}

static bool is_infinite(const struct nf_module *m, uint32_t at)
{
    uint32_t words[2];
    return infinity_for(m, at, words) > 0;
}

bool nf_workaround_mesa_fdiv_by_zero(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, is_infinite, rewrite, out);
}
