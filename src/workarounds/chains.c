/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chains.c - what the steps that rewrite access chains have in common: the types along a chain, and parts of a chain.
 *
 *     %p = OpInBoundsPtrAccessChain %ptr %s %ulong_0 %uint_1 %i
 *
 *     %head = OpInBoundsPtrAccessChain %ptr_array %s %ulong_0 %uint_1     the words before the last index
 *
 * The functions do not change the input. The hard case is an index of a structure that is not constant, or selects none
 * of its members: the type of the selected part is unknown.
 *
 * needs: a module that was read, and its types.  gives: types, ids, and instructions in the edit.
 */
#include "workarounds/internal.h"

uint32_t nf_first_part_index(uint32_t opcode)
{
    return NF_CHAIN_HEAD + (opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain);
}

const struct nf_type *nf_part_of(const struct nf_module *m, const struct nf_type *type, uint32_t index)
{
    int64_t member;
    if (type->kind == NF_KIND_ARRAY || type->kind == NF_KIND_VECTOR) return nf_type(m, type->element);
    if (type->kind != NF_KIND_STRUCT || !nf_constant(m, index, &member)) return NULL;
    return member >= 0 && member < type->count ? nf_type(m, nf_member_type(m, type->at, member)) : NULL;
}

uint32_t nf_without_casts(const struct nf_module *m, uint32_t pointer)
{
    enum { MOST_CASTS = 64 };
    for (int i = 0; i < MOST_CASTS && m->def[pointer] && nf_opcode(m, m->def[pointer]) == OpBitcast; i++)
        pointer = nf_value_operand(m, m->def[pointer], 0);
    return pointer;
}

void nf_emit_chain(struct nf_edit *e, uint32_t at, const uint32_t head[NF_CHAIN_HEAD], uint32_t from, uint32_t to)
{
    uint32_t start = e->out.count;
    nf_append_words(&e->out, head, NF_CHAIN_HEAD);
    nf_append_words(&e->out, e->m->words + at + from, to - from);
    e->out.at[start] = nf_first_word(head[0], e->out.count - start);
}
