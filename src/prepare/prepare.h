/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare.h - rewrites a module before inference.
 *
 * Takes a module that was read. Gives a module with the same meaning in which, as far as the later stages need it,
 * pointers have pointee types, definitions precede their uses, and known built-in functions, comparisons of integers as
 * pointers, initializers and specialized constants are ordinary instructions. May use: base, spirv, module.
 *
 * Stages with the parameter `lowered` write a new module to it, which the caller reads with nf_read_again(); those that
 * return bool return false instead if there is nothing to rewrite. All other stages change the words in place or refuse
 * the module.
 */
#ifndef NF_PREPARE_H
#define NF_PREPARE_H

#include "module/module.h"

/* ---- profitability.c: whether inference has any benefit, by mode and profile ------------------------------------- */
enum nf_gain {
    NF_GAIN_NONE,
    NF_GAIN_MERGES, /* the only benefit: tags for the results of phis and selects (infer/merges.c) */
    NF_GAIN_ALL
};
enum nf_gain nf_gain(const struct nf_module *m);

/* ---- order.c: sorts blocks and constants so that definitions precede their uses ---- */
void nf_order(struct nf_module *m);

/* ---- untyped.c: gives untyped pointers a pointee type; for modules that have untyped pointers ---- */
void nf_lower_untyped(struct nf_module *m, struct nf_words *lowered);

/* ---- inputs.c: makes built-in variables Inputs that are loaded as a whole, if the device takes no other form ---- */
bool nf_lower_inputs(struct nf_module *m, struct nf_words *lowered);

/* ---- refuse_global_stores.c: refuses stores to module-scope variables if the profile says that there are none ---- */
void nf_refuse_global_stores(struct nf_module *m);

/* ---- builtins.c: replaces calls of known built-in functions by instructions ---- */
bool nf_lower_builtins(struct nf_module *m, struct nf_words *lowered);
/* Returns true for the linkage name of a built-in function that nf_lower_builtins() can replace. */
bool nf_is_builtin(const char *name);

/* ---- import_bodies.c: defines imported functions: memchr, strlen, conversions of bfloat16 ---- */
bool nf_lower_imports(struct nf_module *m, struct nf_words *lowered);
/* Returns true for the linkage name of a function that nf_lower_imports() can define. */
bool nf_has_import_body(const char *name);

/* ---- integer_comparisons.c: compares integers as integers where the module compares them as pointers ---- */
bool nf_lower_integer_tests(struct nf_module *m, struct nf_words *lowered);

/* ---- initializers.c: replaces constants that contain addresses of local variables ---- */
bool nf_lower_initializers(struct nf_module *m, struct nf_words *lowered);

/* ---- variable_initializers.c: replaces initializers of functions' variables by stores: initializers with pointers
 * that are flat addresses in memory, or all ---- */
bool nf_lower_flat_initializers(struct nf_module *m, struct nf_words *lowered);
bool nf_lower_variable_initializers(struct nf_module *m, struct nf_words *lowered);

/* ---- address_constants.c: replaces integers of addresses, pointers converted from integers, and composites of private
 * and local pointers, that are constants, by instructions ---- */
bool nf_lower_address_constants(struct nf_module *m, struct nf_words *lowered);

/* ---- pointers_through_pointers.c: lets integers carry addresses for which pointers of another memory are used ---- */
bool nf_lower_pointers_through_pointers(struct nf_module *m, struct nf_words *lowered);

/* ---- pointer_bitcasts.c: replaces bitcasts between pointers and other types by conversions of pointers ---- */
bool nf_lower_pointer_bitcasts(struct nf_module *m, struct nf_words *lowered);
/* Returns true if a cast of the value `from` to the type `to` begins or ends with a pointer, but not both. */
static inline bool nf_converts_pointer(const struct nf_module *m, uint32_t from, uint32_t to)
{
    return nf_is_pointer_type_at(m, m->def[nf_defined_type(m, from)]) != nf_is_pointer_type_at(m, m->def[to]);
}

/* ---- byte_chains.c: adds the missing cast to constant access chains that count bytes ---- */
bool nf_lower_byte_chains(struct nf_module *m, struct nf_words *lowered);

/* ---- pointee_casts.c: casts operands of selects, phis and comparisons to the pointee type of the others ---- */
bool nf_lower_pointee_casts(struct nf_module *m, struct nf_words *lowered);

/* ---- overlapping_copies.c: replaces copies of LLVM's back end that may overlap by loads and stores ---- */
bool nf_lower_overlapping_copies(struct nf_module *m, struct nf_words *lowered);

/* ---- kernel_parameters.c: makes generic parameters of kernels global ---- */
bool nf_lower_kernel_parameters(struct nf_module *m, struct nf_words *lowered);

/* ---- pointer_vectors.c: takes vectors of generic pointers apart where instructions compute with them, and vectors of
 * private and local pointers where they are loaded or stored ---- */
bool nf_lower_pointer_vectors(struct nf_module *m, struct nf_words *lowered);

/* ---- drop_inbounds.c: removes InBounds from access chains whose base was converted from an integer ---- */
void nf_drop_inbounds(struct nf_module *m);

/* ---- fold.c: folds specialization constants whose values the host gave ---- */
void nf_fold(struct nf_module *m);

#endif
