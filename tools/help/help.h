/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.h - texts that are generated from the table of subcommands.
 *
 * Takes the table. Prints the usage, the help of one subcommand, and shell completions. May use: base.
 */
#ifndef NF_TOOLS_HELP_H
#define NF_TOOLS_HELP_H

#include "tools/base/base.h"

/* ---- help.c ------------------------------------------------------------------------------------------------------ */

/* Each prints a text to standard output and returns the exit status. The last entry of `table` has no name. */
int nf_print_usage(const struct nf_subcommand *table);
int nf_print_help(const struct nf_subcommand *subcommand);

/* ---- completion.c ------------------------------------------------------------------------------------------------ */

int nf_command_completion(const struct nf_arguments *arguments);

#endif
