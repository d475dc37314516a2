/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.h - the table of subcommands: one without a name ends it.
 */
#ifndef NF_TOOLS_COMMANDS_H
#define NF_TOOLS_COMMANDS_H

#include "tools/base/base.h"

extern const struct nf_subcommand nf_subcommands[];

#endif
