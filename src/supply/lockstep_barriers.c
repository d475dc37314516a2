/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep_barriers.c - barriers of sub-groups where the work-items of one run in step.
 *
 *     OpControlBarrier %subgroup %subgroup %semantics      OpMemoryBarrier %subgroup %semantics
 *
 * Mesa's llvmpipe keeps a sub-group in one vector, so none of its work-items is ever behind another, and makes a barrier of a
 * work-group of each barrier, whatever its execution scope. A sub-group that does not come by, because its work-items all
 * went the other way, breaks that one: the rest of the kernel is silently lost. SYCL's loads and stores of a
 * sub-group have such barriers, in the branch for all blocks but the last. What remains of it is the order of memory.
 *
 * The hard case: a scope that is computed may be the work-group's, and that barrier stays.
 *
 * needs: read.  gives: another module, to be read again.
 */
#include "supply/supply.h"

static bool is_of_subgroup(const struct nf_module *m, uint32_t at)
{
    int64_t scope;
    return nf_opcode(m, at) == OpControlBarrier && nf_constant(m, m->words[at + 1], &scope) &&
           scope >= NF_SCOPE_SUBGROUP;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    int64_t semantics;
    const uint32_t *words = e->m->words + at;
    (void)unused;
    if (!is_of_subgroup(e->m, at)) return false;
    bool orders = !nf_constant(e->m, words[3], &semantics) || semantics != 0;
    if (orders) nf_edit_emit(e, OpMemoryBarrier, words + 2, 2);
    return true;
}

bool nf_supply_lockstep(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, is_of_subgroup, rewrite, out);
}
