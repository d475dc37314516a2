/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - text that grows: the log, the report, names.
 */
#include <stdio.h>

#include "base/base.h"

static void print_list(struct nf_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return;
    NF_RESERVE(text->arena, text->at, text->capacity, (size_t)text->count + (size_t)length + 1);
    vsnprintf(text->at + text->count, (size_t)length + 1, format, arguments);
    text->count += (uint32_t)length;
}

void nf_print(struct nf_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_list(text, format, arguments);
    va_end(arguments);
}

void nf_print_json_string(struct nf_text *text, const char *string)
{
    nf_print(text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            nf_print(text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            nf_print(text, "\\u%04x", (unsigned char)*c);
        else
            nf_print(text, "%c", *c);
    }
    nf_print(text, "\"");
}
