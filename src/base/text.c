/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - growing text: the log, the report, names.
 */
#include <stdio.h>

#include "base/base.h"

/* Appends the formatted text. First prints into the free memory; if that is too small, makes room and prints again. */
static void print_list(struct nf_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    size_t room = text->capacity - text->count;
    int length = vsnprintf(room ? text->at + text->count : NULL, room, format, again);
    va_end(again);
    if (length < 0) return;
    if ((size_t)length >= room) {
        NF_RESERVE(text->arena, text->at, text->capacity, (size_t)text->count + (size_t)length + 1);
        vsnprintf(text->at + text->count, (size_t)length + 1, format, arguments);
    }
    text->count += (uint32_t)length;
}

static void append(struct nf_text *text, const char *string, size_t length)
{
    NF_RESERVE(text->arena, text->at, text->capacity, text->count + length + 1);
    memcpy(text->at + text->count, string, length);
    text->count += (uint32_t)length;
    text->at[text->count] = 0;
}

void nf_print_number(struct nf_text *text, const char *before, uint64_t number)
{
    char digits[20], *first = digits + sizeof digits;
    do
        *--first = (char)('0' + number % 10);
    while (number /= 10);
    append(text, before, strlen(before));
    append(text, first, (size_t)(digits + sizeof digits - first));
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
    append(text, "\"", 1);
    while (*string) {
        size_t plain = 0;
        while ((unsigned char)string[plain] >= 0x20 && string[plain] != '"' && string[plain] != '\\')
            plain++;
        append(text, string, plain);
        string += plain;
        if (*string && (unsigned char)*string < 0x20)
            nf_print(text, "\\u%04x", (unsigned char)*string++);
        else if (*string)
            nf_print(text, "\\%c", *string++);
    }
    append(text, "\"", 1);
}
