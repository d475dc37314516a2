/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - what the files of this folder share with each other and with nobody else: the library's functions in a
 * module, built-in variables, and what values can be.
 */
#ifndef NF_SUPPLY_INTERNAL_H
#define NF_SUPPLY_INTERNAL_H

#include "supply/supply.h"

/* Of a vector. */
enum { NF_MOST_COMPONENTS = 16 };

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

/* ---- built_ins.c ---- */

enum { NF_MOST_BUILT_INS = 2 };
struct nf_built_ins {
    struct nf_edit *to;
    struct {
        uint32_t which, id;
    } made[NF_MOST_BUILT_INS]; /* those that the module has not */
    uint32_t count;
    struct nf_words variables; /* definitions that come behind all others */
};
/* The variable that has what BuiltIn `which` says, of `type` where it is made here. */
uint32_t nf_built_in(struct nf_built_ins *b, uint32_t which, uint32_t type);
/* All functions are written: write what stands before them. Kernels name the new variables, and from SPIR-V 1.4 on `also`, 0: none. */
void nf_built_ins_put(struct nf_built_ins *b, uint32_t also);

/* ---- reserve_private.c, reserve_null_local.c ---- */

/* Where private and local memory begin at 0, a variable of ours lies there: so many numbers of 32 bits, as a long16 has. */
enum { NF_WORDS_IN_FRONT = 32 };

/* ---- value_sets.c ---- */

enum { NF_MOST_VALUES = 24 };
/* What a scalar can be, or at which module-scope variables a pointer can point: their ids. */
struct nf_values {
    bool any; /* nothing is known */
    uint32_t count;
    uint64_t at[NF_MOST_VALUES];
};
struct nf_values_of {
    struct nf_module *m;
    uint32_t *first_use; /* by id: index into uses */
    struct use *uses;
    uint32_t use_count, use_capacity;
    uint32_t *known;          /* by id: index into values, 0: not asked for */
    struct nf_values *values; /* in the order in which they were asked for */
    uint32_t *ids;            /* whose they are */
    uint32_t count, capacity, id_capacity;
};
/* The variable that begins where `id` points to, or what is only cast to `id`. */
uint32_t nf_root_of(const struct nf_module *m, uint32_t id);
struct nf_values_of nf_values_begin(struct nf_module *m);
/* What is known of `id` so far; from now on it is asked for. The pointer is good until the next question. */
const struct nf_values *nf_values_ask(struct nf_values_of *s, uint32_t id);
/* Find out what has been asked for. */
void nf_values_solve(struct nf_values_of *s);

/* ---- mesa_private_half_access.c ---- */

/* The pointer, of `type`, to the first component behind `offset` vectors of `count` components. */
uint32_t nf_first_component(struct nf_edit *e, uint32_t pointer, uint32_t type, uint32_t offset, uint32_t count);
/* The pointer to half precision numbers that an instruction reads floats through, or writes them; 0: it does not. */
uint32_t nf_halves_of(const struct nf_module *m, uint32_t at);
/* At a function's begin: a variable with room for what one such instruction reads or writes. */
uint32_t nf_put_room_of_halves(struct nf_edit *e);
/* The instruction, through that variable. */
void nf_put_halves(struct nf_edit *e, uint32_t at, uint32_t room);

#endif
