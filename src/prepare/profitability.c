/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profitability.c - does a device with generic pointers gain anything by what can be proven of a module?
 *
 *     %g = OpPtrCastToGeneric %_ptr_Generic_int %l      %l points into local memory: it may
 *
 * The compiler of Intel's GPUs has private memory among the global one, and takes every generic pointer for a global one
 * unless the module makes one of a local pointer. Without such a cast it knows already what it would be told; its
 * scheduler only places a wait otherwise now and then, and a kernel gets longer by that. It knows as well where all is one
 * function in which no pointer is chosen: what such a kernel puts into its variables it takes out of them again. What it does
 * not know is which of two places a pointer leads to, and private memory is kept in registers where nobody may come by such
 * a pointer.
 *
 * needs: read.  gives: an answer.
 */
#include "prepare/prepare.h"

/* Is the result of the instruction at `at` a pointer of this storage class? */
static bool makes_pointer(const struct nf_module *m, uint32_t at, uint32_t storage)
{
    uint32_t type = m->def[nf_result_type(m, at)];
    bool pointer = nf_opcode(m, type) == OpTypePointer || nf_opcode(m, type) == OpTypeUntypedPointerKHR;
    return pointer && m->words[type + 2] == storage;
}

/* The pointer that the instruction, or the constant, makes a generic one of; 0: it is none. */
static uint32_t made_generic(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode == OpPtrCastToGeneric) return m->words[at + 3];
    return opcode == OpSpecConstantOp && m->words[at + 3] == OpPtrCastToGeneric ? m->words[at + 4] : 0;
}

static bool is_merge(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    return (opcode == OpPhi || opcode == OpSelect) && makes_pointer(m, at, NF_STORAGE_GENERIC);
}

enum nf_gain nf_gain(const struct nf_module *m)
{
    const nf_options *options = m->options;
    uint32_t flags = options->profile ? options->profile->flags : 0;
    bool local = false, called = false, chosen = false;
    if (options->mode != NF_MODE_HINT || !(flags & NF_PROFILE_TAKES_GLOBAL) || options->spec_value_count)
        return NF_GAIN_ALL;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        uint32_t pointer = made_generic(m, at);
        local = local || (pointer && makes_pointer(m, m->def[pointer], NF_STORAGE_WORKGROUP));
        called = called || nf_opcode(m, at) == OpFunctionCall;
        chosen = chosen || is_merge(m, at);
        if (local && (called || chosen)) return NF_GAIN_ALL;
    }
    return chosen && flags & NF_PROFILE_TAGGED_MERGES ? NF_GAIN_MERGES : NF_GAIN_NONE;
}
