/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.h - what programs of ours do because it may end the process: SPIR-V in, SPIR 1.2 bitcode out, for drivers that
 * take no SPIR-V; OpenCL C in, SPIR-V out, for drivers whose compilers know no generic pointers; both carry LLVM. And a
 * trial of the driver's own build, for drivers that are known to end the process.
 *
 * In: a specialized module and the family of the device, whose built-in functions differ; or source and what the device
 * is; or a module and the device's name. Out: bitcode or SPIR-V, or the reason why there is none; whether the driver
 * lives through it. The work is done by programs of their own (spir/, cl/, guard/).
 * May use: base, store.
 */
#ifndef NONFLAT_LAYER_TRANSLATE_H
#define NONFLAT_LAYER_TRANSLATE_H

#include "layer/base/base.h"

/* ---- translator.c: where the programs are ------------------------------------------------------------------------ */

/* @return the path of a translator that can be started, or NULL. */
const char *nf_cl_translator(void);
/* @return the path of a compiler that can be started, or NULL. */
const char *nf_cl_compiler(void);
/* @return the path of the program that tries builds, or NULL. */
const char *nf_cl_trier(void);
/* Add to a key which program it is: another one may give something else. */
bool nf_cl_append_program(struct nf_cl_bytes *key, const char *path);

/* ---- run.c: one run of a program of ours ------------------------------------------------------------------------- */

/* For how long an outcome is the answer to its question. */
enum nf_cl_lasting {
    NF_CL_ONCE, /* the next time may be different: it could not be started, was killed, or how it ended is not known */
    NF_CL_PROCESS, /* it took too long or too much, or crashed: not to be tried again and again */
    NF_CL_ALWAYS   /* it is the module's own */
};

struct nf_cl_run {
    const char *name, *takes, *gives; /* in messages */
    char *const *arguments;           /* the first is its path; NULL behind the last. Its limits are added */
    const struct nf_cl_bytes *input;  /* parts in a row */
    size_t input_count;
    size_t said_most;       /* bytes of messages that are kept */
    char *const *variables; /* what its environment has beside or in place of the host's, "NAME=VALUE"; or NULL */
};

struct nf_cl_outcome {
    struct nf_cl_bytes output;
    char *said;    /* what it wrote to standard error */
    char *message; /* what went wrong, or NULL */
    enum nf_cl_lasting lasting;
    bool died; /* by itself, before it was done */
    bool late; /* it did not end within its time */
};

/* Run it to its end, or until its time is up. @return whether all of its output is there. The outcome is to be freed. */
bool nf_cl_run(const struct nf_cl_run *run, struct nf_cl_outcome *outcome);
void nf_cl_outcome_free(struct nf_cl_outcome *outcome);

/* ---- translate.c: SPIR-V to bitcode --------------------------------------------------------------------------------- */

struct nf_cl_translation {
    struct nf_cl_bytes bitcode; /* the caller's */
    char *message;              /* why there is none; the caller's; NULL when memory ended */
    enum nf_cl_lasting lasting;
};

/* Translate SPIR-V to SPIR 1.2 bitcode for devices of `family`; `globals`: variables may be moved to memory that
 * kernels get. @return whether there is bitcode. */
bool nf_cl_translate(const char *family, bool globals, const void *module, size_t size, struct nf_cl_translation *t);

/* ---- refused.c: what need not be tried again in this process ----------------------------------------------------- */

/* @return what was said to that question, fresh, or NULL. */
char *nf_cl_refused_find(const struct nf_cl_bytes *key);
/* Takes the key. The oldest ones are forgotten. */
void nf_cl_refused_note(struct nf_cl_bytes *key, const char *message);

/* ---- bitcode.c: the same, remembered ----------------------------------------------------------------------------- */

/* As nf_cl_translate(). `*entry` is for nf_cl_bitcode_drop(), or NULL; the caller's. */
bool nf_cl_bitcode_get(const char *family, bool globals, const void *module, size_t size, struct nf_cl_bytes *bitcode,
                       char **message, char **entry);
/* The driver does not take that bitcode: it must not be found again. NULL is fine. */
void nf_cl_bitcode_drop(const char *entry);

/* ---- compile.c: OpenCL C to SPIR-V, remembered -------------------------------------------------------------------- */

/* What source can ask about a device. */
struct nf_cl_facts {
    cl_uint version; /* as __OPENCL_VERSION__ */
    cl_uint address_bits;
    bool embedded, no_images;
    char *extensions; /* with blanks between them */
    char *features;   /* of OpenCL C 3.0 */
    char *supplied;   /* those that we supply */
};

struct nf_cl_header {
    char *name, *text;
};

struct nf_cl_source {
    const struct nf_cl_facts *facts;
    const char *options; /* as the application gave them */
    const char *text;
    const struct nf_cl_header *headers;
    size_t header_count;
};

struct nf_cl_compiled {
    struct nf_cl_bytes module;
    struct nf_cl_bytes notes; /* records */
    char *log;                /* what the compiler said; on failure why there is no module */
    bool passes;              /* a compiler that has no generic pointers would take the source, too */
};

/* @return whether there is a module. The outcome is to be freed in any case. */
bool nf_cl_compile(const struct nf_cl_source *source, struct nf_cl_compiled *compiled);
void nf_cl_compiled_free(struct nf_cl_compiled *compiled);

/* ---- notes.c: what the compiler says beside the module ------------------------------------------------------------ */

/* One record. Neither name nor value ends with a NUL. */
struct nf_cl_note {
    const char *kind, *name, *value;
    size_t kind_length, name_length, value_size;
};

/* Take the next record from `*notes`. @return false at the end, and where it is damaged. */
bool nf_cl_notes_next(struct nf_cl_bytes *notes, struct nf_cl_note *note);
bool nf_cl_note_is(const struct nf_cl_note *note, const char *kind);
/* Are all files that were looked for as they were? */
bool nf_cl_notes_hold(struct nf_cl_bytes notes);

#endif
