/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emit.h - writes a module as OpenCL C, for drivers whose compiler accepts nothing else.
 *
 * Takes the words of a whole module without generic pointers, legalized for the profile, and the features of the
 * device's compiler (nf_options.c_version, c_features). Gives the text of one OpenCL C program, and the kernels that
 * had to be renamed; or a refusal that names the construct that OpenCL C cannot express. May use: base, spirv, module.
 */
#ifndef NF_EMIT_H
#define NF_EMIT_H

#include "module/module.h"

/* Kernels that have another name in the text than in the module. */
struct nf_renamed {
    nf_renamed_kernel *kernels; /* the names are in the arena */
    uint32_t count, capacity;
};

/* ---- emit.c ---- */

/* Appends the module in `words` as OpenCL C to `text`, with the options and the arena of `m`. */
void nf_write_source(const struct nf_module *m, const struct nf_words *words, struct nf_text *text,
                     struct nf_renamed *renamed);

#endif
