/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.h - several modules to one, in which imports are their exports, so that inference sees callers and callees
 * together.
 *
 * In: the bytes of modules, values for their specialization constants. Out: the words of one module. May use: base,
 * spirv, module.
 */
#ifndef NF_LINK_H
#define NF_LINK_H

#include "module/module.h"

/* ---- link.c ---- */

struct nf_linking {
    struct nf_arena *arena;
    const nf_options *options;
    const nf_link_input *inputs;
    size_t count;
    struct nf_module *broken; /* which module it is about that nf_fail() was called; NULL: about several */
    size_t number;            /* of that module, from 1 */
};
void nf_link_modules(struct nf_linking *linking, struct nf_words *output);

#endif
