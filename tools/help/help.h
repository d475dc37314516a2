/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.h - texts that are made from the table of subcommands.
 *
 * In: the table. Out: usage, help of one subcommand, completions for shells, on standard output. May use: base.
 */
#ifndef NF_TOOLS_HELP_H
#define NF_TOOLS_HELP_H

#include "tools/base/base.h"

/* ---- help.c ------------------------------------------------------------------------------------------------------ */

/* `table` ends with one that has no name. @return the exit status. */
int nf_print_usage(const struct nf_subcommand *table);
int nf_print_help(const struct nf_subcommand *subcommand);

/* ---- completion.c ------------------------------------------------------------------------------------------------ */

int nf_command_completion(const struct nf_arguments *arguments);

#endif
