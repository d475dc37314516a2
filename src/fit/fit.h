/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit.h - what the device's profile lacks goes, or is written in other words.
 *
 * In: a module as read (nf_take_words() is enough), the profile. Out: the words of one that the device takes, or a
 * refusal. May use: base, spirv, module.
 */
#ifndef NF_FIT_H
#define NF_FIT_H

#include "module/module.h"

/* ---- fit.c ---- */

/* Is there anything that the device may lack? */
bool nf_may_need_fitting(const nf_profile *profile);
/* Does the device take pointers that do not say what they point to? */
bool nf_takes_untyped_pointers(const nf_profile *profile);
/* False when there is nothing to do. */
bool nf_fit(const struct nf_module *m, struct nf_words *out);

#endif
