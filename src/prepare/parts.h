/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - shared by the files of this folder only: the functions that import_bodies.c calls to define an import, and
 * the addresses of pointers into built-in variables.
 */
#ifndef NF_PREPARE_PARTS_H
#define NF_PREPARE_PARTS_H

#include "prepare/prepare.h"

/* ---- memchr_strlen.c: memchr and strlen ---- */
bool nf_fits_memchr(const struct nf_module *m, const struct nf_function *f);
void nf_put_memchr(struct nf_edit *e, const struct nf_function *f);
bool nf_fits_strlen(const struct nf_module *m, const struct nf_function *f);
void nf_put_strlen(struct nf_edit *e, const struct nf_function *f);

/* ---- bfloat16.c: conversions between float and bfloat16, which is the high 16 bits of a float ---- */
#define NF_TO_BFLOAT "__devicelib_ConvertFToBF16INTEL"
#define NF_FROM_BFLOAT "__devicelib_ConvertBF16ToFINTEL"
bool nf_fits_bfloats(const struct nf_module *m, const struct nf_function *f);
void nf_put_bfloats(struct nf_edit *e, const struct nf_function *f);

/* ---- inputs.c: built-in variables ---- */

/* Where a pointer into a built-in variable points. */
struct nf_input_address {
    uint32_t variable; /* 0: it is no such pointer */
    uint32_t base;     /* the pointer that it was derived from; 0 for the variable itself */
    int64_t offset;    /* bytes */
    uint32_t index;    /* of a component, if that is a computed one; else 0 */
    bool known;        /* offset and index are */
    bool direct;       /* the variable, or a component by an access chain with its type */
};

enum {
    NF_INPUT_MADE = 1,  /* a module-scope constant that is made of a built-in variable's address */
    NF_INPUT_KEPT = 2,  /* a pointer whose private copy is needed, or the built-in variable itself */
    NF_INPUT_NEEDED = 4 /* MADE or KEPT, and used in the function that is being written */
};

struct nf_inputs {
    struct nf_edit to;
    struct nf_input_address *addresses; /* by id */
    uint8_t *marks;                     /* by id: NF_INPUT_* */
    uint32_t *instead; /* by id: what stands in its place; for KEPT and MADE ids, in the function being written */
    uint32_t *outer;   /* by pointer type that changes: a new id for the type as it was, if that is needed; by kernel
                                parameter that changes: its new id */
    uint32_t first_made, last_made; /* the words of the module scope that have all constants that are MADE */
    bool moves;                     /* built-in variables become Inputs */
    bool wanted;                    /* something is to be done */
    bool inputs_change;             /* pointers to Input become pointers to Function */
    bool globals_change;            /* pointers to CrossWorkgroup become generic */
    bool hands_down;                /* kernels have the copies, other functions take pointers to them */
    bool needs;                     /* the function being written has something NEEDED */
};

/* What a load takes of the variable: the component in which it lies, and the bytes of it. */
struct nf_input_part {
    const struct nf_type *whole, *component, *result;
    uint32_t at, shift;
};

/* ---- input_addresses.c ---- */

/* Finds addresses in built-in variables and what of the module changes. */
void nf_find_input_uses(struct nf_inputs *p);
/* Returns true if `id` is a variable of the module scope. */
bool nf_is_module_variable(const struct nf_module *m, uint32_t id);
/* Returns true if the instruction uses none of its operands: it stands before the functions, and is no constant made of others,
 * nor a variable. */
bool nf_uses_nothing(const struct nf_module *m, uint32_t at);
/* Returns true if the load at `at` is one of the whole built-in variable that its pointer points into. */
bool nf_is_whole_load(const struct nf_inputs *p, uint32_t at);
/* Returns true if the load at `at` is one of a number, or of numbers that fit into one, in one component of a built-in
 * variable; `part` says which. */
bool nf_takes_part(const struct nf_inputs *p, uint32_t at, struct nf_input_part *part);
/* Returns true if the instruction is a load that is made anew from one of the whole variable. */
bool nf_is_taken(const struct nf_inputs *p, uint32_t at);

#endif
