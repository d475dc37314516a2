/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump.c - writes files for debugging to the folder of the setting `dump`: FOLDER/PID-NUMBER and an extension for each.
 * Never overwrites a file.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *nf_cl_dump_begin(void)
{
    static atomic_uint number;
    const char *folder = nf_cl_config()->dump;
    if (!folder) return NULL;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        nf_cl_log(NF_CL_WARNING, "cannot make the folder %s: %s", folder, strerror(errno));
        return NULL;
    }
    return nf_cl_format("%s/%ld-%04u", folder, (long)getpid(), atomic_fetch_add(&number, 1));
}

void nf_cl_dump_file(const char *stem, const char *ending, const void *data, size_t size)
{
    char *path = nf_cl_format("%s%s", stem, ending);
    int file = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (file < 0 || !nf_cl_write_fully(file, data, size))
        nf_cl_log(NF_CL_WARNING, "cannot write %s: %s", path ? path : "a dump", strerror(errno));
    if (file >= 0) close(file);
    free(path);
}
