/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.h - the table of subcommands; its last entry has no name.
 */
#ifndef NF_TOOLS_COMMANDS_H
#define NF_TOOLS_COMMANDS_H

#include "tools/base/base.h"

extern const struct nf_subcommand nf_subcommands[];

#endif
