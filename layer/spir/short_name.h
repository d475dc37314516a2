/* SPDX-License-Identifier: Apache-2.0 */
/*
 * short_name.h - the short form of a kernel's name, for drivers that use it as a file name: PoCL ends the process on
 * names of more than 250 characters, and SYCL's are often longer.
 *
 * nonflat-spir renames such kernels with --short-names; its caller must then translate the kernel names that the
 * application uses with the same function.
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

/* Returns the first NF_NAME_KEPT characters and a hash of the whole name. needs: a long name. */
static inline void nf_shorten_name(const char *name, char shorter[NF_NAME_SIZE])
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    snprintf(shorter, NF_NAME_SIZE, "%.*s_%016llx", (int)NF_NAME_KEPT, name, (unsigned long long)hash);
}

#endif
