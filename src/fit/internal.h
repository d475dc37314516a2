/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - the state of the pass, and the prototypes that only the files of this folder share: fit.c (the pass,
 * versions, extensions), hints.c (hints that may be dropped), older.c (newer instructions by older instructions),
 * integers.c (dot products and bit fields by arithmetic and shifts), spir.c (the forms that SPIR 1.2 consumers take),
 * unimplemented.c (instructions that the translator to SPIR 1.2 lacks), unlisted.c (capabilities that the device does
 * not list) and write.c (look-up and emission).
 */
#ifndef NF_FIT_INTERNAL_H
#define NF_FIT_INTERNAL_H

#include "fit/fit.h"

struct nf_fit_name {
    const char *text;
    uint32_t id;
};

struct nf_fit {
    const struct nf_module *m; /* the module as read, without the ids that this pass creates */
    const nf_profile *profile;
    bool spir12;
    uint32_t version;          /* the newest version that the device supports; it may be newer than the module's */
    uint32_t *replaced;        /* by id: the id that replaces this id; 0: it is not replaced */
    bool *dropped;             /* by id: its definition is dropped */
    bool *no_contraction;      /* by id: an entry point that has the mode ContractionOff */
    uint32_t merge;            /* word offset of the OpLoopMerge to be written ahead of the next branch; 0: none */
    bool *merged;              /* by id: it is the merge block of a written OpLoopMerge */
    uint8_t *no_wrap;          /* by id: bit 0, NoSignedWrap is written; bit 1, NoUnsignedWrap */
    struct nf_fit_name *names; /* spir.c: functions' names, by hash */
    uint32_t name_bucket_count;
    uint32_t ext_opencl;                                    /* OpenCL.std, the module's or imported here */
    uint64_t dropped_hints;                                 /* bit i: row i of the hints table */
    uint32_t no_memory, no_function, no_loop, no_fast_math; /* mask bits of the dropped hints */
    struct nf_builder build;         /* new ids; new types and constants, written between `head` and `body` */
    uint32_t known_head;             /* number of words of `head` whose types are registered in `build` */
    struct nf_words head, body, *to; /* the output before and from the first function; the section being written */
    bool changed;                    /* the output differs from the input */
};

/* ---- write.c ---- */

/* Returns the word offset of the definition of the value's type; 0 if `id` has no type, or is new. */
uint32_t nf_fit_type_of(const struct nf_fit *f, uint32_t id);
/* Returns true if `id` is an OpConstant or OpConstantNull of the input, and writes its first 64 bits to `*value`. */
bool nf_fit_constant(const struct nf_fit *f, uint32_t id, uint64_t *value);
/* Appends an instruction with the given operand words. */
void nf_fit_emit(struct nf_fit *f, uint32_t opcode, uint32_t count, const uint32_t *operands);
/* Appends an instruction with the operand words in the argument list. */
#define NF_FIT_EMIT(f, opcode, ...)                                                                                    \
    nf_fit_emit((f), (opcode), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})
/* Copies the instruction at `at`. */
void nf_fit_copy(struct nf_fit *f, uint32_t at);
/* Copies the first `length` words of the instruction as an instruction of that length, in which `word` replaces the
 * word at `index` (0: no word is replaced). */
void nf_fit_copy_part(struct nf_fit *f, uint32_t at, uint32_t length, uint32_t index, uint32_t word);
/* Return a constant of the integer type `type`, which has `width` bits, or is as wide as an address. */
uint32_t nf_fit_int_constant(struct nf_fit *f, uint32_t type, uint32_t width, uint64_t value);
uint32_t nf_fit_address_constant(struct nf_fit *f, uint32_t type, uint64_t value);
uint32_t nf_fit_bool_type(struct nf_fit *f);
uint32_t nf_fit_int_type(struct nf_fit *f, uint32_t width);
uint32_t nf_fit_vector_type(struct nf_fit *f, uint32_t component, uint32_t count);
uint32_t nf_fit_pointer_type(struct nf_fit *f, uint32_t storage, uint32_t pointee);
/* Returns the id that replaces `id`, or `id` itself. */
uint32_t nf_fit_current(const struct nf_fit *f, uint32_t id);
/* Makes `result` a copy of `value`. For SPIR 1.2 `value` replaces `result`, because the translator turns a copy into a
 * variable on the stack: after inlining, a variable outside of the first block needs `llvm.stacksave`. */
void nf_fit_alias(struct nf_fit *f, uint32_t type, uint32_t result, uint32_t value);
/* Writes the construction of the composite `result` of the type `type`. */
void nf_fit_construct(struct nf_fit *f, uint32_t type, uint32_t result, uint32_t count, const uint32_t *parts);

/* ---- hints.c ---- */

/* The numbers from `first` to `last`, inclusive; none if `last` is 0. */
struct nf_range {
    uint32_t first, last;
};
static inline bool nf_in_range(struct nf_range range, uint32_t number)
{
    return range.last && number >= range.first && number <= range.last;
}

/* NF_HINT_SPELLED: an instruction that is not dropped, but replaced by others. */
enum nf_hint_kind { NF_HINT_OPCODE, NF_HINT_DECORATION, NF_HINT_MODE, NF_HINT_SPELLED };

/* Returns the newest SPIR-V version that the device accepts, as in the header of a module, or UINT32_MAX if its profile
 * gives none. The version is at most 1.3 for a device that takes SPIR 1.2, because of the bitcode translator. */
uint32_t nf_fit_newest_version(const struct nf_fit *f);
bool nf_fit_takes_capability(const nf_profile *profile, uint32_t capability);
/* Decides which rows of the table are dropped. The functions below depend on that decision. */
void nf_fit_choose_hints(struct nf_fit *f);
bool nf_fit_is_dropped(const struct nf_fit *f, enum nf_hint_kind kind, uint32_t number);
bool nf_fit_is_dropped_capability(const struct nf_fit *f, uint32_t capability);
bool nf_fit_is_dropped_extension(const struct nf_fit *f, const char *name);
/* Returns true for the import of a non-semantic set of extended instructions. */
bool nf_fit_is_non_semantic(const struct nf_fit *f, uint32_t set);
bool nf_fit_drops_non_semantic_sets(const struct nf_fit *f);
/* Drops the OpExecutionModeId at `at`, which belongs to a dropped hint. An FPFastMathDefault that does not allow
 * contraction of multiplications and additions becomes ContractionOff, because a kernel without both modes allows
 * contraction. */
void nf_fit_execution_mode_id(struct nf_fit *f, uint32_t at);
/* Declares extensions for the used features that are in the core of the old version, but not of the new version. */
void nf_fit_add_extensions(struct nf_fit *f, uint32_t old_version);

/* ---- older.c ---- */

/* Replaces the instruction at `at` by instructions of an older version. Returns false if it needs no replacement. */
bool nf_fit_older_form(struct nf_fit *f, uint32_t at);
/* Writes the size in bytes of the pointee of `pointer`, as an integer of an address's width, and returns its id. */
uint32_t nf_fit_element_size(struct nf_fit *f, uint32_t pointer);

/* ---- integers.c ---- */

/* Replaces a dot product or bit-field instruction by arithmetic and shifts. Returns false for any other instruction,
 * and if the device has the instruction. */
bool nf_fit_integers(struct nf_fit *f, uint32_t at);

/* ---- unimplemented.c ---- */

/* Replaces the instruction at `at` by instructions that the translator implements. Returns false if it needs no
 * replacement. */
bool nf_fit_unimplemented(struct nf_fit *f, uint32_t at);

/* ---- spir.c ---- */

/* Finds the names of entry points. */
void nf_fit_spir_begin(struct nf_fit *f);
/* Writes the instruction at `at` in the form that SPIR 1.2 needs. Returns false if it needs no other form. */
bool nf_fit_spir_instruction(struct nf_fit *f, uint32_t at);

#endif
