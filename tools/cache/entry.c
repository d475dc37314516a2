/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.c - reads the file of one entry of an open cache folder.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/cache/cache.h"

static bool read_all(int file, uint64_t size, struct nf_cl_bytes *entry)
{
    entry->data = size <= nf_cl_config()->cache_limit ? malloc(size + 1) : NULL;
    entry->size = size;
    return entry->data && nf_cl_read_fully(file, entry->data, size);
}

bool nf_cache_read_entry(const struct nf_cache_folder *f, const struct nf_cl_found *found, struct nf_cl_bytes *entry)
{
    struct stat info;
    int file = openat(f->handle, found->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *entry = (struct nf_cl_bytes){NULL, 0};
    bool good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                nf_cl_is_trusted_entry(&info, f->others) && read_all(file, (uint64_t)info.st_size, entry);
    if (file >= 0) close(file);
    return good;
}
