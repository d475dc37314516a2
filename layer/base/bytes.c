/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes.c - growing byte buffers and formatted strings on the heap. If memory is exhausted the functions return
 * failure, and the existing contents stay.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *nf_cl_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    return text;
}

bool nf_cl_append(struct nf_cl_bytes *bytes, const void *data, size_t size)
{
    char *more = realloc(bytes->data, bytes->size + size + 1);
    if (!more) return false;
    if (size) memcpy(more + bytes->size, data, size);
    bytes->data = more;
    bytes->size += size;
    return true;
}

bool nf_cl_append_text(struct nf_cl_bytes *bytes, const char *text)
{
    return nf_cl_append(bytes, text ? text : "", strlen(text ? text : "") + 1);
}

bool nf_cl_has_word(const char *text, const char *word)
{
    size_t length = 0;
    for (const char *at = text ? text : ""; *(at += strspn(at, NF_CL_BLANKS)); at += length) {
        length = strcspn(at, NF_CL_BLANKS);
        if (length == strlen(word) && strncmp(at, word, length) == 0) return true;
    }
    return false;
}
