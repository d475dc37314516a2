/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.h - work that is done in separate processes because it may end the process: SPIR-V to SPIR 1.2 bitcode, for
 * drivers that do not accept SPIR-V; OpenCL C to SPIR-V, for drivers whose compilers lack generic pointers (both use
 * LLVM); and trials of the driver's builds, for drivers that are known to end the process.
 *
 * In: a specialized module and the device's driver family, which determines its built-in functions; or source and the
 * facts about a device; or a module and the device's name. Out: bitcode or SPIR-V, or the reason for a failure; whether
 * the driver survives the build. The programs are in spir/, cl/ and build_test/. May use: base, store.
 */
#ifndef NONFLAT_LAYER_TRANSLATE_H
#define NONFLAT_LAYER_TRANSLATE_H

#include "layer/base/base.h"

/* ---- translator.c: paths of the programs ------------------------------------------------------------------------- */

/* Returns the path of an executable translator nonflat-spir, or NULL. */
const char *nf_cl_translator(void);
/* Returns the path of an executable compiler nonflat-cl, or NULL. */
const char *nf_cl_compiler(void);
/* Returns the path of an executable nonflat-try, or NULL. */
const char *nf_cl_build_tester(void);
/* Appends the identity of the program to a cache key, because another version may give another result. */
bool nf_cl_append_program(struct nf_cl_bytes *key, const char *path);

/* ---- run.c: one run of a helper program -------------------------------------------------------------------------- */

/* The validity of an outcome. */
enum nf_cl_validity {
    NF_CL_TRANSIENT,    /* transient: not started, killed, or exit status unknown */
    NF_CL_THIS_PROCESS, /* time or resource limit, or a crash: not repeated in this process */
    NF_CL_PERMANENT     /* permanent: a property of the input */
};

struct nf_cl_run {
    const char *name, *takes, *gives; /* for messages: the program, its input, its output */
    char *const *arguments;           /* the path first; NULL-terminated. Limits are appended */
    const struct nf_cl_bytes *input;  /* concatenated */
    size_t input_count;
    size_t said_most;       /* maximum number of bytes of messages */
    bool says_reason_last;  /* the last messages are kept, not the first ones */
    char *const *variables; /* "NAME=VALUE", added to the environment or replacing it; or NULL */
    bool takes_preloads;    /* inherits LD_PRELOAD, because a preloaded library may be a part of the driver */
};

struct nf_cl_outcome {
    struct nf_cl_bytes output;
    char *said;    /* its standard error output */
    char *message; /* the reason for a failure, or NULL */
    enum nf_cl_validity lasting;
    bool died;      /* ended abnormally by itself */
    bool timed_out; /* exceeded its time limit */
};

/* Runs the program until it ends or its time limit expires. @return true if its output is complete. The caller frees
 * the outcome. */
bool nf_cl_run(const struct nf_cl_run *run, struct nf_cl_outcome *outcome);

/* ---- outcome.c: the memory of a run ------------------------------------------------------------------------------ */

void nf_cl_outcome_free(struct nf_cl_outcome *outcome);

/* Returns a list of `count` fresh strings and a NULL if all strings were allocated; else frees it and returns NULL. */
char **nf_cl_strings_check(char **list, size_t count);
/* Frees a list and its strings. NULL is allowed. */
void nf_cl_strings_free(char **list);

/* ---- translate.c: SPIR-V to bitcode ------------------------------------------------------------------------------ */

struct nf_cl_translation {
    struct nf_cl_bytes bitcode; /* owned by the caller */
    char *message;              /* reason for a failure, owned by the caller; NULL if out of memory */
    enum nf_cl_validity lasting;
};

/* Translates SPIR-V to SPIR 1.2 bitcode for devices of `family`. @return true if there is bitcode. */
bool nf_cl_translate(const char *family, const void *module, size_t size, struct nf_cl_translation *t);

/* ---- refused.c: failures that are not repeated in this process --------------------------------------------------- */

/* Returns the message of a failure with that key, fresh, or NULL. */
char *nf_cl_failure_find(const struct nf_cl_bytes *key);
/* Stores a failure and takes ownership of the key's data. The number and size of entries are limited; the oldest are
 * removed. */
void nf_cl_failure_note(struct nf_cl_bytes *key, const char *message);

/* ---- bitcode.c: nf_cl_translate() with a cache ------------------------------------------------------------------- */

/* As nf_cl_translate(). Sets `*entry` to the name for nf_cl_bitcode_drop(), owned by the caller, or to NULL. */
bool nf_cl_bitcode_get(const char *family, const void *module, size_t size, struct nf_cl_bytes *bitcode, char **message,
                       char **entry);
/* Removes bitcode that the driver refuses from the cache. NULL is allowed. */
void nf_cl_bitcode_drop(const char *entry);

/* ---- compile.c: OpenCL C to SPIR-V, with a cache ----------------------------------------------------------------- */

/* The facts about a device that source can query. */
struct nf_cl_facts {
    cl_uint version; /* the value of __OPENCL_VERSION__ */
    cl_uint address_bits;
    bool embedded, no_images;
    char *extensions; /* separated by blanks */
    char *features;   /* of OpenCL C 3.0 */
    char *supplied;   /* features that the layer supplies */
};

struct nf_cl_header {
    char *name, *text;
};

struct nf_cl_source {
    const struct nf_cl_facts *facts;
    const char *options; /* as given by the application */
    const char *text;
    const struct nf_cl_header *headers;
    size_t header_count;
};

struct nf_cl_compiled {
    struct nf_cl_bytes module;
    struct nf_cl_bytes notes; /* records of nf_cl_notes_next() */
    char *log;                /* the compiler's messages; on failure the reason */
    bool passes;              /* a compiler without generic pointers would accept the source */
};

/* Compiles the source, or loads the result from the cache. @return true if there is a module. The caller frees
 * `*compiled` in either case. */
bool nf_cl_compile(const struct nf_cl_source *source, struct nf_cl_compiled *compiled);
void nf_cl_compiled_free(struct nf_cl_compiled *compiled);

/* ---- notes.c: the compiler's notes about a module ---------------------------------------------------------------- */

/* One record. Name and value are not NUL-terminated. */
struct nf_cl_note {
    const char *kind, *name, *value;
    size_t kind_length, name_length, value_size;
};

/* Extracts the next record of `*notes`. @return false at the end, or if the record is malformed. */
bool nf_cl_notes_next(struct nf_cl_bytes *notes, struct nf_cl_note *note);
bool nf_cl_note_is(const struct nf_cl_note *note, const char *kind);
/* Returns true if the files that the compiler searched for are unchanged. */
bool nf_cl_notes_hold(struct nf_cl_bytes notes);

#endif
