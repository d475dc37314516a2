/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.h - SPIR-V in, SPIR 1.2 bitcode out, for drivers that take no SPIR-V.
 *
 * In: a specialized module and the family of the device, whose built-in functions differ. Out: bitcode, or the reason
 * why there is none. The work is done by a program of its own (spir/), which carries LLVM. It uses base/ and store/.
 */
#ifndef NONFLAT_LAYER_TRANSLATE_H
#define NONFLAT_LAYER_TRANSLATE_H

#include "layer/base/base.h"

/* ---- translator.c: where the program is -------------------------------------------------------------------------- */

/* @return the path of a translator that can be started, or NULL. */
const char *nf_cl_translator(void);

/* ---- run.c: one run of a program of ours ------------------------------------------------------------------------- */

/* For how long an outcome is the answer to its question. */
enum nf_cl_lasting {
    NF_CL_ONCE,    /* the next time may be different: it could not be started, or how it ended is not known */
    NF_CL_PROCESS, /* it took too long or too much, or crashed: not to be tried again and again */
    NF_CL_ALWAYS   /* it is the module's own */
};

struct nf_cl_run {
    const char *name, *takes, *gives; /* in messages */
    char *const *arguments;           /* the first is its path; NULL behind the last. Its limits are added */
    const struct nf_cl_bytes *input;  /* parts in a row */
    size_t input_count;
    size_t said_most; /* bytes of messages that are kept */
};

struct nf_cl_outcome {
    struct nf_cl_bytes output;
    char *said;    /* what it wrote to standard error */
    char *message; /* what went wrong, or NULL */
    enum nf_cl_lasting lasting;
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

#endif
