/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workarounds.c - the order of the steps that avoid faults of drivers.
 *
 * The steps run after those of supply/, so they also treat the code that those add. For devices that take bitcode
 * (NF_PROFILE_SPIR12) none runs: the faults were found in drivers that take SPIR-V.
 *
 * needs: a sequence of steps.  gives: the same, advanced.
 */
#include "workarounds/internal.h"

static const struct {
    uint32_t flags; /* of the profile: any of them enables the step */
    nf_step take;
} steps_in_order[] = {
    {NF_PROFILE_FINITE_QUOTIENTS, nf_workaround_mesa_fdiv_by_zero},
    {NF_PROFILE_DEFINED_CONSTANTS, nf_workaround_mesa_undef_initializers},
    {NF_PROFILE_EXCHANGE_STORES, nf_workaround_mesa_atomic_stores},
    {NF_PROFILE_UNSIGNED_OFFSETS, nf_workaround_mesa_local_at_null},
    {NF_PROFILE_UNSIGNED_OFFSETS, nf_workaround_mesa_unsigned_addresses},
    {NF_PROFILE_SCRATCH, nf_workaround_mesa_packed_private},
    {NF_PROFILE_ALIGNED_LOCAL | NF_PROFILE_SPLIT_COPIES, nf_workaround_mesa_split_accesses},
    {NF_PROFILE_DEFINED_CONSTANTS, nf_workaround_mesa_constant_null_access},
    {NF_PROFILE_STAYS_IN_ARRAYS, nf_workaround_mesa_inbounds_struct_arrays},
    {NF_PROFILE_LOSES_POINTERS, nf_workaround_mesa_lcssa_pointers},
    {NF_PROFILE_FORWARDS_PRIVATE, nf_workaround_mesa_private_store_forwarding},
    {NF_PROFILE_LOADS_UNREACHED, nf_workaround_mesa_uniform_loads},
    {NF_PROFILE_SCRATCH, nf_workaround_mesa_no_private_memory},
    {NF_PROFILE_NARROWS_MERGES, nf_workaround_mesa_phi_precision},
    {NF_PROFILE_LOCKSTEP_SUBGROUPS, nf_workaround_mesa_subgroup_barriers},
    {NF_PROFILE_INLINE_BARRIERS, nf_workaround_mesa_called_barriers},
    {NF_PROFILE_INLINE_BARRIERS, nf_workaround_mesa_unnamed_functions},
};

void nf_work_around(const struct nf_module *m, struct nf_steps *steps)
{
    const nf_profile *profile = m->options->profile;
    if (!profile || m->options->library || profile->flags & NF_PROFILE_SPIR12) return;
    for (size_t i = 0; i < sizeof steps_in_order / sizeof *steps_in_order; i++)
        if (profile->flags & steps_in_order[i].flags) nf_steps_take(steps, steps_in_order[i].take);
}
