/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files of this folder share with each other and with nobody else: fit.c (the pass, versions,
 * extensions), hints.c (what may go), older.c (newer instructions in older words), integers.c (dot products
 * and fields of bits in sums and shifts), spir.c (the forms that SPIR 1.2
 * consumers know) and unimplemented.c (what the translator to SPIR 1.2 lacks).
 */
#ifndef NF_FIT_PARTS_H
#define NF_FIT_PARTS_H

#include "fit/fit.h"

struct nf_fit_name {
    const char *text;
    uint32_t id;
};

struct nf_fit {
    const struct nf_module *m; /* as read; what is new is not in it */
    const nf_profile *profile;
    bool spir12;
    uint32_t version;          /* the newest that the device takes: a module may use what is newer than its own */
    uint32_t *replaced;        /* by id: the id that stands for it now, 0: itself */
    bool *dropped;             /* by id: it is not defined any more */
    bool *no_contraction;      /* by id: an entry point that has the mode ContractionOff */
    uint32_t merge;            /* where the OpLoopMerge is that waits for its branch; 0: none does */
    bool *merged;              /* by id: a loop has its end there */
    uint8_t *no_wrap;          /* by id: bit 0, it has NoSignedWrap already; bit 1, NoUnsignedWrap */
    struct nf_fit_name *names; /* spir.c: functions' names, by hash */
    uint32_t name_bucket_count;
    uint32_t ext_opencl;                                    /* OpenCL.std, the module's or imported here */
    uint64_t dropped_hints;                                 /* bit i: row i of the hints table */
    uint32_t no_memory, no_function, no_loop, no_fast_math; /* bits of masks that go with them */
    struct nf_builder build;         /* new ids; types and constants, which come between `head` and `body` */
    uint32_t known_head;             /* the words of `head` whose types `build` knows */
    struct nf_words head, body, *to; /* output: before, and from the first function on */
    bool changed;
};

/* ---- write.c ---- */

/* Where the type of the value `id` is defined; 0 when it has none. */
uint32_t nf_fit_type_of(const struct nf_fit *f, uint32_t id);
bool nf_fit_constant(const struct nf_fit *f, uint32_t id, uint64_t *value);
/* Append one instruction with the given operand words. */
void nf_fit_emit(struct nf_fit *f, uint32_t opcode, uint32_t count, const uint32_t *operands);
/* Operand words from a list, the number of them counted. */
#define NF_FIT_EMIT(f, opcode, ...)                                                                                    \
    nf_fit_emit((f), (opcode), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})
/* The instruction as it is; its first `length` words, with another word at `index` (0: none). */
void nf_fit_copy(struct nf_fit *f, uint32_t at);
void nf_fit_copy_part(struct nf_fit *f, uint32_t at, uint32_t length, uint32_t index, uint32_t word);
/* A constant of the integer type `type`, which has so many bits; of one as wide as an address. */
uint32_t nf_fit_int_constant(struct nf_fit *f, uint32_t type, uint32_t width, uint64_t value);
uint32_t nf_fit_address_constant(struct nf_fit *f, uint32_t type, uint64_t value);
uint32_t nf_fit_bool_type(struct nf_fit *f);
uint32_t nf_fit_int_type(struct nf_fit *f, uint32_t width);
uint32_t nf_fit_vector_type(struct nf_fit *f, uint32_t component, uint32_t count);
uint32_t nf_fit_pointer_type(struct nf_fit *f, uint32_t storage, uint32_t pointee);
/* Write the composite `result` of the type `type`. */
void nf_fit_construct(struct nf_fit *f, uint32_t type, uint32_t result, uint32_t count, const uint32_t *parts);

/* ---- hints.c ---- */

/* Numbers from first to last; last 0: none. */
struct nf_range {
    uint32_t first, last;
};
static inline bool nf_in_range(struct nf_range range, uint32_t number)
{
    return range.last && number >= range.first && number <= range.last;
}

/* NF_HINT_SPELLED: an instruction that does not go, but is written in others. */
enum nf_hint_kind { NF_HINT_OPCODE, NF_HINT_DECORATION, NF_HINT_MODE, NF_HINT_SPELLED };

uint32_t nf_fit_newest_version(const struct nf_fit *f);
bool nf_fit_takes_capability(const nf_profile *profile, uint32_t capability);
/* Decide which hints go; the functions below answer by that. */
void nf_fit_choose_hints(struct nf_fit *f);
bool nf_fit_drops(const struct nf_fit *f, enum nf_hint_kind kind, uint32_t number);
bool nf_fit_drops_capability(const struct nf_fit *f, uint32_t capability);
bool nf_fit_drops_extension(const struct nf_fit *f, const char *name);
bool nf_fit_drops_non_semantic(const struct nf_fit *f);
/* needs: an execution mode with ids, which a dropped hint has. Drops it; a default for arithmetic that forbids to join
 * multiplications and additions becomes ContractionOff, since a kernel with neither allows it. */
void nf_fit_drop_mode_id(struct nf_fit *f, uint32_t at);
/* What was in the core of the old version and stays may need its extension in the new one: write those. */
void nf_fit_add_extensions(struct nf_fit *f, uint32_t old_version);

/* ---- older.c ---- */

/* Write the instruction at `at` in the words of an older version. @return false when it needs no other. */
bool nf_fit_older_form(struct nf_fit *f, uint32_t at);
/* Write the size of what `pointer` points to, as an integer of an address's width. @return its id. */
uint32_t nf_fit_element_size(struct nf_fit *f, uint32_t pointer);

/* ---- integers.c ---- */

/* Write the instruction at `at` in sums and shifts. @return false when the device has it, or it is another. */
bool nf_fit_integers(struct nf_fit *f, uint32_t at);

/* ---- unimplemented.c ---- */

/* Write the instruction at `at` in others that the translator implements. @return false when it needs none. */
bool nf_fit_unimplemented(struct nf_fit *f, uint32_t at);

/* ---- spir.c ---- */

/* Note the names of entry points. */
void nf_fit_spir_begin(struct nf_fit *f);
/* Write the instruction at `at` in the form SPIR 1.2 needs. @return false when it needs none. */
bool nf_fit_spir_instruction(struct nf_fit *f, uint32_t at);

#endif
