/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c - reads complete buffers regardless of signals, and decides which files are trusted.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <errno.h>
#include <unistd.h>

bool nf_cl_read_fully(int file, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = 0;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool nf_cl_is_trusted_file(const struct stat *info, bool others)
{
    return (info->st_uid == geteuid() || (others && info->st_uid == 0)) && (info->st_mode & 022) == 0;
}
