/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - examines SPIR-V words without code of the core, so that the core does not check itself.
 *
 * In: modules in host byte order that SPIRV-Tools can parse; every length is checked anyway.
 */
#ifndef NONFLAT_CONFORMANCE_SCAN_H
#define NONFLAT_CONFORMANCE_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* The origin of the pointer of a generic access, as far as its own function shows it. */
enum root {
    ROOT_INTEGER,   /* an integer converted to a pointer */
    ROOT_PRIVATE,   /* a pointer loaded from private memory */
    ROOT_PARAMETER, /* a parameter of the function */
    ROOT_GENERIC,   /* a pointer loaded through a generic pointer */
    ROOT_GLOBAL,    /* a pointer loaded from global or constant memory */
    ROOT_LOCAL,     /* a pointer loaded from local memory */
    ROOT_CALL,      /* the result of a call */
    ROOT_CAST,      /* casts from one known space */
    ROOT_MERGE,     /* casts from two or more known spaces */
    ROOT_OTHER,     /* null, undefined, extracted from a composite, or the result of another instruction */
    ROOT_COUNT
};

/* Returns a short name of `root` for tables. */
const char *root_name(enum root root);

struct module {
    const uint32_t *words;
    uint32_t count;       /* number of words */
    uint32_t bound;       /* bound of the ids */
    uint32_t *definition; /* by id: word offset of its definition, 0: none */
    uint32_t *type;       /* by id: id of its type, 0: none */
};

/* Indexes `words`. Returns 0, or -1 if the module is malformed or memory is exhausted. */
int module_open(struct module *module, const uint32_t *words, size_t count);
void module_close(struct module *module);

/* Returns the name of a remaining use of the Generic storage class, or NULL if there is none. */
const char *generic_left(const struct module *module);

/* Counts the memory accesses through a generic pointer by root. Returns 0, or -1 if memory is exhausted. */
int count_roots(const struct module *module, uint32_t counts[ROOT_COUNT]);

/*
 * Copies the module without alias information (SPV_INTEL_memory_access_aliasing), which SPIRV-Tools rejects anywhere,
 * so that it hides all other errors. Returns the number of words written to `out`, which has room for the whole module.
 */
size_t without_aliases(const struct module *module, uint32_t *out);

#endif
