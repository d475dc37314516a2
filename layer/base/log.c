/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.c - messages of the layer: one line each, to standard error or to NONFLAT_LOG's file. One write() a line, so that
 * lines of several threads and processes do not mix.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_SHOWN = 500 };

/* Write without ever raising SIGPIPE: standard error may be a pipe that nobody reads any more. */
static void write_quietly(int file, const char *line, size_t length)
{
    sigset_t pipe, before, pending;
    struct timespec now = {0, 0};
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    if (write(file, line, length) < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void write_line(const char *line, size_t length)
{
    const char *path = nf_cl_config()->log_file;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    write_quietly(file >= 0 ? file : STDERR_FILENO, line, length);
    if (file >= 0) close(file);
}

void nf_cl_log(enum nf_cl_level level, const char *format, ...)
{
    if (level > nf_cl_config()->level) return;
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    int count = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (count < 0) return;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n') text[i] = ' ';
    /* A build log may be a message, too: it has its prefix, and may be long. */
    const char *start = strncmp(text, "nonflat: ", 9) == 0 ? text + 9 : text;
    char *line = nf_cl_format("nonflat: %.*s%s\n", LINE_MAX_SHOWN, start, strlen(start) > LINE_MAX_SHOWN ? "..." : "");
    if (line) write_line(line, strlen(line));
    free(line);
    free(text);
}
