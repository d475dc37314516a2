/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - code that the subcommands of `nonflat` share.
 *
 * Takes command lines, paths and contents of files. Gives options by key, contents of whole files, and the places of
 * the layers, programs and drivers; writes files, and prints error messages of one line that begin with "nonflat: ".
 * May use: public.
 */
#ifndef NF_TOOLS_BASE_H
#define NF_TOOLS_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "nonflat/nonflat.h"

/* The exit statuses of the subcommands; `run` ends with the status of its command instead. The first, second and fourth
 * are values of nf_status. */
enum nf_exit {
    NF_EXIT_DONE = 0, /* success, also if there was nothing to do */
    /* A valid module cannot be specialized, the device does not accept it, a source has errors, a check (`doctor`,
     * `cache verify`) found a fault, or `cache warm` built nothing. */
    NF_EXIT_REFUSED = 1,
    NF_EXIT_TROUBLE = 2,   /* invalid usage, a file that cannot be read or written, or exhausted memory */
    NF_EXIT_MALFORMED = 3, /* not a SPIR-V module */
};

/* ---- error.c ----------------------------------------------------------------------------------------------------- */

/* Prints "nonflat: ", the message and a newline to standard error. Returns NF_EXIT_TROUBLE. */
int nf_print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes standard output; call it after the last printf(). Returns NF_EXIT_DONE; or, if this or an earlier write
 * failed, NF_EXIT_TROUBLE after printing an error. */
int nf_finish_output(void);

/* ---- options.c --------------------------------------------------------------------------------------------------- */

/* All options. An option that means the same in two subcommands has one key. */
enum nf_key {
    NF_KEY_HELP,
    NF_KEY_OUTPUT,
    NF_KEY_MODE,
    NF_KEY_REPORT,
    NF_KEY_LIBRARY,
    NF_KEY_SPIR12,
    NF_KEY_MERGES,
    NF_KEY_ADDRESSES,
    NF_KEY_FAULTS,
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
    NF_KEY_PROFILE,
    NF_KEY_TO,
    NF_KEY_COUNT
};

struct nf_option {
    enum nf_key key;
    const char *name;     /* including its dashes: "--mode" */
    const char *alias;    /* "-o", or NULL */
    const char *argument; /* the name of its argument in help texts: "FILE"; NULL: it has no argument */
    const char *choices;  /* values of the argument for completion; or "@file", "@folder", "@command"; NULL: any */
    const char *help;     /* lines of text */
};

/* A parsed command line: option values by key, and the other arguments. */
struct nf_arguments {
    const char *value[NF_KEY_COUNT]; /* NULL: not given; "" for an option that takes no argument */
    char **rest;                     /* NULL-terminated */
    int rest_count;
    const struct nf_subcommand *table; /* all subcommands; the last entry has no name */
};

struct nf_subcommand {
    const char *name;
    const char *synopsis; /* the usage after "nonflat NAME" */
    const char *purpose;  /* a phrase for the list of subcommands */
    const char *details;  /* paragraphs for the subcommand's help */
    const char *statuses; /* the meaning of its exit statuses; NULL: as for most subcommands */
    const struct nf_option *options;
    size_t option_count;
    const char *rest;                                 /* completes the other arguments, like nf_option.choices */
    bool stops_early;                                 /* options end at the first argument that is not an option */
    int (*run)(const struct nf_arguments *arguments); /* returns the exit status */
};

/* The option --help, which every subcommand has. */
extern const struct nf_option nf_help_option;

/*
 * Parses `argv[1]`... by the subcommand's table of options; of an option that occurs twice, the last value counts.
 * Moves the other arguments, in order, to the start of `argv`, which becomes `arguments->rest`. "--" ends the options.
 * Sets `arguments->table` to NULL. Returns 0, or -1 after printing an error.
 */
int nf_parse_options(const struct nf_subcommand *subcommand, int argc, char **argv, struct nf_arguments *arguments);

/* Sets `*mode` by the name of a mode (auto, static, hint, dynamic, off). Returns false, with `*mode` unchanged, if
 * there is no such mode. */
bool nf_mode_from_name(const char *name, nf_mode *mode);

/* ---- files.c ----------------------------------------------------------------------------------------------------- */

/* Reads all of `path` ("-": standard input), at most 512 MiB. Returns malloc'ed bytes, or NULL after printing an
 * error. */
unsigned char *nf_read_whole(const char *path, size_t *size);

/*
 * Writes `path` ("-": standard output). A new or regular file is written under a temporary name in the same folder and
 * renamed, so that no process sees an incomplete file. It gets the permissions of a new file; a file that exists must
 * be writable, and a symbolic link to one stays. A pipe or device is written in place. Returns 0, or -1 after printing
 * an error.
 */
int nf_write_whole(const char *path, const void *bytes, size_t size);

/* ---- input.c ----------------------------------------------------------------------------------------------------- */

/* Return true if the bytes begin like a module, or like a file that may contain modules: an ELF file, an offload
 * bundle, an archive, a Windows program, an image that is compressed with Zstandard. */
bool nf_is_module(const unsigned char *bytes, size_t size);
bool nf_is_container(const unsigned char *bytes, size_t size);
/* Returns the end of a sentence that names the probable kind of bytes without a module, "" if the kind is unknown. */
const char *nf_describe_input(const unsigned char *bytes, size_t size);
/* Prints the lines of the core's `log` about the module in `path`, errors with the path; or, if the file does not begin
 * like SPIR-V, prints that, with the probable kind of the file if it is known, or the advice to extract modules from
 * it. */
void nf_print_module_error(const char *path, const unsigned char *bytes, size_t size, const char *log);

/* ---- compile.c --------------------------------------------------------------------------------------------------- */

/* Reads a file of any contents ("-": standard input), or, if `path` has the extension of a source file, compiles it to
 * a module with `options` (may be NULL). Options for any other file are an error. Returns malloc'ed bytes, or NULL
 * after printing an error; then `*status` is the exit status. */
unsigned char *nf_read_module(const char *path, const char *options, size_t *size, int *status);

/* ---- place.c ----------------------------------------------------------------------------------------------------- */

/* Sets `found` (PATH_MAX bytes) to the path of the layer: `given`, or the layer of the same installation or build tree.
 * Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error: there is no layer, `given` does not begin like an
 * ELF file, or the path contains ':', which OPENCL_LAYERS cannot hold. */
int nf_find_layer(const char *given, char *found);
/* Sets `found` (PATH_MAX bytes) to the path of the layer for shared memory of the same installation or build tree, or
 * to "". Returns true if there is one, and its path may be part of OPENCL_LAYERS. */
bool nf_find_usm(char *found);
/* Sets `found` (PATH_MAX bytes) to the path of the translator: `given`, or the translator of the build tree, which the
 * layer cannot find itself. Without `given`, sets `found` to "", and returns NF_EXIT_DONE, if NONFLAT_SPIR is set or
 * the command is in no build tree with a translator, whether or not a translator is installed. Returns NF_EXIT_DONE, or
 * NF_EXIT_TROUBLE after printing an error if `given` is not an executable file. */
int nf_find_translator(const char *given, char *found);
/* Sets `found` (PATH_MAX bytes) to the path of the translator that an installed layer uses: the translator that
 * NONFLAT_SPIR names, or the translator that is installed with this command. Returns true if there is one; otherwise
 * the contents of `found` are undefined, as after the next two functions. */
bool nf_find_installed_translator(char *found);
/* Sets `found` (PATH_MAX bytes) to the path of the OpenCL C compiler: the compiler that NONFLAT_CL names, or the
 * compiler of the same installation or build tree. Returns true if there is one. */
bool nf_find_compiler(char *found);
/* Sets `found` (PATH_MAX bytes) to the path of nonflat-try, the program that tries builds, of the same installation or
 * build tree. Returns true if there is one. */
bool nf_find_build_tester(char *found);
/* Returns a value for OPENCL_LAYERS, malloc'ed: the layers in `before` (may be NULL), then `layer`, unless it is one of
 * them. Returns NULL if memory is exhausted. */
char *nf_layers_with(const char *before, const char *layer);

/* ---- drivers.c --------------------------------------------------------------------------------------------------- */

enum nf_drivers {
    NF_DRIVERS_SOME, /* at least one; or the files do not tell, so that no advice is given */
    NF_DRIVERS_NONE,
    NF_DRIVERS_RUSTICL_OFF, /* only Mesa's rusticl, and RUSTICL_ENABLE, which selects its devices, is not set */
};

/* Returns the kind of drivers that `program` finds in this environment, according to the environment variables and the
 * names of the .icd files that loaders read; the drivers need not work. `root` is "", or the folder of another
 * system. */
enum nf_drivers nf_find_drivers(const char *root, const char *program);
/* Writes advice to `text`, for NF_DRIVERS_NONE the packages with drivers for the processor and for this machine's first
 * GPU of a known kind, for NF_DRIVERS_RUSTICL_OFF the value of RUSTICL_ENABLE. Returns `text`. */
const char *nf_describe_drivers(const char *root, enum nf_drivers drivers, char text[512]);

/* ---- opencl_error.c ---------------------------------------------------------------------------------------------- */

/* Writes an error code as "CL_INVALID_VALUE (-30)" to `text`. Most codes that functions for contexts, programs, kernels
 * and launches return have a name; others are written as numbers only. Returns `text`. */
const char *nf_opencl_error(int error, char text[64]);

#endif
