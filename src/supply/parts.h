/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files of this folder share with each other and with nobody else: the library's functions in a
 * module.
 */
#ifndef NF_SUPPLY_PARTS_H
#define NF_SUPPLY_PARTS_H

#include "supply/supply.h"

/* ---- library.c ---- */

struct nf_library {
    struct nf_edit *to;
    struct nf_module *m;                             /* the library, once it is read */
    uint32_t *mapped;                                /* by its ids: those in the module */
    uint32_t *wanted, wanted_count, wanted_capacity; /* its functions that go into the module */
    struct nf_words bodies;
};
/* The id of the library's function in the module. A name that it has not is refused. */
uint32_t nf_library_take(struct nf_library *l, const char *name);
/* Behind all functions of the module: write those that were taken. */
void nf_library_put(struct nf_library *l);

#endif
