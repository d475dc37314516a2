/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_subgroup_barriers.c - replaces sub-group barriers by memory barriers, where sub-groups run in lockstep.
 *
 *     OpControlBarrier %subgroup %subgroup %semantics      OpMemoryBarrier %subgroup %semantics
 *
 * Mesa's llvmpipe executes a sub-group as one vector, so its work-items are always at the same instruction. The driver
 * implements every control barrier as a work-group barrier, whatever the execution scope. If all work-items of a
 * sub-group take another branch and do not execute the barrier, the work-group barrier fails: the rest of the kernel is
 * silently skipped. SYCL's sub-group loads and stores contain such barriers, in the branch for all blocks except the
 * last. Only the memory ordering of the barrier remains.
 *
 * The hard case: a variable scope may be the work-group, so a barrier with such a scope stays.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "workarounds/workarounds.h"

static bool is_of_subgroup(const struct nf_module *m, uint32_t at)
{
    int64_t scope;
    return nf_opcode(m, at) == OpControlBarrier && nf_constant(m, nf_effect_operand(m, at, 0), &scope) &&
           scope >= NF_SCOPE_SUBGROUP;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    int64_t semantics;
    const uint32_t *words = e->m->words + at;
    (void)unused;
    if (!is_of_subgroup(e->m, at)) return false;
    bool orders = !nf_constant(e->m, nf_effect_operand(e->m, at, 2), &semantics) || semantics != 0;
    if (orders) nf_edit_emit(e, OpMemoryBarrier, words + 2, 2);
    return true;
}

bool nf_workaround_mesa_subgroup_barriers(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, is_of_subgroup, rewrite, out);
}
