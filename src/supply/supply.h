/* SPDX-License-Identifier: Apache-2.0 */
/*
 * supply.h - replaces features that a module uses and the device lacks by features that the device has.
 *
 * Takes a whole module, in hint mode with generic pointers, and the profile. Gives an equivalent module that does not
 * use the missing feature, or a refusal. A feature that can be dropped without changing a result is not replaced here
 * but removed by fit/; features that a driver has, but implements wrongly, are avoided by workarounds/. May use: base,
 * spirv, module, prepare.
 */
#ifndef NF_SUPPLY_H
#define NF_SUPPLY_H

#include "module/module.h"

/* ---- supply.c: runs the steps that the profile or the module requires, in order ---------------------------------- */
/* Runs all needed steps except nf_supply_interfaces() on the sequence's module, and appends warnings to the log. Does
 * nothing without a profile, and for a library. nf_read() has read `m`, the input; its types may be unknown. */
void nf_supply(const struct nf_module *m, struct nf_steps *steps, struct nf_text *log);
/* Completes the lists of variables in OpEntryPoint, if the device needs that. Call it after the last step that may add
 * a variable. */
void nf_supply_entry_points(const struct nf_module *m, struct nf_steps *steps);

/* Every step is an nf_step of module/module.h. A step that cannot replace a construct refuses the module, or leaves the
 * construct to the driver, as its file describes. Steps have no global state, so modules of different arenas may be
 * processed in parallel. nf_needs_*() returns true if the module may need the step of that name. */

/* ---- dedupe_types.c: merges type declarations and decorations that are identical ---- */
bool nf_supply_dedupe_types(struct nf_module *m, struct nf_words *out);

/* ---- blocks.c: sorts blocks so that dominators come first; removes duplicate predecessors from phis ---- */
bool nf_supply_blocks(struct nf_module *m, struct nf_words *out);
bool nf_supply_phis(struct nf_module *m, struct nf_words *out);

/* ---- private_constants.c: copies a module-scope constant in private memory into each function that uses it ---- */
bool nf_supply_private_constants(struct nf_module *m, struct nf_words *out);

/* ---- hoist_variables.c: moves OpVariable to the beginning of its function ---- */
bool nf_supply_hoist_variables(struct nf_module *m, struct nf_words *out);

/* ---- fix_invalid_operands.c: replaces instructions whose opcode or operand types are invalid ---- */
bool nf_supply_fix_invalid_operands(struct nf_module *m, struct nf_words *out);

/* ---- half_conversions.c: converts vectors of halves component by component, for bitcode ---- */
bool nf_supply_half_conversions(struct nf_module *m, struct nf_words *out);

/* ---- constant_addresses.c: computes constants that contain an address, in the functions that use them ---- */
bool nf_needs_constant_addresses(const struct nf_module *m);
bool nf_supply_constant_addresses(struct nf_module *m, struct nf_words *out);

/* ---- interfaces.c: completes the list of variables in OpEntryPoint ---- */
bool nf_supply_interfaces(struct nf_module *m, struct nf_words *out);

/* ---- arbitrary_width_ints.c: widens integers of other widths than 8, 16, 32 and 64 bits ---- */
bool nf_needs_arbitrary_width_ints(const struct nf_module *m);
bool nf_supply_arbitrary_width_ints(struct nf_module *m, struct nf_words *out);

/* ---- printf_formats.c: replaces computed format strings, and strings for %s, by a choice among constants ---- */
bool nf_supply_printf_formats(struct nf_module *m, struct nf_words *out);

/* ---- globals_to_constants.c: moves to constant memory the module-scope variables that are only read ---- */
bool nf_supply_globals_to_constants(struct nf_module *m, struct nf_words *out);

/* ---- globals_to_buffer.c: moves to a buffer of the caller the module-scope variables that kernels may write ---- */
bool nf_supply_globals_to_buffer(struct nf_module *m, struct nf_words *out);

/* ---- constant_scopes.c: replaces computed scopes and memory semantics by constants ---- */
bool nf_supply_constant_scopes(struct nf_module *m, struct nf_words *out);

/* ---- intrinsics.c: replaces known imports: LLVM intrinsics, C++ exceptions, complex arithmetic, SYCL's assert ---- */
bool nf_supply_intrinsics(struct nf_module *m, struct nf_words *out);
/* Returns true for the linkage name of an import that nf_supply_intrinsics() can replace. */
bool nf_is_intrinsic(const char *name);

/* ---- mathematics.c: replaces functions of OpenCL.std that some drivers of Mesa lack ---- */
bool nf_supply_mathematics(struct nf_module *m, struct nf_words *out);

/* ---- collectives.c: replaces group operations of a work-group by functions over local memory ---- */
bool nf_supply_collectives(struct nf_module *m, struct nf_words *out);

/* ---- subgroup_sizes.c: removes required sub-group sizes that the device does not have ---- */
/* Appends a warning to the log for each kernel whose requirement is removed and that depends on the size. */
void nf_warn_of_subgroup_sizes(const struct nf_module *m, struct nf_text *log);
bool nf_needs_subgroup_sizes(const struct nf_module *m);
bool nf_supply_subgroup_sizes(struct nf_module *m, struct nf_words *out);

/* ---- subgroups.c: replaces sub-group arithmetic and rotations of extensions by operations of SPIR-V 1.3 ---- */
bool nf_needs_subgroups(const struct nf_module *m);
bool nf_supply_subgroups(struct nf_module *m, struct nf_words *out);

/* ---- float_atomics.c: replaces atomic additions, minima and maxima of floats by loops of compare-exchanges ---- */
bool nf_needs_float_atomics(const struct nf_module *m);
bool nf_supply_float_atomics(struct nf_module *m, struct nf_words *out);

/* ---- function_pointers.c: refuses function pointers, by the name of the function ---- */
bool nf_supply_function_pointers(struct nf_module *m, struct nf_words *out);

/* ---- recursion.c: refuses kernels that may call recursive functions ---- */
bool nf_supply_recursion(struct nf_module *m, struct nf_words *out);

/* ---- built_ins.c: built-in variables for code that a step adds ---- */

enum { NF_MOST_BUILT_INS = 2 };
struct nf_built_ins {
    struct nf_edit *to;
    struct {
        uint32_t which, id;
    } made[NF_MOST_BUILT_INS]; /* variables that the module does not declare */
    uint32_t count;
    struct nf_words variables; /* definitions, placed after all others */
};
/* Returns the variable decorated with BuiltIn `which`: the module's, or a new Input variable with the pointee type
 * `type`. Returns 0 if NF_MOST_BUILT_INS are made. */
uint32_t nf_built_in(struct nf_built_ins *b, uint32_t which, uint32_t type);
/* Emits all sections before the functions, once the functions are written: decorates the new variables, and adds them
 * to every OpEntryPoint. `also` is one more variable for the entry points from SPIR-V 1.4 on; 0: none. */
void nf_built_ins_emit(struct nf_built_ins *b, uint32_t also);

#endif
