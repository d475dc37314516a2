/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - look at SPIR-V words without the core's help, so that the core does not judge itself.
 *
 * Takes modules in the machine's own byte order that SPIRV-Tools could parse; every length is checked all the same.
 */
#ifndef NONFLAT_CONFORMANCE_SCAN_H
#define NONFLAT_CONFORMANCE_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Where the pointer of a generic access comes from, seen within its own function. */
enum root {
    ROOT_INTEGER,   /* an integer turned into a pointer */
    ROOT_PRIVATE,   /* a pointer loaded from private memory */
    ROOT_PARAMETER, /* a parameter of the function */
    ROOT_GENERIC,   /* a pointer loaded through a generic pointer */
    ROOT_GLOBAL,    /* a pointer loaded from global or constant memory */
    ROOT_LOCAL,     /* a pointer loaded from local memory */
    ROOT_CALL,      /* the result of a call */
    ROOT_CAST,      /* a cast of one known space */
    ROOT_MERGE,     /* casts of two known spaces meet */
    ROOT_OTHER,     /* null, undefined, taken out of a composite, made by another instruction */
    ROOT_COUNT
};

/* @return a short name of `root` for tables. */
const char *root_name(enum root root);

struct module {
    const uint32_t *words;
    uint32_t count;       /* words */
    uint32_t bound;       /* ids */
    uint32_t *definition; /* word offset of the instruction that defines each id, 0 for none */
    uint32_t *type;       /* type id of each id, 0 for none */
};

/* Index `words`. @return 0, or -1 when the module is not well-formed or memory is short. */
int module_open(struct module *module, const uint32_t *words, size_t count);
void module_close(struct module *module);

/* @return what of the Generic storage class is left, as text, or NULL when nothing is. */
const char *generic_left(const struct module *module);

/* Count the memory accesses through a generic pointer of each root. */
int count_roots(const struct module *module, uint32_t counts[ROOT_COUNT]);

/*
 * Copy the module without alias information (SPV_INTEL_memory_access_aliasing), which SPIRV-Tools refuses wherever it
 * stands and so hides every other finding. @return the number of words written to `out`, which has room for all.
 */
size_t without_aliases(const struct module *module, uint32_t *out);

#endif
