/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files of link/ share: the modules that are linked, and the sections of the one that they become.
 */
#ifndef NF_LINK_PARTS_H
#define NF_LINK_PARTS_H

#include "link/link.h"

/* A symbol: something with a LinkageAttributes decoration. */
struct nf_symbol {
    const char *name;
    uint32_t id;   /* of its unit */
    uint32_t kind; /* NF_LINKAGE_* */
    uint32_t at;   /* its OpFunction or OpVariable, 0: none */
};

/* One of the modules, its specialization constants frozen: two modules may use one SpecId. */
struct nf_unit {
    struct nf_module m;
    uint32_t base; /* its id n is base + n of the output, unless the map says otherwise */
    uint32_t *map; /* id of the unit -> id of the output */
    bool *dropped; /* ids that are not defined by this unit in the output */
    struct nf_symbol *symbols;
    uint32_t symbol_count;
};

/* The sections of a module in the order that SPIR-V asks for. */
enum nf_section {
    NF_SECTION_CAPABILITIES,
    NF_SECTION_EXTENSIONS,
    NF_SECTION_IMPORTS,
    NF_SECTION_MEMORY_MODEL,
    NF_SECTION_ENTRY_POINTS,
    NF_SECTION_MODES,
    NF_SECTION_SOURCES,
    NF_SECTION_NAMES,
    NF_SECTION_PROCESSED,
    NF_SECTION_ANNOTATIONS,
    NF_SECTION_GLOBALS,
    NF_SECTION_DECLARATIONS,
    NF_SECTION_FUNCTIONS,
    NF_SECTION_COUNT
};

struct nf_linker {
    struct nf_arena *arena;
    struct nf_unit *units;
    uint32_t unit_count, bound, version;
    bool library;
    struct nf_words sections[NF_SECTION_COUNT];
    struct nf_known *known; /* merge.c */
    size_t known_size;
};

/* ---- units.c: a module, and what it has for others ---- */

void nf_unit_read(struct nf_unit *unit, const nf_link_input *input);

/* ---- symbols.c: which import is which export ---- */

/* @return what stands for `name` in the output: its export, else the first import of it. */
const struct nf_symbol *nf_find_symbol(const struct nf_linker *linker, const char *name, const struct nf_unit **owner);
/* Map each import to its export, and each definition that is there twice to the first, or fail. */
void nf_resolve(struct nf_linker *linker);

/* ---- sections.c: instructions on their way ---- */

enum nf_section nf_section_of(uint32_t opcode);
/* Append the instruction at `at` with the ids that it has in the output. */
void nf_put_mapped(struct nf_linker *linker, const struct nf_unit *unit, uint32_t at, enum nf_section section);

/* ---- merge.c: globals that say the same become one ---- */

bool nf_can_merge(uint32_t opcode);
void nf_merge_begin(struct nf_linker *linker);
/* Append the instruction, or map its result to one that says the same. */
void nf_merge(struct nf_linker *linker, uint32_t unit_index, uint32_t at, enum nf_section section);

/* ---- functions.c ---- */

/* An import whose type is not its export's gets a body that casts and calls; callers go on calling it. */
void nf_reconcile(struct nf_linker *linker);
void nf_put_functions(struct nf_linker *linker, const struct nf_unit *unit);

#endif
