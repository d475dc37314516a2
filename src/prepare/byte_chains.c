/* SPDX-License-Identifier: Apache-2.0 */
/*
 * byte_chains.c - adds the missing cast to constant access chains that count bytes from a variable.
 *
 *     global int table[8], *where = table + 3;
 *
 *     %p = OpSpecConstantOp %_ptr_uchar PtrAccessChain %table %ulong_12
 *
 *                                          %b = OpSpecConstantOp %_ptr_uchar Bitcast %table
 *                                          %p = OpSpecConstantOp %_ptr_uchar PtrAccessChain %b %ulong_12
 *
 * The translators of LLVM 17 to 19 omit the cast to a pointer to bytes, because LLVM's pointers have no pointee type:
 * as written, the index 12 counts tables. The backend of LLVM 22 omits it too, and adds an index 0 before the index in
 * bytes, which then counts elements. The type of a chain's base and its indices determine the type that it points to,
 * so a chain with another result type must count bytes. The same compilers emit correct chains in functions. This stage
 * runs before inference.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

static void put_byte_chain(struct nf_edit *e, uint32_t at, uint32_t bytes)
{
    uint32_t type = nf_value_type(e->m, at), result = nf_value_id(e->m, at);
    uint32_t base = nf_build_id(&e->build);
    nf_edit_emit(e, OpSpecConstantOp, (uint32_t[]){type, base, OpBitcast, nf_spec_operand(e->m, at, 0)}, 4);
    nf_edit_emit(e, OpSpecConstantOp, (uint32_t[]){type, result, nf_spec_opcode(e->m, at), base, bytes}, 5);
}

bool nf_lower_byte_chains(struct nf_module *m, struct nf_words *lowered)
{
    uint32_t at = NF_HEADER_WORDS;
    while (at < m->body_at && !nf_byte_chain_index(m, at))
        at = nf_next(m, at);
    if (at >= m->body_at) return false;
    struct nf_edit e = nf_edit_begin(m);
    nf_edit_keep(&e, m->body_at, m->count);
    nf_edit_module_scope(&e);
    for (at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t bytes = nf_byte_chain_index(m, at);
        if (bytes)
            put_byte_chain(&e, at, bytes);
        else
            nf_edit_keep(&e, at, nf_next(m, at));
    }
    *lowered = nf_edit_end(&e);
    return true;
}
