/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c - reading and writing to the end, whatever signals come, and whose files are believed.
 */
#include "layer/base/base.h"

#include <errno.h>
#include <sys/resource.h>
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

bool nf_cl_write_fully(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool nf_cl_may_write(size_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > size;
}

bool nf_cl_trusted(const struct stat *info, bool others)
{
    return (info->st_uid == geteuid() || (others && info->st_uid == 0)) && (info->st_mode & 022) == 0;
}
