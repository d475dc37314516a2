/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - what the subcommands of `nonflat` share.
 *
 * In: arguments, paths, bytes of files. Out: options by key, whole files, complaints that are one line each and begin
 * with "nonflat: ". May use: public.
 */
#ifndef NF_TOOLS_BASE_H
#define NF_TOOLS_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "nonflat/nonflat.h"

/* The exit statuses, the same in every subcommand. The first, second and fourth are values of nf_status. */
enum nf_exit {
    NF_EXIT_DONE = 0,      /* done; also when there was nothing to do */
    NF_EXIT_REFUSED = 1,   /* a valid module that cannot be specialised or does not fit the device */
    NF_EXIT_TROUBLE = 2,   /* usage, files, memory */
    NF_EXIT_MALFORMED = 3, /* not a SPIR-V module */
};

/* ---- complain.c -------------------------------------------------------------------------------------------------- */

/* Print "nonflat: " and the message as one line on standard error. @return NF_EXIT_TROUBLE. */
int nf_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* After the last printf() to standard output. @return NF_EXIT_DONE, or NF_EXIT_TROUBLE after a complaint. */
int nf_finish_output(void);

/* ---- options.c --------------------------------------------------------------------------------------------------- */

/* Every option of every subcommand; one that means the same in two of them has one key. */
enum nf_key {
    NF_KEY_HELP,
    NF_KEY_OUTPUT,
    NF_KEY_MODE,
    NF_KEY_REPORT,
    NF_KEY_LIBRARY,
    NF_KEY_SPIR12,
    NF_KEY_MERGES,
    NF_KEY_ADDRESSES,
    NF_KEY_TRACE,
    NF_KEY_DUMP,
    NF_KEY_LOG,
    NF_KEY_LAYER,
    NF_KEY_SPIR,
    NF_KEY_NO_USM,
    NF_KEY_PRINT,
    NF_KEY_SUMMARY,
    NF_KEY_DEVICE,
    NF_KEY_IL,
    NF_KEY_CAPABILITIES,
    NF_KEY_EXTENSIONS,
    NF_KEY_NO_GLOBALS,
    NF_KEY_JSON,
    NF_KEY_MODULES,
    NF_KEY_EXTRACT,
    NF_KEY_JOBS,
    NF_KEY_KERNEL,
    NF_KEY_HTML,
    NF_KEY_SOURCE,
    NF_KEY_ALL,
    NF_KEY_COLOR,
    NF_KEY_FOLDER,
    NF_KEY_SIZE,
    NF_KEY_OPTIONS,
    NF_KEY_COUNT
};

struct nf_option {
    enum nf_key key;
    const char *name;     /* with its dashes: "--mode" */
    const char *alias;    /* "-o", or NULL */
    const char *argument; /* what its argument is called: "FILE"; NULL when it takes none */
    const char *choices;  /* the words that the argument may be, for completion; "@file", "@folder"; NULL: free */
    const char *help;     /* a line each */
};

/* What was given: values by key, and the arguments that are no options. */
struct nf_arguments {
    const char *value[NF_KEY_COUNT]; /* NULL: not given; "" for an option that takes no argument */
    char **rest;                     /* NULL-terminated */
    int rest_count;
    const struct nf_subcommand *table; /* of all subcommands: one without a name ends it */
};

struct nf_subcommand {
    const char *name;
    const char *synopsis; /* what follows "nonflat NAME" */
    const char *purpose;  /* half a line for the list of subcommands */
    const char *details;  /* paragraphs for its own help */
    const char *statuses; /* what its exit statuses mean when that is not the usual; or NULL */
    const struct nf_option *options;
    size_t option_count;
    const char *rest;                                 /* what completes the other arguments: as nf_option.choices */
    bool stops_early;                                 /* the first argument that is no option ends the options */
    int (*run)(const struct nf_arguments *arguments); /* @return the exit status */
};

/* --help of every subcommand. */
extern const struct nf_option nf_help_option;

/*
 * Take the options out of `argv[1]`... by the subcommand's table; the other arguments go, in order, to the front of
 * `argv`, which becomes `arguments->rest`. "--" ends the options.
 * @return 0, or -1 after a complaint.
 */
int nf_take_options(const struct nf_subcommand *subcommand, int argc, char **argv, struct nf_arguments *arguments);

/* @return whether `name` names a mode (auto, static, hint, dynamic, off), which is then in `*mode`. */
bool nf_mode_from_name(const char *name, nf_mode *mode);

/* ---- files.c ----------------------------------------------------------------------------------------------------- */

/* Read the whole of `path` ("-": standard input). @return malloc'ed bytes, or NULL after a complaint. */
unsigned char *nf_read_whole(const char *path, size_t *size);

/*
 * Write `path` ("-": standard output) at once or not at all: a regular file is written under a temporary name beside
 * it and renamed, so that nobody ever sees half of it. @return 0, or -1 after a complaint.
 */
int nf_write_whole(const char *path, const void *bytes, size_t size);

/* ---- input.c ----------------------------------------------------------------------------------------------------- */

/* Do the bytes begin like a module? Like something that may have modules inside: an ELF, a bundle, an archive, a
 * Windows program, a compressed image? */
bool nf_is_module(const unsigned char *bytes, size_t size);
bool nf_is_container(const unsigned char *bytes, size_t size);
/* @return the end of a sentence that says what bytes that are no module seem to be, "" when nothing is known. */
const char *nf_describe_input(const unsigned char *bytes, size_t size);
/* Say what the core's `log` says of the module in `path`; or, when it is no SPIR-V at all, that, and what it is. */
void nf_complain_of_module(const char *path, const unsigned char *bytes, size_t size, const char *log);

/* ---- compile.c --------------------------------------------------------------------------------------------------- */

/* Read the module in `path`, or compile it when it is source by its name, with `options` (may be NULL).
 * @return malloc'ed bytes, or NULL after a complaint: then `*status` is the exit status. */
unsigned char *nf_read_module(const char *path, const char *options, size_t *size, int *status);

/* ---- place.c ----------------------------------------------------------------------------------------------------- */

/* Put the layer's path into `found` (PATH_MAX bytes): `given`, or the one that belongs to this command.
 * @return NF_EXIT_DONE, or NF_EXIT_TROUBLE after a complaint. */
int nf_find_layer(const char *given, char *found);
/* Put the path of the layer for shared memory that belongs to this command into `found` (PATH_MAX bytes), or "".
 * @return whether there is one. */
bool nf_find_usm(char *found);
/* The translator: `given`, or the build tree's, which the layer cannot know of (`found` has PATH_MAX bytes). It is ""
 * when nothing need be said: an installed layer finds the installed one, and NONFLAT_SPIR names another.
 * @return NF_EXIT_DONE or, after a complaint, NF_EXIT_TROUBLE. */
int nf_find_translator(const char *given, char *found);
/* Put the path of the translator that an installed layer takes into `found` (PATH_MAX bytes): the one that NONFLAT_SPIR names,
 * or the one that is installed with this command. @return whether there is one. */
bool nf_find_installed_translator(char *found);
/* Put the path of the compiler of OpenCL C into `found` (PATH_MAX bytes): the one that NONFLAT_CL names, or the one that
 * belongs to this command. @return whether there is one. */
bool nf_find_compiler(char *found);
/* The same with the program that tries builds. */
bool nf_find_trier(char *found);
/* @return a value for OPENCL_LAYERS, malloc'ed, or NULL: the layers in `before` (may be NULL), then `layer`. */
char *nf_layers_with(const char *before, const char *layer);

/* ---- opencl_error.c ---------------------------------------------------------------------------------------------- */

/* @return "CL_INVALID_VALUE (-30)" in `text`; the number alone when it is not among those that making, building and
 * running a program can give. */
const char *nf_opencl_error(int error, char text[64]);

#endif
