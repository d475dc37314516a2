/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit.h - what the device's profile lacks goes, or is written in other words.
 *
 * In: the words of a whole module, the profile. Out: the words of one that the device takes, or a refusal. May use:
 * base, spirv, module.
 */
#ifndef NF_FIT_H
#define NF_FIT_H

#include "module/module.h"

/* ---- fit.c ---- */

/* False when there is nothing to do. `in` is a whole module. */
bool nf_fit(struct nf_module *m, const struct nf_words *in, struct nf_words *out);

#endif
