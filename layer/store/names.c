/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - the names of the files that the cache writes, and predicates that recognize them. All other files in the
 * folder belong to the user and are never removed, so both directions are kept together here.
 *
 *     module-0123456789abcdef0123456789abcdef.nonflat    an entry: its kind, a hash of its key
 *     .new-PID-NUMBER-SECONDS-NANOSECONDS                an entry that is being written
 *     .nonflat-cache                                     the marker of a cache folder
 *
 * The ending identifies an entry: a word with a checksum of 32 digits is a common file name.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HASH_DIGITS = 32 };
static const char temporary[] = ".new-", ending[] = ".nonflat";
static const char decimal[] = "0123456789", hexadecimal[] = "0123456789abcdef",
                  letters[] = "abcdefghijklmnopqrstuvwxyz";

const char nf_cl_marker[] = ".nonflat-cache";

void nf_cl_name_entry(char name[NF_CL_NAME_MAX], const char *kind, const struct nf_cl_bytes *key)
{
    XXH128_hash_t hash = XXH3_128bits(key->data, key->size);
    snprintf(name, NF_CL_NAME_MAX, "%s-%016llx%016llx%s", kind, (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, ending);
}

bool nf_cl_is_entry(const char *name)
{
    size_t kind = strspn(name, letters);
    if (kind == 0 || name[kind] != '-') return false;
    const char *hash = name + kind + 1;
    return strlen(name) < NF_CL_NAME_MAX && strspn(hash, hexadecimal) == HASH_DIGITS &&
           strcmp(hash + HASH_DIGITS, ending) == 0;
}

void nf_cl_name_temporary(char name[NF_CL_NAME_MAX], unsigned number)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, NF_CL_NAME_MAX, "%s%ld-%u-%lx-%lx", temporary, (long)getpid(), number, (long)now.tv_sec,
             (long)now.tv_nsec);
}

bool nf_cl_is_temporary(const char *name)
{
    static const char *const fields[] = {decimal, decimal, hexadecimal, hexadecimal};
    if (strncmp(name, temporary, sizeof temporary - 1) != 0) return false;
    name += sizeof temporary - 1;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t length = strspn(name, fields[i]);
        if (length == 0 || name[length] != (i + 1 < sizeof fields / sizeof fields[0] ? '-' : '\0')) return false;
        name += length + 1;
    }
    return true;
}
