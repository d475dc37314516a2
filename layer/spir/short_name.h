/* SPDX-License-Identifier: Apache-2.0 */
/*
 * short_name.h - the short form of a kernel's name, for drivers that make file names of it: PoCL ends the process on
 * one of more than 250 characters, and SYCL's are often longer.
 *
 * nonflat-spir renames such kernels with --short-names; whoever asks for that must translate the names that the
 * application uses in the same way.
 */
#ifndef NF_SHORT_NAME_H
#define NF_SHORT_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NF_NAME_LONGEST = 250, NF_NAME_KEPT = 200, NF_NAME_SIZE = NF_NAME_LONGEST + 1 };

static inline bool nf_name_is_long(const char *name)
{
    return strlen(name) > NF_NAME_LONGEST;
}

/* needs: a long name. gives: its beginning and a hash of all of it. */
static inline void nf_shorten_name(const char *name, char shorter[NF_NAME_SIZE])
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    snprintf(shorter, NF_NAME_SIZE, "%.*s_%016llx", (int)NF_NAME_KEPT, name, (unsigned long long)hash);
}

#endif
