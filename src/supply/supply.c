/* SPDX-License-Identifier: Apache-2.0 */
/*
 * supply.c - the order of the steps that replace what a device lacks.
 *
 * The steps run on the output of the rewriting, where every pointer has a concrete storage class, so they treat modules
 * that had generic pointers and modules that had none alike. Each step makes a new module, which is read again only if
 * the step changed something. They are the same for modules that the driver gets as SPIR-V and for those that become
 * bitcode (NF_PROFILE_SPIR12).
 *
 * needs: the words of a whole module.  gives: the words of another, or nothing to do.
 */
#include "supply/supply.h"

static const struct step {
    uint32_t flags; /* of the profile: any of them enables the step; 0: `asks` decides */
    bool (*take)(struct nf_module *m, struct nf_words *out);
    bool (*asks)(const struct nf_module *m);
} steps[] = {
    {0, nf_supply_arbitrary_width_ints, nf_needs_arbitrary_width_ints},
    {NF_PROFILE_VALIDATES, nf_supply_dedupe_types, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_blocks, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_phis, NULL},
    {NF_PROFILE_VALIDATES | NF_PROFILE_SPIR12, nf_supply_hoist_variables, NULL},
    {NF_PROFILE_VALIDATES, nf_supply_fix_invalid_operands, NULL},
    {NF_PROFILE_NO_INTRINSICS | NF_PROFILE_SPIR12, nf_supply_intrinsics, NULL},
    {NF_PROFILE_NO_INTRINSICS, nf_supply_function_pointers, NULL},
    {NF_PROFILE_NO_FMA, nf_supply_mathematics, NULL},
    {NF_PROFILE_FINITE_QUOTIENTS, nf_supply_fdiv_by_zero, NULL},
    {NF_PROFILE_NO_COLLECTIVES, nf_supply_collectives, NULL},
    {NF_PROFILE_CONSTANT_FORMATS, nf_supply_printf_formats, NULL},
    {NF_PROFILE_NO_WRITABLE_GLOBALS, nf_supply_globals_to_constants, NULL},
    {NF_PROFILE_GLOBALS_IN_MEMORY, nf_supply_globals_to_buffer, NULL},
    {NF_PROFILE_CONSTANT_SCOPES, nf_supply_constant_scopes, NULL},
    {0, nf_supply_subgroups, nf_needs_subgroups},
    {NF_PROFILE_DEFINED_CONSTANTS, nf_supply_zero_undef_globals, NULL},
    {NF_PROFILE_EXCHANGE_STORES, nf_supply_atomic_store_to_exchange, NULL},
    {NF_PROFILE_UNSIGNED_OFFSETS, nf_supply_reserve_null_local, NULL},
    {NF_PROFILE_UNSIGNED_OFFSETS, nf_supply_sext_addresses, NULL},
    {NF_PROFILE_SCRATCH, nf_supply_drop_cpacked, NULL},
    {NF_PROFILE_ALIGNED_LOCAL | NF_PROFILE_SPLIT_COPIES, nf_supply_split_accesses, NULL},
    {NF_PROFILE_DEFINED_CONSTANTS, nf_supply_constant_null_access, NULL},
    {NF_PROFILE_STAYS_IN_ARRAYS, nf_supply_mesa_inbounds_struct_arrays, NULL},
    {NF_PROFILE_LOSES_POINTERS, nf_supply_mesa_lcssa_pointers, NULL},
    {NF_PROFILE_FORWARDS_PRIVATE, nf_supply_mesa_private_store_forwarding, NULL},
    {NF_PROFILE_LOADS_UNREACHED, nf_supply_mesa_uniform_loads, NULL},
    {NF_PROFILE_SCRATCH, nf_supply_reserve_private, NULL},
    {NF_PROFILE_NARROWS_MERGES, nf_supply_sext_i8, NULL},
    {NF_PROFILE_LOCKSTEP_SUBGROUPS, nf_supply_lockstep_barriers, NULL},
    {NF_PROFILE_INLINE_BARRIERS, nf_supply_inlining, NULL},
    {NF_PROFILE_INLINE_BARRIERS, nf_supply_name_functions, NULL},
    {NF_PROFILE_VALIDATES | NF_PROFILE_NO_WRITABLE_GLOBALS, nf_supply_interfaces, NULL},
};

static bool is_wanted(const struct nf_module *m, const struct step *step)
{
    return step->flags ? m->options->profile->flags & step->flags : step->asks(m);
}

bool nf_supply(struct nf_module *m, const struct nf_words *in, struct nf_words *out)
{
    struct nf_module read = {0};
    bool changed = false;
    if (!m->options->profile || m->options->library) return false;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (!is_wanted(m, &steps[i])) continue;
        struct nf_words made;
        if (!read.words) {
            read = (struct nf_module){.arena = m->arena, .options = m->options};
            nf_read_again(&read, changed ? out : in);
            nf_types(&read);
        }
        if (!steps[i].take(&read, &made)) continue;
        *out = made;
        read.words = NULL;
        changed = true;
    }
    return changed;
}
