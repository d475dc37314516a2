/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linker.h - what the two halves of the SPIR-V linker share: link_read.c makes a unit of each module, link.c joins
 * them.
 */
#ifndef NONFLAT_LAYER_LINKER_H
#define NONFLAT_LAYER_LINKER_H

#include "layer.h"

enum {
    NF_CL_OP_SOURCE_CONTINUED = 2,
    NF_CL_OP_SOURCE = 3,
    NF_CL_OP_SOURCE_EXTENSION = 4,
    NF_CL_OP_NAME = 5,
    NF_CL_OP_MEMBER_NAME = 6,
    NF_CL_OP_STRING = 7,
    NF_CL_OP_EXTENSION = 10,
    NF_CL_OP_EXT_INST_IMPORT = 11,
    NF_CL_OP_EXT_INST = 12,
    NF_CL_OP_MEMORY_MODEL = 14,
    NF_CL_OP_ENTRY_POINT = 15,
    NF_CL_OP_EXECUTION_MODE = 16,
    NF_CL_OP_CAPABILITY = 17,
    NF_CL_OP_TYPE_VOID = 19,
    NF_CL_OP_TYPE_INT = 21,
    NF_CL_OP_TYPE_POINTER = 32,
    NF_CL_OP_TYPE_FUNCTION = 33,
    NF_CL_OP_TYPE_FORWARD_POINTER = 39,
    NF_CL_OP_CONSTANT_TRUE = 41,
    NF_CL_OP_CONSTANT_FALSE = 42,
    NF_CL_OP_CONSTANT_NULL = 46,
    NF_CL_OP_SPEC_TRUE = 48,
    NF_CL_OP_SPEC_CONSTANT = 50,
    NF_CL_OP_FUNCTION = 54,
    NF_CL_OP_FUNCTION_PARAMETER = 55,
    NF_CL_OP_FUNCTION_END = 56,
    NF_CL_OP_FUNCTION_CALL = 57,
    NF_CL_OP_VARIABLE = 59,
    NF_CL_OP_DECORATE = 71,
    NF_CL_OP_MEMBER_DECORATE = 72,
    NF_CL_OP_GROUP_MEMBER_DECORATE = 75,
    NF_CL_OP_BITCAST = 124,
    NF_CL_OP_SWITCH = 251,
    NF_CL_OP_LABEL = 248,
    NF_CL_OP_RETURN = 253,
    NF_CL_OP_RETURN_VALUE = 254,
    NF_CL_OP_MODULE_PROCESSED = 330,
    NF_CL_OP_EXECUTION_MODE_ID = 331,
    NF_CL_OP_DECORATE_ID = 332,
    NF_CL_OP_DECORATE_STRING = 5632,
    NF_CL_OP_MEMBER_DECORATE_STRING = 5633,
    NF_CL_DECORATION_SPEC_ID = 1,
    NF_CL_DECORATION_LINKAGE = 41,
    NF_CL_LINKAGE_EXPORT = 0,
    NF_CL_LINKAGE_IMPORT = 1,
    NF_CL_LINKAGE_ONCE = 2,
    NF_CL_HEADER_WORDS = 5
};

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
