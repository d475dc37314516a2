/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workarounds.c - runs the steps that avoid faults of drivers, in a fixed sequence; knows the names of the faults.
 *
 * The steps run after the steps of supply/, so they also process the code that supply/ adds. For devices that take
 * bitcode (NF_PROFILE_SPIR12) no step runs, because the faults were found in drivers that take SPIR-V.
 *
 * needs: a sequence of steps.  gives: the sequence after these steps.
 */
#include "workarounds/internal.h"

#include <string.h>

/* A step that avoids two faults has two rows, one after the other. */
static const struct {
    nf_fault fault;
    nf_step take;
} steps_in_order[] = {
    {NF_FAULT_MESA_FDIV_BY_ZERO, nf_workaround_mesa_fdiv_by_zero},
    {NF_FAULT_MESA_UNDEF_INITIALIZERS, nf_workaround_mesa_undef_initializers},
    {NF_FAULT_MESA_ATOMIC_STORES, nf_workaround_mesa_atomic_stores},
    {NF_FAULT_MESA_LOCAL_AT_NULL, nf_workaround_mesa_local_at_null},
    {NF_FAULT_MESA_UNSIGNED_ADDRESSES, nf_workaround_mesa_unsigned_addresses},
    {NF_FAULT_MESA_PACKED_PRIVATE, nf_workaround_mesa_packed_private},
    {NF_FAULT_MESA_BY_VALUE_PADDING, nf_workaround_mesa_by_value_padding},
    {NF_FAULT_MESA_MISALIGNED_LOCAL, nf_workaround_mesa_split_accesses},
    {NF_FAULT_MESA_MEMORY_COPIES, nf_workaround_mesa_split_accesses},
    {NF_FAULT_MESA_CONSTANT_COPIES, nf_workaround_mesa_split_accesses},
    {NF_FAULT_MESA_CONSTANT_NULL_ACCESS, nf_workaround_mesa_constant_null_access},
    {NF_FAULT_MESA_INBOUNDS_STRUCT_ARRAYS, nf_workaround_mesa_inbounds_struct_arrays},
    {NF_FAULT_MESA_LCSSA_POINTERS, nf_workaround_mesa_lcssa_pointers},
    {NF_FAULT_MESA_PRIVATE_STORE_FORWARDING, nf_workaround_mesa_private_store_forwarding},
    {NF_FAULT_MESA_UNIFORM_LOADS, nf_workaround_mesa_uniform_loads},
    {NF_FAULT_MESA_NO_PRIVATE_MEMORY, nf_workaround_mesa_no_private_memory},
    {NF_FAULT_MESA_PHI_PRECISION, nf_workaround_mesa_phi_precision},
    {NF_FAULT_MESA_SUBGROUP_BARRIERS, nf_workaround_mesa_subgroup_barriers},
    {NF_FAULT_MESA_CALLED_BARRIERS, nf_workaround_mesa_called_barriers},
    {NF_FAULT_MESA_UNNAMED_FUNCTIONS, nf_workaround_mesa_unnamed_functions},
};
enum { STEPS = sizeof steps_in_order / sizeof *steps_in_order };

static const char *const names[] = {
#include "workarounds/faults.inc"
};
enum { NAMES = sizeof names / sizeof *names };

void nf_work_around(const struct nf_module *m, struct nf_steps *steps)
{
    const nf_profile *profile = m->options->profile;
    nf_step last = NULL;
    if (!profile || m->options->library || profile->flags & NF_PROFILE_SPIR12) return;
    for (size_t i = 0; i < STEPS; i++) {
        if (steps_in_order[i].take == last || !nf_has_fault(profile, steps_in_order[i].fault)) continue;
        last = steps_in_order[i].take;
        nf_steps_take(steps, last);
    }
}

const char *nf_fault_name(uint32_t fault)
{
    return fault < NAMES ? names[fault] : NULL;
}

uint32_t nf_fault_number(const char *name)
{
    for (uint32_t i = 0; name && i < NAMES; i++)
        if (names[i] && strcmp(names[i], name) == 0) return i;
    return 0;
}
