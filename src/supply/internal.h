/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - shared by the files of this folder: copying functions of the library into a module, built-in variables,
 * sets of possible values, and accesses to half-precision numbers in private memory.
 */
#ifndef NF_SUPPLY_INTERNAL_H
#define NF_SUPPLY_INTERNAL_H

#include "supply/supply.h"

/* The largest component count of a vector. */
enum { NF_MOST_COMPONENTS = 16 };

/* ---- library.c ---- */

struct nf_library {
    struct nf_edit *to;
    struct nf_module *m;                             /* the library, NULL until it is read */
    uint32_t *mapped;                                /* by id of the library: the id in the module, 0: none yet */
    uint32_t *wanted, wanted_count, wanted_capacity; /* functions of the library to copy into the module */
    struct nf_words bodies;
};
/* Returns the id, in the module, of the library's function `name`, and notes that it must be copied. Refuses the
 * module if the library has no such function. */
uint32_t nf_library_import(struct nf_library *l, const char *name);
/* Emits the noted functions and their callees. Call it once all functions of the module are written. */
void nf_library_emit(struct nf_library *l);

/* ---- built_ins.c ---- */

enum { NF_MOST_BUILT_INS = 2 };
struct nf_built_ins {
    struct nf_edit *to;
    struct {
        uint32_t which, id;
    } made[NF_MOST_BUILT_INS]; /* variables that the module does not declare */
    uint32_t count;
    struct nf_words variables; /* definitions, placed after all others */
};
/* Returns the variable decorated with BuiltIn `which`: the module's, or a new one that points to `type`. Returns 0
 * if NF_MOST_BUILT_INS are made. */
uint32_t nf_built_in(struct nf_built_ins *b, uint32_t which, uint32_t type);
/* Emits everything before the functions, once these are written: decorates the new variables, and adds them to every
 * OpEntryPoint. `also` is one more variable for the entry points from SPIR-V 1.4 on; 0: none. */
void nf_built_ins_emit(struct nf_built_ins *b, uint32_t also);

/* ---- reserve_private.c, reserve_null_local.c ---- */

/* The length, in 32-bit integers, of the variable that reserves address 0 where private or local memory begins
 * there: 128 bytes, the size and alignment of long16, the largest type. */
enum { NF_NULL_GUARD_WORDS = 32 };

/* ---- value_sets.c ---- */

enum { NF_MOST_VALUES = 24 };
/* The set of values that a scalar may have, or the ids of the module-scope variables at whose start a pointer may
 * point. */
struct nf_values {
    bool any; /* nothing is known: the top element */
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
/* Computes all requested sets, and those that they depend on. */
void nf_values_solve(struct nf_values_of *s);

/* ---- mesa_private_half_access.c ---- */

/* Returns the pointer, of `type`, to the first component of vector number `offset` in an array of vectors of `count`
 * components. */
uint32_t nf_first_component(struct nf_edit *e, uint32_t pointer, uint32_t type, uint32_t offset, uint32_t count);
/* Returns the pointer through which a vload_half or vstore_half instruction accesses memory; 0 for any other
 * instruction. */
uint32_t nf_half_access_pointer(const struct nf_module *m, uint32_t at);
/* Emits a private variable that can hold the operands of one such instruction, and returns its id. Call it at the
 * beginning of a function. */
uint32_t nf_emit_half_buffer(struct nf_edit *e);
/* Emits the instruction at `at` so that it accesses the variable `room`, with volatile copies between that and
 * memory. */
void nf_emit_half_access(struct nf_edit *e, uint32_t at, uint32_t room);

#endif
