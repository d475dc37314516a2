/* SPDX-License-Identifier: Apache-2.0 */
/*
 * supply.c - runs the steps that replace features that a device lacks, in a fixed sequence.
 *
 * The steps run on the output of the rewriting, where every pointer has a concrete storage class (except in hint mode),
 * so they handle inputs with and without generic pointers in the same way. Each step makes a new module, which is read
 * again only if the step changed something. The steps are the same for modules that the driver gets as SPIR-V and for
 * modules that become bitcode (NF_PROFILE_SPIR12).
 *
 * needs: a sequence of steps.  gives: the sequence after these steps.
 */
#include "prepare/prepare.h"
#include "supply/supply.h"

/* Returns true if the driver's own library of OpenCL.std lacks functions, which the pass then supplies. */
static bool lacks_functions(const struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    return nf_has_fault(profile, NF_FAULT_MESA_MISSING_FMA) || nf_has_fault(profile, NF_FAULT_MESA_MISSING_HALF);
}

static const struct step {
    uint32_t flags; /* flags of the profile, any of which enables the step; 0: `enables` decides */
    nf_step take;
    bool (*enables)(const struct nf_module *m);
} steps_in_order[] = {
    {0, nf_supply_arbitrary_width_ints, nf_needs_arbitrary_width_ints},
    {NF_PROFILE_VALIDATES, nf_supply_dedupe_types, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_blocks, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_phis, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_private_constants, NULL},
    {NF_PROFILE_SPIR12, nf_lower_variable_initializers, NULL},
    {0, nf_supply_constant_addresses, nf_needs_constant_addresses},
    {NF_PROFILE_VALIDATES | NF_PROFILE_SPIR12, nf_supply_hoist_variables, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_fix_invalid_operands, NULL},
    {NF_PROFILE_SPIR12, nf_supply_half_conversions, NULL},
    {NF_PROFILE_NO_INTRINSICS | NF_PROFILE_SPIR12, nf_supply_intrinsics, NULL},
    {NF_PROFILE_NO_INTRINSICS, nf_supply_function_pointers, NULL},
    {NF_PROFILE_SPIR12, nf_supply_recursion, NULL},
    {0, nf_supply_mathematics, lacks_functions},
    {NF_PROFILE_NO_COLLECTIVES | NF_PROFILE_SPIR12, nf_supply_collectives, NULL},
    {NF_PROFILE_CONSTANT_FORMATS, nf_supply_printf_formats, NULL},
    {NF_PROFILE_NO_WRITABLE_GLOBALS, nf_supply_globals_to_constants, NULL},
    {NF_PROFILE_GLOBALS_IN_MEMORY, nf_supply_globals_to_buffer, NULL},
    {NF_PROFILE_CONSTANT_SCOPES, nf_supply_constant_scopes, NULL},
    {0, nf_supply_subgroup_sizes, nf_needs_subgroup_sizes},
    {0, nf_supply_subgroups, nf_needs_subgroups},
    {0, nf_supply_float_atomics, nf_needs_float_atomics},
};

static bool is_enabled(const struct nf_module *m, const struct step *step)
{
    return step->flags ? m->options->profile->flags & step->flags : step->enables(m);
}

/* Returns false if the profile describes no particular device, and for a library, whose users are unknown. */
static bool is_for_device(const struct nf_module *m)
{
    return m->options->profile && !m->options->library;
}

void nf_supply(const struct nf_module *m, struct nf_steps *steps, struct nf_text *log)
{
    if (!is_for_device(m)) return;
    if (nf_needs_subgroup_sizes(m)) nf_warn_of_subgroup_sizes(m, log);
    for (size_t i = 0; i < sizeof steps_in_order / sizeof *steps_in_order; i++)
        if (is_enabled(m, &steps_in_order[i])) nf_steps_take(steps, steps_in_order[i].take);
}

void nf_supply_entry_points(const struct nf_module *m, struct nf_steps *steps)
{
    static const struct step last = {NF_PROFILE_VALIDATES | NF_PROFILE_NO_WRITABLE_GLOBALS, nf_supply_interfaces, NULL};
    if (is_for_device(m) && is_enabled(m, &last)) nf_steps_take(steps, last.take);
}
