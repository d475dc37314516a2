/* SPDX-License-Identifier: Apache-2.0 */
/*
 * complain.c - one line on standard error, if there is one.
 *
 * Descriptor 2 may be anything: a host that has closed standard error gets that number for the next file or socket that
 * it opens, which may be a journal that it appends to, or a terminal in which a shell takes the line for a command. So a line
 * is written there only while it is what it was when the layer was loaded, if that was something that messages go to, or a
 * file to append to that a host has put there since, and in place of standard output, too.
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

/* A shell opens a file for messages to be written only; a socket of messages is a local one. */
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

void nf_cl_complain_line(const char *line)
{
    struct stat now;
    if (fstat(STDERR_FILENO, &now) == 0 && takes_messages(&now)) nf_cl_write_line(STDERR_FILENO, line);
}

void nf_cl_complain(const char *text)
{
    char *line = nf_cl_format("nonflat: %s\n", text);
    if (line) nf_cl_complain_line(line);
    free(line);
}
