/* SPDX-License-Identifier: Apache-2.0 */
/*
 * supply.h - replaces what a module uses and the device lacks by what the device has.
 *
 * In: the words of a whole module without generic pointers, and the profile. Out: the words of an equivalent module
 * that does without the missing feature, or that avoids a known bug of the driver. A feature that can be dropped
 * without changing a result is not replaced here but removed by fit/. May use: base, spirv, module, prepare.
 */
#ifndef NF_SUPPLY_H
#define NF_SUPPLY_H

#include "module/module.h"

/* ---- supply.c: runs the steps that the profile or the module asks for, in order ---- */
/* Runs all steps that are needed on the module `in`, with the options and the arena of `m`. Returns true and stores the
 * new module in `out`, or returns false if there is nothing to do: the profile is NULL, a library is made, or no step
 * applies. */
bool nf_supply(struct nf_module *m, const struct nf_words *in, struct nf_words *out);

/* Every step takes `m` as read by nf_read(), with types. If it changes anything, it writes a whole module to `out`,
 * which lives in m->arena, and returns true; the caller reads the module again before the next step. A step that
 * cannot replace a construct refuses the module by nf_fail(). Steps have no global state, so modules of different
 * arenas may be processed in parallel. nf_needs_*() returns true if the module needs the step of that name. */

/* ---- dedupe_types.c: merges type declarations that are identical ---- */
bool nf_supply_dedupe_types(struct nf_module *m, struct nf_words *out);

/* ---- blocks.c: sorts blocks so that dominators come first; removes duplicate predecessors from phis ---- */
bool nf_supply_blocks(struct nf_module *m, struct nf_words *out);
bool nf_supply_phis(struct nf_module *m, struct nf_words *out);

/* ---- hoist_variables.c: moves OpVariable to the beginning of its function ---- */
bool nf_supply_hoist_variables(struct nf_module *m, struct nf_words *out);

/* ---- fix_invalid_operands.c: replaces instructions whose operand types SPIR-V does not allow ---- */
bool nf_supply_fix_invalid_operands(struct nf_module *m, struct nf_words *out);

/* ---- interfaces.c: completes the list of variables in OpEntryPoint ---- */
bool nf_supply_interfaces(struct nf_module *m, struct nf_words *out);

/* ---- arbitrary_width_ints.c: widens integers of other widths than 8, 16, 32 and 64 bits ---- */
bool nf_needs_arbitrary_width_ints(const struct nf_module *m);
bool nf_supply_arbitrary_width_ints(struct nf_module *m, struct nf_words *out);

/* ---- printf_formats.c: replaces computed format strings, and strings for %s, by a choice among constants ---- */
bool nf_supply_printf_formats(struct nf_module *m, struct nf_words *out);

/* ---- globals_to_constants.c: moves module-scope variables that are only read to constant memory ---- */
bool nf_supply_globals_to_constants(struct nf_module *m, struct nf_words *out);

/* ---- globals_to_buffer.c: moves module-scope variables that kernels write to a buffer of the caller ---- */
bool nf_supply_globals_to_buffer(struct nf_module *m, struct nf_words *out);

/* ---- constant_scopes.c: replaces computed scopes and memory semantics by constants ---- */
bool nf_supply_constant_scopes(struct nf_module *m, struct nf_words *out);

/* ---- intrinsics.c: replaces LLVM intrinsics and C++ runtime functions that translators leave as imports ---- */
bool nf_supply_intrinsics(struct nf_module *m, struct nf_words *out);

/* ---- mathematics.c: replaces functions of OpenCL.std that the driver lacks ---- */
bool nf_supply_mathematics(struct nf_module *m, struct nf_words *out);

/* ---- fdiv_by_zero.c: replaces a division by constant zero by a multiplication by infinity ---- */
bool nf_supply_fdiv_by_zero(struct nf_module *m, struct nf_words *out);

/* ---- sext_i8.c: sign-extends 8-bit integers by shifts in place of OpSConvert ---- */
bool nf_supply_sext_i8(struct nf_module *m, struct nf_words *out);

/* ---- collectives.c: replaces group operations of a work-group by functions over local memory ---- */
bool nf_supply_collectives(struct nf_module *m, struct nf_words *out);

/* ---- subgroups.c: replaces sub-group operations of extensions by those of SPIR-V 1.3 ---- */
bool nf_needs_subgroups(const struct nf_module *m);
bool nf_supply_subgroups(struct nf_module *m, struct nf_words *out);

/* ---- zero_undef_globals.c: zeroes undefined initializers, and drops empty ones in local memory ---- */
bool nf_supply_zero_undef_globals(struct nf_module *m, struct nf_words *out);

/* ---- lockstep_barriers.c: replaces sub-group barriers by memory barriers ---- */
bool nf_supply_lockstep_barriers(struct nf_module *m, struct nf_words *out);

/* ---- atomic_store_to_exchange.c: replaces atomic stores by atomic exchanges ---- */
bool nf_supply_atomic_store_to_exchange(struct nf_module *m, struct nf_words *out);

/* ---- reserve_null_local.c: reserves address 0 of local memory, so that no variable of the program lies there ---- */
bool nf_supply_reserve_null_local(struct nf_module *m, struct nf_words *out);

/* ---- sext_addresses.c: sign-extends 32-bit addresses before they are subtracted or compared ---- */
bool nf_supply_sext_addresses(struct nf_module *m, struct nf_words *out);

/* ---- function_pointers.c: refuses function pointers, by the name of the function ---- */
bool nf_supply_function_pointers(struct nf_module *m, struct nf_words *out);

/* ---- drop_cpacked.c: drops CPacked where it does not change the layout ---- */
bool nf_supply_drop_cpacked(struct nf_module *m, struct nf_words *out);

/* ---- split_accesses.c: splits misaligned accesses of local memory, and copies of private memory ---- */
bool nf_supply_split_accesses(struct nf_module *m, struct nf_words *out);

/* ---- constant_null_access.c: hides that an accessed pointer is a constant null ---- */
bool nf_supply_constant_null_access(struct nf_module *m, struct nf_words *out);

/* ---- mesa_inbounds_struct_arrays.c: hides the array from pointers that may leave it for other members ---- */
bool nf_supply_mesa_inbounds_struct_arrays(struct nf_module *m, struct nf_words *out);

/* ---- mesa_lcssa_pointers.c: carries pointers out of loops as integers ---- */
bool nf_supply_mesa_lcssa_pointers(struct nf_module *m, struct nf_words *out);

/* ---- mesa_private_store_forwarding.c: makes private accesses through pointers of unknown origin volatile ---- */
bool nf_supply_mesa_private_store_forwarding(struct nf_module *m, struct nf_words *out);

/* ---- mesa_uniform_loads.c: makes the addresses of conditional loads non-uniform ---- */
bool nf_supply_mesa_uniform_loads(struct nf_module *m, struct nf_words *out);

/* ---- reserve_private.c: adds a private variable to kernels that may access private memory ---- */
bool nf_supply_reserve_private(struct nf_module *m, struct nf_words *out);

/* ---- inlining.c: requests that functions with barriers be inlined ---- */
bool nf_supply_inlining(struct nf_module *m, struct nf_words *out);

/* ---- name_functions.c: names functions that have no name ---- */
bool nf_supply_name_functions(struct nf_module *m, struct nf_words *out);

#endif
