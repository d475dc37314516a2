/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_phi_precision.c - sign-extends 8-bit integers by shifts in place of OpSConvert.
 *
 *     %w = OpSConvert %uint %x            %zeros = OpUConvert %uint %x
 *                                         %high = OpShiftLeftLogical %uint %zeros %uint_24
 *                                         %w = OpShiftRightArithmetic %uint %high %uint_24
 *
 * Stock Mesa 25.0 narrows a 32-bit phi to the 8 bits from which all its values are sign-extended, but a constant among
 * them to 16 bits (`nir_opt_phi_precision`): LLVM then divides by zero in instruction selection and terminates the
 * process. Mesa's pass recognizes only the conversion, so no conversion from 8 bits may remain; LLVM turns the shifts
 * back into a conversion.
 *
 * The hard case: the phi need not be in the module. At -O0 it is made from a variable, and chains of conversions are
 * first merged into one conversion from 8 bits, so all conversions from 8 bits are replaced, whatever their use.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

static bool widens_bytes(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpSConvert) return false;
    const struct nf_type *from = nf_type_of(m, nf_value_operand(m, at, 0));
    return nf_scalar_of(m, from)->size == 1 && from->count <= NF_MOST_COMPONENTS;
}

/* Defines the number of bits of `type` above its low byte, as a constant of the shape of `type` with equal
 * components. */
static uint32_t bits_above_byte(struct nf_edit *e, const struct nf_type *type)
{
    const struct nf_type *scalar = nf_scalar_of(e->m, type);
    uint32_t words[2] = {8 * ((uint32_t)scalar->size - 1), 0}, parts[NF_MOST_COMPONENTS];
    uint32_t number = nf_edit_define(e, OpConstant, scalar->id, words, scalar->size == 8 ? 2 : 1);
    if (type == scalar) return number;
    for (uint32_t i = 0; i < type->count; i++)
        parts[i] = number;
    return nf_edit_define(e, OpConstantComposite, type->id, parts, type->count);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    (void)unused;
    if (!widens_bytes(e->m, at)) return false;
    uint32_t type = nf_value_type(e->m, at), bits = bits_above_byte(e, nf_type(e->m, type));
    uint32_t zeros = nf_edit_value(e, OpUConvert, type, nf_value_operand(e->m, at, 0), 0);
    uint32_t high = nf_edit_value(e, OpShiftLeftLogical, type, zeros, bits);
    nf_edit_emit(e, OpShiftRightArithmetic, (uint32_t[]){type, nf_value_id(e->m, at), high, bits}, 4);
    return true;
}

bool nf_workaround_mesa_phi_precision(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, widens_bytes, rewrite, out);
}
