/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - the modules that are linked, the sections of the output, and the prototypes that only link/ shares.
 */
#ifndef NF_LINK_INTERNAL_H
#define NF_LINK_INTERNAL_H

#include "link/link.h"

/* A symbol: a function or variable with a LinkageAttributes decoration. */
struct nf_symbol {
    const char *name;
    uint32_t id;   /* its id in its unit */
    uint32_t kind; /* NF_LINKAGE_* */
    uint32_t at;   /* word offset of its OpFunction or OpVariable; 0: the id is neither */
};

/* One of the linked modules. Its specialization constants are folded, because two modules may use the same SpecId. */
struct nf_unit {
    struct nf_module m;
    uint32_t base; /* the output's id for the unit's id n is base + n, unless `map` has another */
    uint32_t *map; /* by id of the unit: id of the output */
    bool *dropped; /* by id of the unit: another unit defines it in the output */
    struct nf_symbol *symbols;
    uint32_t symbol_count;
};

/* The sections of a module in the order that SPIR-V requires. */
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
    struct nf_known *known; /* merge.c: hash table of the output's types, constants and imported instruction sets */
    size_t known_size;      /* number of its entries: a power of two */
};

/* ---- units.c: a module and its symbols ---- */

/* Reads and checks a module, folds its specialization constants and lists its symbols. */
void nf_unit_read(struct nf_unit *unit, const nf_link_input *input);

/* ---- symbols.c: resolution of imports ---- */

/* Returns the symbol that the output has for `name`: the export, or else the first import. Writes the symbol's
 * unit to `*owner`. */
const struct nf_symbol *nf_find_symbol(const struct nf_linker *linker, const char *name, const struct nf_unit **owner);
/* Maps each import to its export, or else to the first import of the name, and repeated link-once definitions to the
 * first. Refuses other repeated definitions; a name that is a function in one unit and a variable in another; and,
 * except for a library, a missing export that neither a later stage nor the driver provides. */
void nf_resolve(struct nf_linker *linker);

/* ---- sections.c: sections of the output ---- */

/* Returns the section of an instruction at module scope. */
enum nf_section nf_section_of(uint32_t opcode);
/* Appends the instruction at `at` to the section, with ids mapped. */
void nf_append_mapped(struct nf_linker *linker, const struct nf_unit *unit, uint32_t at, enum nf_section section);

/* ---- merge.c: equal types, constants and imported instruction sets ---- */

/* Returns true if equal definitions of the opcode are merged. */
bool nf_can_merge(uint32_t opcode);
/* Allocates the hash table. */
void nf_merge_begin(struct nf_linker *linker);
/* Appends the definition to the section, or maps its id to an equal definition of another unit. */
void nf_merge(struct nf_linker *linker, uint32_t unit_index, uint32_t at, enum nf_section section);

/* ---- functions.c ---- */

/* Gives an import whose type differs from its export's a body that casts the arguments and calls the export. */
void nf_reconcile(struct nf_linker *linker);
/* Appends the functions and declarations of the unit that are not dropped. */
void nf_append_functions(struct nf_linker *linker, const struct nf_unit *unit);

#endif
