/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.h - `nonflat specialize`.
 *
 * In: a module's file and options. Out: the specialized module's file, and a report. May use: base, public.
 */
#ifndef NF_TOOLS_SPECIALIZE_H
#define NF_TOOLS_SPECIALIZE_H

#include "tools/base/base.h"

int nf_command_specialize(const struct nf_arguments *arguments);

#endif
