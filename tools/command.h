/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - what the files of the `nonflat` command share: exit statuses, options, files.
 *
 * One file per subcommand (specialize.c, run.c); nonflat.c only picks one. Every message is one line on standard error
 * that begins with "nonflat: ".
 */
#ifndef NF_TOOLS_COMMAND_H
#define NF_TOOLS_COMMAND_H

#include <stddef.h>

#include "nonflat/nonflat.h"

/* The exit statuses, the same in every subcommand. The first, second and fourth are values of nf_status. */
enum nf_exit {
    NF_EXIT_DONE = 0,      /* done; also when there was nothing to do */
    NF_EXIT_REFUSED = 1,   /* a valid module that cannot be specialised */
    NF_EXIT_TROUBLE = 2,   /* usage, files, memory */
    NF_EXIT_MALFORMED = 3, /* not a SPIR-V module */
};

/* ---- nonflat.c ------------------------------------------------------------------------------------------------ */

/* Print "nonflat: " and the message as one line on standard error. @return NF_EXIT_TROUBLE. */
int nf_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print `text` on standard output. @return NF_EXIT_DONE, or NF_EXIT_TROUBLE after a complaint. */
int nf_put_text(const char *text);

/* ---- options.c ------------------------------------------------------------------------------------------------ */

/* One option of a subcommand. `value` is where its argument goes; options without one set `*flag` to 1. */
typedef struct nf_option {
    const char *name; /* with its dashes: "--mode" or "-o" */
    const char **value;
    int *flag;
} nf_option;

/*
 * Take the options out of `argv[1]`... and leave the other arguments, in order, at the front of `argv`.
 * "--" ends the options; so does the first other argument when `stop_early` is set.
 * @return how many arguments are left, or -1 after a complaint that names `subcommand`.
 */
int nf_take_options(const char *subcommand, int argc, char **argv, const nf_option *options, size_t option_count,
                    int stop_early);

/* @return 1 and the mode in `*mode` when `name` names one (auto, static, hint, dynamic, off), else 0. */
int nf_mode_from_name(const char *name, nf_mode *mode);

/* ---- files.c -------------------------------------------------------------------------------------------------- */

/* Read the whole of `path` ("-": standard input). @return malloc'ed bytes, or NULL after a complaint. */
unsigned char *nf_read_whole(const char *path, size_t *size);

/*
 * Write `path` ("-": standard output) at once or not at all: a regular file is written under a temporary name beside
 * it and renamed, so that nobody ever sees half of it. @return 0, or -1 after a complaint.
 */
int nf_write_whole(const char *path, const void *bytes, size_t size);

/* ---- specialize.c, run.c -------------------------------------------------------------------------------------- */

/* Each takes its own name as argv[0]. @return the exit status. */
int nf_command_specialize(int argc, char **argv);
int nf_command_run(int argc, char **argv);

#endif
