/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.h - links several modules to one and resolves their imports, so that inference processes callers and callees
 * together.
 *
 * Takes the bytes of modules, and values for their specialization constants. Gives the words of one module. May use:
 * base, spirv, module, prepare, supply.
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
    struct nf_module *broken; /* out, on failure: the module that caused it; NULL: several modules caused it */
    size_t number;            /* out, on failure: the number of that module, from 1 */
};
/* Appends the linked module to `output`. Leaves by nf_fail() if a module is malformed or the modules cannot be
 * linked. */
void nf_link_modules(struct nf_linking *linking, struct nf_words *output);

#endif
