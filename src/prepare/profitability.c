/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profitability.c - decides whether a device with generic pointers benefits from inference.
 *
 *     %g = OpPtrCastToGeneric %_ptr_Generic_int %l      %l is a pointer to local memory: inference helps
 *
 * Intel's GPU compiler places private memory in the global address range, and treats every generic pointer as a global
 * pointer unless the module casts a local pointer to Generic. Without such a cast, inference has no benefit: the
 * changed module only moves some waits in the compiler's schedule, which can make a kernel slower. Inference also has
 * no benefit for a module that lacks calls, and phis and selects of generic pointers: the compiler promotes the
 * variables that hold such pointers to values. The compiler does not infer which space the result of a phi or a select
 * has, and keeps a private variable in registers only if no such pointer may access it. With NF_PROFILE_TAGGED_MERGES,
 * tags make phis and selects of generic pointers cheaper even without such a cast: the gain is then NF_GAIN_MERGES. In
 * other modes, for other devices and with values of specialization constants, the gain is NF_GAIN_ALL.
 *
 * needs: a module that was read.  gives: an enum nf_gain.
 */
#include "prepare/prepare.h"

/* Returns true if the instruction at `at` has a result that is a pointer of this storage class. */
static bool makes_pointer(const struct nf_module *m, uint32_t at, uint32_t storage)
{
    uint32_t type = m->def[nf_result_type(m, at)];
    return nf_is_pointer_type_at(m, type) && nf_pointer_storage_class(m, type) == storage;
}

/* Returns the pointer that the instruction or the constant at `at` casts to Generic; 0 for any other instruction. */
static uint32_t cast_to_generic(const struct nf_module *m, uint32_t at)
{
    return nf_match_conversion(m, at, OpPtrCastToGeneric);
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
        uint32_t pointer = cast_to_generic(m, at);
        local = local || (pointer && makes_pointer(m, m->def[pointer], NF_STORAGE_WORKGROUP));
        called = called || nf_opcode(m, at) == OpFunctionCall;
        chosen = chosen || is_merge(m, at);
        if (local && (called || chosen)) return NF_GAIN_ALL;
    }
    return chosen && flags & NF_PROFILE_TAGGED_MERGES ? NF_GAIN_MERGES : NF_GAIN_NONE;
}
