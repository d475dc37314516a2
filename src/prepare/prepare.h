/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare.h - what a module is made into before anything is inferred: every stage gives a module to be read again, or
 * leaves it as it is.
 *
 * In: a module as read. Out: one with the same meaning in which pointers have types, definitions come first, and
 * built-in functions, integer tests, initializers and given constants are ordinary instructions. May use: base, spirv,
 * module.
 */
#ifndef NF_PREPARE_H
#define NF_PREPARE_H

#include "module/module.h"

/* ---- gains.c: would all that can be proven of the module be in vain, by mode and profile? ---- */
enum nf_gain {
    NF_GAIN_NONE,
    NF_GAIN_MERGES, /* at most by pointers that phis and selects make (infer/merges.c) */
    NF_GAIN_ALL
};
enum nf_gain nf_gain(const struct nf_module *m);

/* ---- order.c: blocks before those that they dominate; constants after those that they are made of ---- */
void nf_order(struct nf_module *m);

/* ---- untyped.c: pointers that do not say what they point to; only for a module that has such ---- */
void nf_lower_untyped(struct nf_module *m, struct nf_words *lowered);

/* ---- inputs.c: built-in variables are Inputs, loaded as a whole. False when they are, or the device takes others. ---- */
bool nf_lower_inputs(struct nf_module *m, struct nf_words *lowered);

/* ---- globals.c: a refusal where a module-scope variable is written, if the profile says that there are none ---- */
void nf_check_globals(struct nf_module *m);

/* ---- builtins.c: calls of built-in functions as the instructions they stand for. False when there are none. ---- */
bool nf_lower_builtins(struct nf_module *m, struct nf_words *lowered);

/* ---- bodies.c: imports get bodies: memchr, strlen, conversions of bfloat16. False when there are none. ---- */
bool nf_lower_imports(struct nf_module *m, struct nf_words *lowered);

/* ---- integer_tests.c: integers that are compared as pointers. False when there are none. ---- */
bool nf_lower_integer_tests(struct nf_module *m, struct nf_words *lowered);

/* ---- initializers.c: constants with addresses of local memory. False when there are none. ---- */
bool nf_lower_initializers(struct nf_module *m, struct nf_words *lowered);

/* ---- numbers.c: numbers as constant pointers. False when there are none. ---- */
bool nf_lower_numbers(struct nf_module *m, struct nf_words *lowered);

/* ---- byte_chains.c: constant addresses in bytes whose base has no cast to bytes. False when there are none. ---- */
bool nf_lower_byte_chains(struct nf_module *m, struct nf_words *lowered);

/* ---- bounds.c: promises about pointers that were made of integers ---- */
void nf_drop_promises(struct nf_module *m);

/* ---- fold.c: specialization constants with the values that the host gave ---- */
void nf_fold(struct nf_module *m);

#endif
