/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h - `nonflat run`.
 *
 * Takes a command and settings of the layer. Executes the command with the layer, and prints a summary line or, instead
 * of starting a command, the settings. May use: base.
 */
#ifndef NF_TOOLS_RUN_H
#define NF_TOOLS_RUN_H

#include "tools/base/base.h"

/* ---- run.c ------------------------------------------------------------------------------------------------------- */

int nf_command_run(const struct nf_arguments *arguments);

/* ---- summary.c --------------------------------------------------------------------------------------------------- */

/* Runs start(command, what), which executes the command, in a child with NONFLAT_SUMMARY set, and prints one summary
 * line to standard error after the end of the command. Returns the command's exit status, or 128 + the number of the
 * signal that ended it; NF_EXIT_TROUBLE, after printing an error, if it cannot be started. */
int nf_run_with_summary(char **command, int (*start)(char **command, const void *what), const void *what);

#endif
