/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_invalid_operands.c - replaces instructions that SPIR-V does not allow, or does not allow with these operand
 * types, for a driver that validates.
 *
 *     %t = OpAll %bool %v                 %signs = OpSLessThan %v2bool %v %v2ushort_null
 *                                         %t = OpAll %bool %signs
 *     %u = OpSConvert %uint %i            %u = OpCopyObject %uint %i
 *
 * LLVM's own SPIR-V backend passes the integer operands of OpenCL's any() and all() to OpAny and OpAll, which require
 * booleans; the sign bit of each integer is the boolean. For convert_uint(int) it emits a conversion to the width that
 * the value already has. Khronos' translator writes OpAtomicCompareExchangeWeak, which SPIR-V 1.4 no longer has, into
 * modules of SPIR-V 1.4; a strong exchange is a correct implementation of a weak exchange.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

static bool has_integer_operand(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpAny && nf_opcode(m, at) != OpAll) return false;
    return nf_width_of(m, nf_scalar_of(m, nf_type_of(m, nf_value_operand(m, at, 0)))) > 0;
}

static bool is_noop_conversion(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpSConvert && nf_opcode(m, at) != OpUConvert) return false;
    return nf_type_of(m, nf_value_operand(m, at, 0))->id == nf_value_type(m, at);
}

static bool is_weak_exchange(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpAtomicCompareExchangeWeak && m->words[1] >= NF_VERSION_1_4;
}

static bool is_invalid(const struct nf_module *m, uint32_t at)
{
    return has_integer_operand(m, at) || is_noop_conversion(m, at) || is_weak_exchange(m, at);
}

/* Emits OpAny or OpAll of the sign bits. For a scalar the result is its sign bit. */
static void emit_sign_test(struct nf_edit *e, uint32_t at)
{
    uint32_t type = nf_value_type(e->m, at), result = nf_value_id(e->m, at), vector = nf_value_operand(e->m, at, 0);
    const struct nf_type *numbers = nf_type_of(e->m, vector);
    uint32_t zeros = nf_edit_define(e, OpConstantNull, numbers->id, NULL, 0);
    if (numbers->kind == NF_KIND_INT) {
        nf_edit_emit(e, OpSLessThan, (uint32_t[]){type, result, vector, zeros}, 4);
        return;
    }
    uint32_t truths = nf_edit_define(e, OpTypeVector, 0, (uint32_t[]){type, numbers->count}, 2);
    uint32_t signs = nf_edit_value(e, OpSLessThan, truths, vector, zeros);
    nf_edit_emit(e, nf_opcode(e->m, at), (uint32_t[]){type, result, signs}, 3);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    (void)unused;
    if (has_integer_operand(e->m, at))
        emit_sign_test(e, at);
    else if (is_noop_conversion(e->m, at))
        nf_edit_emit(e, OpCopyObject, e->m->words + at + 1, 3);
    else if (is_weak_exchange(e->m, at))
        nf_edit_emit(e, OpAtomicCompareExchange, e->m->words + at + 1, 8);
    else
        return false;
    return true;
}

bool nf_supply_fix_invalid_operands(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, is_invalid, rewrite, out);
}
