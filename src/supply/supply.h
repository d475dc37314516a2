/* SPDX-License-Identifier: Apache-2.0 */
/*
 * supply.h - what the device lacks is done by what it has.
 *
 * In: the words of a whole module without generic pointers, the profile. Out: the words of one that means the same and
 * does without. What changes no result is not supplied but dropped, by fit/. May use: base, spirv, module, prepare.
 */
#ifndef NF_SUPPLY_H
#define NF_SUPPLY_H

#include "module/module.h"

/* ---- supply.c: what is lacking, in order. False when nothing is, or the device takes anything. ---- */
bool nf_supply(struct nf_module *m, const struct nf_words *in, struct nf_words *out);

/* Each takes a module as read, with types, and gives another to be read again, or false: there is nothing to do. */

/* ---- twins.c: types that say the same are one ---- */
bool nf_supply_twins(struct nf_module *m, struct nf_words *out);

/* ---- blocks.c: a block comes before all that it dominates; a phi names each block once ---- */
bool nf_supply_blocks(struct nf_module *m, struct nf_words *out);
bool nf_supply_phis(struct nf_module *m, struct nf_words *out);

/* ---- variables.c: a function begins with its variables ---- */
bool nf_supply_variables(struct nf_module *m, struct nf_words *out);

/* ---- habits.c: operands that SPIR-V does not allow ---- */
bool nf_supply_habits(struct nf_module *m, struct nf_words *out);

/* ---- interfaces.c: entry points name the variables that they use ---- */
bool nf_supply_interfaces(struct nf_module *m, struct nf_words *out);

/* ---- widths.c: integers of any width have the next one that is usual. Asked for by the module, and what the device has not ---- */
bool nf_needs_widths(const struct nf_module *m);
bool nf_supply_widths(struct nf_module *m, struct nf_words *out);

/* ---- formats.c: formats and texts of printf that are computed are chosen among the module's ---- */
bool nf_supply_formats(struct nf_module *m, struct nf_words *out);

/* ---- constants.c: module-scope variables that no kernel writes become constants ---- */
bool nf_supply_constants(struct nf_module *m, struct nf_words *out);

/* ---- memory.c: module-scope variables that kernels write lie in memory that the caller gives ---- */
bool nf_supply_memory(struct nf_module *m, struct nf_words *out);

/* ---- scopes.c: computed scopes and memory semantics become constants ---- */
bool nf_supply_scopes(struct nf_module *m, struct nf_words *out);

/* ---- intrinsics.c: functions that LLVM leaves as imports ---- */
bool nf_supply_intrinsics(struct nf_module *m, struct nf_words *out);

/* ---- mathematics.c: functions of OpenCL.std that the driver has not ---- */
bool nf_supply_mathematics(struct nf_module *m, struct nf_words *out);

/* ---- quotients.c: what is divided by a constant zero is multiplied by infinity ---- */
bool nf_supply_quotients(struct nf_module *m, struct nf_words *out);

/* ---- widened.c: what has 8 bits and a sign is widened by shifts ---- */
bool nf_supply_widened(struct nf_module *m, struct nf_words *out);

/* ---- collectives.c: what a whole work-group computes together ---- */
bool nf_supply_collectives(struct nf_module *m, struct nf_words *out);

/* ---- subgroups.c: what a sub-group does together, in the words of SPIR-V 1.3. Asked for by the module ---- */
bool nf_needs_subgroups(const struct nf_module *m);
bool nf_supply_subgroups(struct nf_module *m, struct nf_words *out);

/* ---- undefined.c: contents of variables that are not defined are zeros, or none ---- */
bool nf_supply_undefined(struct nf_module *m, struct nf_words *out);

/* ---- lockstep.c: barriers of sub-groups order memory, and nothing else ---- */
bool nf_supply_lockstep(struct nf_module *m, struct nf_words *out);

/* ---- stores.c: atomic stores become exchanges ---- */
bool nf_supply_stores(struct nf_module *m, struct nf_words *out);

/* ---- lowest.c: no local variable lies where a null pointer without its tag would ---- */
bool nf_supply_lowest(struct nf_module *m, struct nf_words *out);

/* ---- offsets.c: addresses of 32 bits have a sign where they are subtracted or compared ---- */
bool nf_supply_offsets(struct nf_module *m, struct nf_words *out);

/* ---- function_pointers.c: where there are none, what needs them is refused by name ---- */
bool nf_supply_function_pointers(struct nf_module *m, struct nf_words *out);

/* ---- packed.c: structures that lie the same with and without CPacked are not packed ---- */
bool nf_supply_packed(struct nf_module *m, struct nf_words *out);

/* ---- unaligned.c: local memory is accessed at multiples of what is accessed, private memory copied by pieces ---- */
bool nf_supply_unaligned(struct nf_module *m, struct nf_words *out);

/* ---- nulls.c: accesses to constant null pointers ---- */
bool nf_supply_nulls(struct nf_module *m, struct nf_words *out);

/* ---- members.c: addresses that may leave an array for what lies beside it ---- */
bool nf_supply_members(struct nf_module *m, struct nf_words *out);

/* ---- leaving.c: pointers that come out of a loop to a phi go as numbers ---- */
bool nf_supply_leaving(struct nf_module *m, struct nf_words *out);

/* ---- forwarded.c: private memory is accessed as volatile where the variable is not known ---- */
bool nf_supply_forwarded(struct nf_module *m, struct nf_words *out);

/* ---- unreached.c: loads that nobody may come to are done for those who do ---- */
bool nf_supply_unreached(struct nf_module *m, struct nf_words *out);

/* ---- scratch.c: kernels that may use private memory have some ---- */
bool nf_supply_scratch(struct nf_module *m, struct nf_words *out);

/* ---- inlining.c: functions with barriers go into their callers ---- */
bool nf_supply_inlining(struct nf_module *m, struct nf_words *out);

/* ---- unnamed.c: functions that have no name have one ---- */
bool nf_supply_unnamed(struct nf_module *m, struct nf_words *out);

#endif
