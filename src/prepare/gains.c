/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gains.c - does a device with generic pointers gain anything by what can be proven of a module?
 *
 *     %g = OpPtrCastToGeneric %_ptr_Generic_int %l      %l points into local memory: it may
 *
 * The compiler of Intel's GPUs has private memory among the global one, and takes every generic pointer for a global one
 * unless the module makes one of a local pointer. Without such a cast it knows already what it would be told; its
 * scheduler only places a wait otherwise now and then, and a kernel gets longer by that.
 *
 * needs: read.  gives: an answer.
 */
#include "prepare/prepare.h"

static bool is_local_pointer(const struct nf_module *m, uint32_t id)
{
    uint32_t type = m->def[nf_result_type(m, m->def[id])];
    bool pointer = nf_opcode(m, type) == OpTypePointer || nf_opcode(m, type) == OpTypeUntypedPointerKHR;
    return pointer && m->words[type + 2] == NF_STORAGE_WORKGROUP;
}

/* The pointer that the instruction, or the constant, makes a generic one of; 0: it is none. */
static uint32_t made_generic(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode == OpPtrCastToGeneric) return m->words[at + 3];
    return opcode == OpSpecConstantOp && m->words[at + 3] == OpPtrCastToGeneric ? m->words[at + 4] : 0;
}

bool nf_gains_nothing(const struct nf_module *m)
{
    const nf_options *options = m->options;
    bool takes_global = options->profile && options->profile->flags & NF_PROFILE_TAKES_GLOBAL;
    if (options->mode != NF_MODE_HINT || !takes_global || options->spec_value_count) return false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        uint32_t pointer = made_generic(m, at);
        if (pointer && is_local_pointer(m, pointer)) return false;
    }
    return true;
}
