/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.h - the output module: the bodies of all instances, each generic pointer in its parts.
 *
 * In: a module and its instances. Out: the words of a module without generic pointers (in hint mode: with the ambiguous
 * ones). May use: base, spirv, module, infer.
 */
#ifndef NF_REWRITE_H
#define NF_REWRITE_H

#include "infer/infer.h"

/* ---- rewrite.c ---- */

/* Counts functions and clones. */
void nf_rewrite(struct nf_module *m, nf_counts *counts, struct nf_words *output);

#endif
