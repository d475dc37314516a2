/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_error.c - writes one line to standard error, if descriptor 2 is standard error.
 *
 * Hazard: descriptor 2 may be any file. If an application closes standard error, its next file or socket gets that
 * number: possibly a database journal to which it appends, or a terminal in which a shell would execute the line. So a
 * line is written only if descriptor 2 is the same object as when the layer was loaded, of a kind that is suitable for
 * messages, or if it is a file opened for appending that is standard output as well.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static struct stat at_start;
static bool open_at_start;

static __attribute__((constructor)) void look_at_standard_error(void)
{
    open_at_start = fstat(STDERR_FILENO, &at_start) == 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns true if standard error takes messages: it is the same file as at the start of the process, or is opened for
 * appending to the file that is also standard output. A file must be write-only, as a shell opens it for redirected
 * messages; a socket must be local. */
static bool takes_messages(const struct stat *info)
{
    struct stat output;
    int flags = fcntl(STDERR_FILENO, F_GETFL), domain = 0;
    socklen_t size = sizeof domain;
    bool same = open_at_start && is_same(info, &at_start);
    bool log = !same && (flags & O_APPEND) && fstat(STDOUT_FILENO, &output) == 0 && is_same(info, &output);
    if (S_ISREG(info->st_mode)) return (same || log) && flags >= 0 && (flags & O_ACCMODE) == O_WRONLY;
    if (S_ISSOCK(info->st_mode))
        return same && getsockopt(STDERR_FILENO, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
    return same && (S_ISCHR(info->st_mode) || S_ISFIFO(info->st_mode));
}

void nf_cl_print_error_line(const char *line)
{
    struct stat now;
    if (fstat(STDERR_FILENO, &now) == 0 && takes_messages(&now)) nf_cl_write_line(STDERR_FILENO, line);
}

void nf_cl_print_error(const char *text)
{
    char *line = nf_cl_format("nonflat: %s\n", text);
    if (line) nf_cl_print_error_line(line);
    free(line);
}
