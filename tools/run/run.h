/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h - `nonflat run`.
 *
 * In: a command and settings of the layer. Out: the command, started with them, and a line that sums up. May use: base.
 */
#ifndef NF_TOOLS_RUN_H
#define NF_TOOLS_RUN_H

#include "tools/base/base.h"

/* ---- run.c ------------------------------------------------------------------------------------------------------- */

int nf_command_run(const struct nf_arguments *arguments);

/* ---- summary.c --------------------------------------------------------------------------------------------------- */

/* Call start(command, what), which becomes the command, in a child, with NONFLAT_SUMMARY set; when it has ended print
 * one line on standard error. @return the command's status, 128 + the signal's number when one ended it. */
int nf_run_with_summary(char **command, int (*start)(char **command, const void *what), const void *what);

#endif
