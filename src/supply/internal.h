/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - shared by the files of this folder: copying functions of the library into a module, and sets of possible
 * values.
 */
#ifndef NF_SUPPLY_INTERNAL_H
#define NF_SUPPLY_INTERNAL_H

#include "supply/supply.h"

/* ---- library.c ---- */

struct nf_library {
    struct nf_edit *to;
    struct nf_module *m;                             /* the library, NULL until it is read */
    uint32_t *mapped;                                /* by id of the library: the id in the module, 0: none yet */
    uint32_t *wanted, wanted_count, wanted_capacity; /* functions of the library to copy into the module */
    struct nf_words bodies;
};
/* Returns the id, in the module, of the library's function `name`, and notes that it must be copied. Refuses the module
 * if the library lacks the function. */
uint32_t nf_library_import(struct nf_library *l, const char *name);
/* Emits the noted functions and their callees. Call it once all functions of the module are written. */
void nf_library_emit(struct nf_library *l);

/* ---- value_sets.c ---- */

enum { NF_MOST_VALUES = 24 };
/* The set of values that a scalar may have, or the ids of the variables at whose start a pointer may point. */
struct nf_values {
    bool any; /* any value is possible: the top element */
    uint32_t count;
    uint64_t at[NF_MOST_VALUES];
};
struct nf_values_of {
    struct nf_module *m;
    uint32_t *first_use; /* by id of a function or variable: index into `uses` */
    struct use *uses;
    uint32_t use_count, use_capacity;
    uint32_t *known;          /* by id: index into `values`, 0: not requested */
    struct nf_values *values; /* in the order of the requests */
    uint32_t *ids;            /* by index into `values`: the id that has the set */
    uint32_t count, capacity, id_capacity;
};
/* Strips bitcasts, copies and access chains whose indices are all zero from `id`. Returns the pointer that remains,
 * for example a variable. */
uint32_t nf_root_of(const struct nf_module *m, uint32_t id);
/* Returns an empty solver for the module, after indexing the uses of its functions and variables. */
struct nf_values_of nf_values_begin(struct nf_module *m);
/* Returns the set of `id` as computed so far, and requests that nf_values_solve() compute it. The pointer is valid
 * until the next call. */
const struct nf_values *nf_values_request(struct nf_values_of *s, uint32_t id);
/* Computes all requested sets, and the sets on which they depend. */
void nf_values_solve(struct nf_values_of *s);

#endif
