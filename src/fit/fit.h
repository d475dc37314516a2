/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit.h - legalizes a module for the device's profile: drops unsupported hints, and rewrites unsupported instructions.
 *
 * Takes the profile, and a module that was read, at least by nf_take_words(). Gives the words of a module that the
 * device accepts, or a refusal. May use: base, spirv, module.
 */
#ifndef NF_FIT_H
#define NF_FIT_H

#include "module/module.h"

/* ---- fit.c ---- */

/* Returns true if the profile has any restriction, so that a module may need nf_fit(). `profile` may be NULL. */
bool nf_may_need_fitting(const nf_profile *profile);
/* Returns true if the device supports untyped pointers (SPV_KHR_untyped_pointers). `profile` may be NULL. */
bool nf_takes_untyped_pointers(const nf_profile *profile);
/* Writes the module, legalized for m->options->profile, to `out`. Returns false, with `out` unchanged, if the module
 * needs no change. Leaves by nf_fail() with NF_REFUSED if the module needs a feature that the device lacks. */
bool nf_fit(const struct nf_module *m, struct nf_words *out);

#endif
