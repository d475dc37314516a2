/* SPDX-License-Identifier: Apache-2.0 */
/* specialize.h - `nonflat specialize`. Takes the file of a module or of source, and options. Gives a file with the
 * specialized module, or with its text in OpenCL C, a report and a trace. May use: base, device, public. */
#ifndef NF_TOOLS_SPECIALIZE_H
#define NF_TOOLS_SPECIALIZE_H

#include "tools/base/base.h"

/* ---- specialize.c ------------------------------------------------------------------------------------------------ */

int nf_command_specialize(const struct nf_arguments *arguments);

/* ---- addresses.c ------------------------------------------------------------------------------------------------- */

/* Sets the address form and the windows of `profile` from the argument of --addresses. Returns NF_EXIT_DONE, or
 * NF_EXIT_TROUBLE after printing an error. */
int nf_parse_addresses(const char *text, nf_profile *profile);

/* ---- source.c ---------------------------------------------------------------------------------------------------- */

/* Sets the fields of `options` and `profile` that concern the output format from the argument of --to; "spirv", the
 * default, changes none. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error. */
int nf_parse_output(const char *text, nf_options *options, nf_profile *profile);

/* ---- faults.c ---------------------------------------------------------------------------------------------------- */

/* Sets the list of faults of `profile`, at most 256, from the argument of --faults; the list is static, so the next
 * call overwrites it. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error. */
int nf_parse_faults(const char *text, nf_profile *profile);

#endif
