/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.h - work that may end its process, and therefore runs in separate processes: translation of SPIR-V to SPIR
 * 1.2 bitcode, and of OpenCL C to SPIR-V for drivers whose compilers lack generic pointers (both use LLVM); and trials
 * of builds, for drivers that may end the process.
 *
 * Takes a specialized module and the device's driver family, which determines its built-in functions; or source and the
 * facts about a device; or a module and the device's name. Gives bitcode or SPIR-V, or the reason for a failure; or the
 * answer whether the driver survives the build. The programs are in spir/, cl/ and build_test/. May use: base, store,
 * build_test. From build_test it includes wire.h, which defines the messages to nonflat-try.
 */
#ifndef NONFLAT_LAYER_TRANSLATE_H
#define NONFLAT_LAYER_TRANSLATE_H

#include "layer/base/base.h"
#include "layer/build_test/wire.h"

/* ---- translator.c: paths of the programs ------------------------------------------------------------------------- */

/* Returns the path of an executable translator nonflat-spir, or NULL. */
const char *nf_cl_translator(void);
/* Returns the path of an executable compiler nonflat-cl, or NULL. */
const char *nf_cl_compiler(void);
/* Returns the path of an executable nonflat-try, or NULL. */
const char *nf_cl_build_tester(void);
/* Appends the identity of the program to a cache key, because another version may give another result. Returns false if
 * `path` is NULL or there is no such file, or if out of memory. */
bool nf_cl_append_program(struct nf_cl_bytes *key, const char *path);

/* ---- spawn.c: starts a program ----------------------------------------------------------------------------------- */

enum { NF_CL_STREAMS = 3 }; /* standard input, output and error output */

/* Opens a descriptor that can neither be read nor written. @return it, or -1. */
int nf_cl_open_placeholder(void);
/* Occupies the closed descriptors among 0 to 2. A host may have closed some of them and still print to them; if a pipe
 * got such a number, the text would go to the program, or raise a signal. @return their number; the caller closes
 * them. */
int nf_cl_hold_low(int held[NF_CL_STREAMS]);
/* Returns the environment for a program, which ends with NULL: a copy of this process's environment, with the variables
 * of `own` (may be NULL) added or replaced, and without LD_PRELOAD unless `takes_preloads` is true. A privileged
 * process passes nothing of its own environment, but fixed values of PATH and LC_ALL. The caller frees the list, but no
 * string. @return NULL if out of memory. */
char **nf_cl_make_environment(char *const *own, bool takes_preloads);
/* Starts the program that the first argument names, with these standard streams and no other descriptors. @return 0 or
 * an error number. */
int nf_cl_spawn(char *const arguments[], char *const environment[], const int streams[NF_CL_STREAMS], pid_t *child);
/* Returns true for the wait status of a program that was probably killed from outside, for example by the user or the
 * out-of-memory killer: by SIGKILL, SIGTERM, SIGINT, SIGHUP or SIGQUIT. A program that exceeds its limits exits with a
 * message (layer/helper/limits.c), or is stopped by the layer. */
bool nf_cl_was_killed(int status);

/* ---- run.c: one run of a helper program -------------------------------------------------------------------------- */

/* How long an outcome may be reused. */
enum nf_cl_validity {
    NF_CL_TRANSIENT,    /* not at all: not started, killed, or exit status unknown */
    NF_CL_THIS_PROCESS, /* in this process: time or resource limit exceeded, or a crash */
    NF_CL_PERMANENT     /* always: a property of the input */
};

struct nf_cl_run {
    const char *name, *takes, *gives; /* for messages: the program, its input, its output */
    char *const *arguments;           /* the path first; NULL-terminated. Limits are appended */
    const struct nf_cl_bytes *input;  /* concatenated */
    size_t input_count;
    size_t message_limit; /* maximum number of bytes of messages */
};

struct nf_cl_outcome {
    struct nf_cl_bytes output;
    char *error_output; /* its standard error output */
    char *message;      /* the reason for a failure, or NULL */
    enum nf_cl_validity validity;
};

/* Runs the program until it ends, its time limit expires, or its output is too long; and once more if it was killed
 * from outside. @return true if its output is complete. The caller frees the outcome. */
bool nf_cl_run(const struct nf_cl_run *run, struct nf_cl_outcome *outcome);

/* ---- outcome.c: the memory of a run ------------------------------------------------------------------------------ */

void nf_cl_outcome_free(struct nf_cl_outcome *outcome);

/* Returns a list of `count` malloc'ed strings and a NULL if all strings were allocated; else frees it and returns
 * NULL. */
char **nf_cl_strings_check(char **list, size_t count);
/* Frees a list and its strings. NULL is allowed. */
void nf_cl_strings_free(char **list);

/* ---- testers.c: processes that try builds ------------------------------------------------------------------------ */

/* A process of nonflat-try. */
struct nf_cl_tester {
    int socket;
    struct stat opened; /* the socket */
    pid_t starter;      /* the child of this process that starts the tester; 0: has ended and was waited for */
    pid_t watcher;      /* the process that reports the tester's end; 0: not known before the first answer */
    /* For testers.c. */
    struct nf_cl_bytes key; /* empty: the tester is not reused */
    bool busy;
    struct nf_cl_tester *next;
};

/* Returns a process that runs the command, with the environment variables of `own` ("NAME=VALUE"), for exclusive use by
 * the caller: an idle process with the same arguments, environment, folder and user, or a new process if there is none
 * or if `anew`. The process inherits LD_PRELOAD, which may load a part of the driver. Returns NULL if it cannot be
 * started; `*error` is the error number. */
struct nf_cl_tester *nf_cl_tester_take(char *const *arguments, char *const *own, bool anew, int *error);
/* Ends the use of a tester. Ends its process unless `good` and the process can be reused; ends the oldest idle process
 * if too many are idle. */
void nf_cl_tester_give(struct nf_cl_tester *tester, bool good);
/* Ends all idle testers. */
void nf_cl_testers_end(void);

/* ---- trial.c: one build in a process of nonflat-try -------------------------------------------------------------- */

struct nf_cl_trial {
    char *const *arguments; /* of nonflat-try, with its path first: they name the device */
    char *const *variables; /* of the environment: "NAME=VALUE" */
    uint32_t flags;         /* NF_TRY_* */
    const char *options;
    const struct nf_try_spec *specs;
    size_t spec_count;
    const struct nf_cl_bytes *module; /* or OpenCL C, with NF_TRY_SOURCE in `flags` */
};

struct nf_cl_tried {
    enum {
        NF_CL_RETURNED, /* the driver has returned, with any error code */
        NF_CL_DIED,     /* the driver has ended the process */
        NF_CL_STOPPED,  /* the time limit has expired */
        NF_CL_UNTRIED   /* it is not known whether the driver would have returned */
    } end;
    char *output;             /* the last part of what the process wrote, if it has ended; else NULL */
    char *message;            /* how the trial ended, unless the driver returned */
    struct nf_cl_bytes built; /* the driver's log with its NUL, and its binary; empty if not requested or available */
    enum nf_cl_validity validity;
};

/* Tries a build, at most three times (trial.c). The caller frees the result. */
void nf_cl_try(const struct nf_cl_trial *trial, struct nf_cl_tried *tried);
void nf_cl_tried_free(struct nf_cl_tried *tried);

/* ---- translate.c: SPIR-V to bitcode ------------------------------------------------------------------------------ */

struct nf_cl_translation {
    struct nf_cl_bytes bitcode; /* owned by the caller */
    char *message;              /* reason for a failure, owned by the caller; NULL if out of memory */
    enum nf_cl_validity validity;
};

/* Translates SPIR-V to SPIR 1.2 bitcode for devices of `family`. @return true if there is bitcode. */
bool nf_cl_translate(const char *family, const void *module, size_t size, struct nf_cl_translation *t);

/* ---- refused.c: failures that are not repeated in this process --------------------------------------------------- */

/* Returns the message of a failure with that key, malloc'ed, or NULL. */
char *nf_cl_failure_find(const struct nf_cl_bytes *key);
/* Stores a failure, and a copy of its message, unless memory is exhausted or the key has more than 16 MiB. Takes over
 * the key's data and sets `key->data` to NULL, unless memory is exhausted: the caller frees `key->data` in any case.
 * The number and size of entries are limited; the oldest are removed. */
void nf_cl_failure_note(struct nf_cl_bytes *key, const char *message);

/* ---- bitcode.c: nf_cl_translate() with a cache ------------------------------------------------------------------- */

/* As nf_cl_translate(); `*bitcode` is valid only if the result is true. Sets `*message` to the reason for a failure, or
 * to NULL, and `*entry` to the name for nf_cl_bitcode_drop(), or to NULL; the caller owns both. */
bool nf_cl_bitcode_get(const char *family, const void *module, size_t size, struct nf_cl_bytes *bitcode, char **message,
                       char **entry);
/* Removes from the cache bitcode that the driver refuses. NULL is allowed. */
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
/* Returns true if the files and folders that the compiler found are unchanged, and those that it did not find are still
 * missing. */
bool nf_cl_notes_are_valid(struct nf_cl_bytes notes);

#endif
