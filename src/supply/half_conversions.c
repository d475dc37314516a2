/* SPDX-License-Identifier: Apache-2.0 */
/*
 * half_conversions.c - converts vectors of halves component by component, for a device that gets bitcode.
 *
 *     %y = OpConvertUToF %v2half %x                    %x0 = OpCompositeExtract %uint %x 0
 *                                                      %y0 = OpConvertUToF %half %x0        (and 1)
 *                                                      %y = OpCompositeConstruct %v2half %y0 %y1
 *
 * SPIRV-LLVM-Translator translates a conversion of a vector to a call of a function such as convert_half2(), and PoCL
 * lacks these functions for halves; the conversion of a scalar becomes an instruction. A conversion with a rounding
 * mode or saturation becomes a call even for a scalar, and is not changed.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

static bool is_half(const struct nf_module *m, const struct nf_type *type)
{
    const struct nf_type *scalar = nf_scalar_of(m, type);
    return scalar->kind == NF_KIND_FLOAT && scalar->size == 2;
}

static bool converts_halves(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode < OpConvertFToU || opcode > OpFConvert || opcode == OpUConvert || opcode == OpSConvert) return false;
    const struct nf_type *to = nf_type(m, nf_value_type(m, at)), *from = nf_type_of(m, nf_value_operand(m, at, 0));
    return to->kind == NF_KIND_VECTOR && from->kind == NF_KIND_VECTOR && (is_half(m, to) || is_half(m, from));
}

/* Splits the conversion at `at`. `data`: by id, whether the value has a rounding mode or saturation. */
static bool split(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    if (!converts_halves(m, at) || ((const bool *)data)[nf_value_id(m, at)]) return false;
    nf_edit_by_component(e, at);
    return true;
}

bool nf_supply_half_conversions(struct nf_module *m, struct nf_words *out)
{
    bool any = false, *decorated;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = converts_halves(m, at);
    if (!any) return false;
    decorated = NF_NEW(m->arena, bool, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_decorates(m, at, NF_DECORATION_ROUNDING) || nf_decorates(m, at, NF_DECORATION_SATURATED))
            decorated[nf_annotated_id(m, at)] = true;
    struct nf_edit e = nf_edit_begin(m);
    *out = nf_edit_functions(&e, split, decorated);
    return true;
}
