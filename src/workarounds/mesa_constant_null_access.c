/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_constant_null_access.c - replaces a constant null pointer, where it is accessed or indexed, by an integer zero
 * that is converted to a pointer. Such an access is unreachable at run time.
 *
 *     %x = OpLoad %uint %null Aligned 4            %p = OpConvertUToPtr %_ptr %ulong_0
 *                                                  %x = OpLoad %uint %p Aligned 4
 *
 * Mesa does not accept a constant as the pointer of an access: it refuses the module, or crashes (25.0). Such accesses
 * remain in the branch of a null test that a compiler could not evaluate, or where null is the only known pointer. LLVM
 * gives them an alignment of 2^32 bytes, which does not fit into a word of SPIR-V and becomes `Aligned 0`; Mesa 26.2
 * refuses that, so the pass writes `Aligned 1`.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

static bool is_null_pointer(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    return at && at < m->body_at && nf_opcode(m, at) == OpConstantNull && nf_type_of(m, id)->kind == NF_KIND_POINTER;
}

/* Returns true if the operand is a constant null pointer that the instruction dereferences or offsets. */
static bool follows_null(const struct nf_module *m, uint32_t at, const struct nf_operands *operand)
{
    uint32_t word = operand->at;
    if (operand->kind != NF_OPERAND_ID || !is_null_pointer(m, nf_current_operand(operand))) return false;
    switch (nf_op_find(nf_opcode(m, at))->role) {
    case NF_ROLE_load:
    case NF_ROLE_chain: return word == 3;
    case NF_ROLE_store: return word == 1;
    case NF_ROLE_copy_memory: return word <= 2;
    case NF_ROLE_atomic: return true;
    default: return nf_opcode(m, at) == OpExtInst;
    }
}

static void set_alignment(const struct nf_module *m, uint32_t at, uint32_t *words)
{
    uint32_t mask_at = nf_memory_operands_word(nf_op_find(nf_opcode(m, at)));
    if (!mask_at || mask_at + 1 >= nf_length(m, at)) return;
    if (words[mask_at] & NF_MEMORY_ALIGNED && !words[mask_at + 1]) words[mask_at + 1] = 1;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    const struct nf_module *m = e->m;
    struct nf_operands walk = nf_walk(m, at);
    uint32_t *words = NULL;
    (void)unused;
    while (nf_operands_next(&walk)) {
        if (!follows_null(m, at, &walk)) continue;
        if (!words) {
            words = NF_NEW(m->arena, uint32_t, nf_length(m, at));
            memcpy(words, m->words + at, nf_length(m, at) * sizeof *words);
        }
        uint32_t word = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){m->address_bits, 0}, 2);
        uint32_t zero = nf_edit_define(e, OpConstant, word, (uint32_t[]){0, 0}, m->address_bits / 32);
        uint32_t made[] = {nf_type_of(m, words[walk.at])->id, nf_build_id(&e->build), zero};
        nf_edit_emit(e, OpConvertUToPtr, made, 3);
        words[walk.at] = made[1];
    }
    if (!words) return false;
    if (m->address_bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64);
    set_alignment(m, at, words);
    nf_append_words(&e->out, words, nf_length(m, at));
    return true;
}

static bool has_followed_null(const struct nf_module *m, uint32_t at)
{
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (follows_null(m, at, &walk)) return true;
    return false;
}

bool nf_workaround_mesa_constant_null_access(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, has_followed_null, rewrite, out);
}
