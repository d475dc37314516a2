/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - the names of the files that the cache writes, and predicates that recognize them. All other files in the
 * folder belong to the user and are never removed, so the code for writing names and for recognizing them is kept
 * together here.
 *
 *     module-0123456789abcdef0123456789abcdef.nonflat    an entry: its kind, a hash of its key
 *     .new-PID-NUMBER-SECONDS-HASH                       an entry that is being written
 *     module-0123456789abcdef0123456789abcdef.claim      a process makes that entry (claim.c)
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
static const char temporary[] = ".new-", ending[] = ".nonflat", claim_ending[] = ".claim";
static const char decimal[] = "0123456789", hexadecimal[] = "0123456789abcdef",
                  letters[] = "abcdefghijklmnopqrstuvwxyz";

const char nf_cl_marker[] = ".nonflat-cache";

void nf_cl_name_entry(char name[NF_CL_NAME_MAX], const char *kind, const struct nf_cl_bytes *key)
{
    XXH128_hash_t hash = XXH3_128bits(key->data, key->size);
    snprintf(name, NF_CL_NAME_MAX, "%s-%016llx%016llx%s", kind, (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, ending);
}

void nf_cl_name_claim(char name[NF_CL_NAME_MAX], const char *entry)
{
    snprintf(name, NF_CL_NAME_MAX, "%.*s%s", (int)(strlen(entry) - strlen(ending)), entry, claim_ending);
}

/* Returns true if the name is a kind, a hash and the ending `last`. */
static bool is_hash_name(const char *name, const char *last)
{
    size_t kind = strspn(name, letters);
    if (kind == 0 || name[kind] != '-') return false;
    const char *hash = name + kind + 1;
    return strlen(name) < NF_CL_NAME_MAX && strspn(hash, hexadecimal) == HASH_DIGITS &&
           strcmp(hash + HASH_DIGITS, last) == 0;
}

bool nf_cl_is_entry(const char *name)
{
    return is_hash_name(name, ending);
}

void nf_cl_name_temporary(char name[NF_CL_NAME_MAX], unsigned number)
{
    struct unique {
        struct timespec now;
        struct nf_cl_process process;
    } unique = {.process = nf_cl_process_self()};
    clock_gettime(CLOCK_REALTIME, &unique.now);
    snprintf(name, NF_CL_NAME_MAX, "%s%ld-%u-%lx-%llx", temporary, (long)getpid(), number, (long)unique.now.tv_sec,
             (unsigned long long)XXH3_64bits(&unique, sizeof unique));
}

bool nf_cl_is_temporary(const char *name)
{
    static const char *const fields[] = {decimal, decimal, hexadecimal, hexadecimal};
    if (strncmp(name, temporary, sizeof temporary - 1) != 0) return is_hash_name(name, claim_ending);
    name += sizeof temporary - 1;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t length = strspn(name, fields[i]);
        if (length == 0 || name[length] != (i + 1 < sizeof fields / sizeof fields[0] ? '-' : '\0')) return false;
        name += length + 1;
    }
    return true;
}
