/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emit.h - writes a module as OpenCL C, for drivers whose compiler takes nothing else.
 *
 * In: the words of a whole module without generic pointers, legalized for the profile; what the compiler of the device
 * has (nf_options.c_version, c_features). Out: the text of one program in OpenCL C, and the kernels whose names it had
 * to change; or a refusal that names what OpenCL C does not have. May use: base, spirv, module.
 */
#ifndef NF_EMIT_H
#define NF_EMIT_H

#include "module/module.h"

/* Kernels of the text that have another name than in the module. */
struct nf_renamed {
    nf_renamed_kernel *kernels; /* the names are in the arena */
    uint32_t count, capacity;
};

/* ---- emit.c ---- */

/* Appends the module in `words` as OpenCL C to `text`, with the options and the arena of `m`. */
void nf_write_source(const struct nf_module *m, const struct nf_words *words, struct nf_text *text,
                     struct nf_renamed *renamed);

#endif
