/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.h - writes the output module: the bodies of the live instances, with concrete instead of generic pointers.
 *
 * Takes a module and its instances. Gives the words of a module without generic pointers (in hint mode those stay that
 * mode_policy.c leaves generic). May use: base, spirv, module, infer.
 */
#ifndef NF_REWRITE_H
#define NF_REWRITE_H

#include "infer/infer.h"

/* ---- rewrite.c ---- */

/* Writes the module with the inferred address spaces to `output`, which is empty. Adds the numbers of emitted functions
 * and clones to `counts`. Leaves by nf_fail() if a generic pointer cannot be replaced, or the module is malformed. */
void nf_rewrite(struct nf_module *m, nf_counts *counts, struct nf_words *output);

#endif
