/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linker.h - what the two halves of the SPIR-V linker share: link_read.c makes a unit of each module, link.c joins
 * them.
 */
#ifndef NONFLAT_LAYER_LINKER_H
#define NONFLAT_LAYER_LINKER_H

#include "layer/base/base.h"
#include "layer/numbers.h"

/* ---- link.c: several SPIR-V modules to one ---- */

struct nf_cl_link_input {
    const void *module;
    size_t size;
    const nf_spec_value *specs;
    size_t spec_count;
};

/* Link modules: imports meet exports, spec constants take their values. `library` allows imports to stay open. On
 * NF_OK `*output` is the caller's; otherwise `*message` is. */
nf_status nf_cl_link_modules(const struct nf_cl_link_input *inputs, size_t count, bool library,
                             struct nf_cl_bytes *output, char **message);

/* ---- link_read.c ---- */

/* A symbol: something with a LinkageAttributes decoration. */
struct nf_cl_symbol {
    const char *name; /* in the unit's words */
    uint32_t id;      /* of the unit */
    uint32_t kind;    /* NF_CL_LINKAGE_* */
    size_t at;        /* position of its defining instruction, 0: none */
};

/* The unit's own id of an id of the module. */
struct nf_cl_dense {
    uint32_t given, id;
};

/* One module, in host order, spec constants frozen. Every instruction lies inside, every id is below the bound. */
struct nf_cl_unit {
    uint32_t *words;
    size_t count;
    uint32_t bound;
    struct nf_cl_dense *dense; /* while the unit is read, when the module's ids lie far apart; else NULL */
    size_t dense_size;         /* a power of two */
    uint32_t dense_count;
    uint32_t base;    /* the unit's id n is base + n of the output, unless the map says otherwise */
    uint32_t *map;    /* id of the unit -> id of the output */
    bool *dropped;    /* ids that are not defined by this unit in the output */
    uint32_t *type;   /* result type of each id, 0: none */
    size_t *constant; /* position of each number that is a constant, 0: the id is none */
    uint8_t *ext_set; /* enum nf_ext_set of each import of instructions */
    uint8_t *wide;    /* integer types of more than 32 bits */
    size_t functions; /* position of the first OpFunction */
    struct nf_cl_symbol *symbols;
    size_t symbol_count;
};

/* Read one module. On failure `*message` says why, unless memory ended. */
nf_status nf_cl_unit_read(const struct nf_cl_link_input *input, struct nf_cl_unit *unit, char **message);
void nf_cl_unit_free(struct nf_cl_unit *unit);

/* @return the length of the instruction at `at`. */
static inline uint32_t nf_cl_length(const struct nf_cl_unit *unit, size_t at)
{
    return unit->words[at] >> 16;
}

static inline uint32_t nf_cl_op(const struct nf_cl_unit *unit, size_t at)
{
    return unit->words[at] & 0xffff;
}

#endif
