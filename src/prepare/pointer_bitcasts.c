/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer_bitcasts.c - replaces each OpBitcast between a pointer and another type by the conversion of a pointer.
 *
 *     %w = OpBitcast %v2uint %p                   %i = OpConvertPtrToU %ulong %p
 *                                                 %w = OpBitcast %v2uint %i
 *     %q = OpBitcast %_ptr_Generic_uint %i        %q = OpConvertUToPtr %_ptr_Generic_uint %i
 *
 * Both instructions give the same bits (SPIR-V 1.6, 3.49.11), but an integer of a private or local pointer is its flat
 * address, so all later stages have to recognize the conversion. The hard case is a vector or a float of the size of an
 * address: an integer stands between it and the pointer.
 *
 * needs: a module that was read, whose constant bitcasts are instructions where functions use them
 * (address_constants.c).  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

static bool is_pointer_bitcast(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpBitcast && nf_converts_pointer(m, nf_value_operand(m, at, 0), nf_value_type(m, at));
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    const struct nf_module *m = e->m;
    (void)unused;
    if (!is_pointer_bitcast(m, at)) return false;
    uint32_t type = nf_value_type(m, at), id = nf_value_id(m, at), operand = nf_value_operand(m, at, 0);
    uint32_t word = nf_edit_int_type(e, m->address_bits);
    if (m->address_bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64);
    if (nf_is_pointer_type_at(m, m->def[type])) {
        bool whole = nf_defined_type(m, operand) == word;
        uint32_t integer = whole ? operand : nf_edit_value(e, OpBitcast, word, operand, 0);
        nf_edit_emit(e, OpConvertUToPtr, (uint32_t[]){type, id, integer}, 3);
    } else if (type == word) {
        nf_edit_emit(e, OpConvertPtrToU, (uint32_t[]){type, id, operand}, 3);
    } else {
        uint32_t integer = nf_edit_value(e, OpConvertPtrToU, word, operand, 0);
        nf_edit_emit(e, OpBitcast, (uint32_t[]){type, id, integer}, 3);
    }
    return true;
}

bool nf_lower_pointer_bitcasts(struct nf_module *m, struct nf_words *lowered)
{
    return nf_has_role(m, NF_ROLE_bitcast) && nf_edit_where(m, is_pointer_bitcast, rewrite, lowered);
}
