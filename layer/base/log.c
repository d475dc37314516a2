/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.c - log messages of the layer: one line each, of which at most 500 characters are written, to the file of the
 * setting `log`, or to standard error if there is none or it cannot be opened.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_SHOWN = 500 };

static void write_line(const char *line)
{
    const char *path = nf_cl_config()->log_file;
    int file = path ? nf_cl_open_to_append(path) : -1;
    if (file < 0)
        nf_cl_print_error_line(line);
    else
        nf_cl_write_line(file, line);
    if (file >= 0) close(file);
}

void nf_cl_log(enum nf_cl_level level, const char *format, ...)
{
    NF_CL_UNCANCELED;
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
    /* The text of a build log has the prefix already, and may be long. */
    const char *start = strncmp(text, "nonflat: ", 9) == 0 ? text + 9 : text;
    char *line = nf_cl_format("nonflat: %.*s%s\n", LINE_MAX_SHOWN, start, strlen(start) > LINE_MAX_SHOWN ? "..." : "");
    if (line) write_line(line);
    free(line);
    free(text);
}
