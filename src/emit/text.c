/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - appends text to the current section of the program.
 *
 * Most of the text is short fragments, ids and numbers, so printf() is not used. While e->dry is set nothing is
 * written: a function is first walked only to find out which labels it needs.
 *
 * needs: the section to which text is appended (e->to).  gives: OpenCL C text; or a refusal when a section grows beyond
 * e->longest bytes.
 */
#include <stdio.h>

#include "emit/internal.h"

static void append(struct nf_emitter *e, const char *bytes, size_t length)
{
    struct nf_text *to = e->to;
    if (e->dry) return;
    if (to->count + length >= to->capacity) {
        if (to->count + length > e->longest)
            nf_fail(e->arena, NF_REFUSED, 0, "the program in OpenCL C would have more than %zu bytes", e->longest);
        NF_RESERVE(e->arena, to->at, to->capacity, to->count + length + 1);
    }
    memcpy(to->at + to->count, bytes, length);
    to->count += (uint32_t)length;
    to->at[to->count] = 0;
}

void nf_say_string(struct nf_emitter *e, const char *string)
{
    append(e, string, strlen(string));
}

void nf_say_char(struct nf_emitter *e, char character)
{
    append(e, &character, 1);
}

static void say_digits(struct nf_emitter *e, uint64_t number, unsigned base)
{
    char digits[20], *first = digits + sizeof digits;
    do
        *--first = "0123456789abcdef"[number % base];
    while (number /= base);
    append(e, first, (size_t)(digits + sizeof digits - first));
}

void nf_say_number(struct nf_emitter *e, uint64_t number)
{
    say_digits(e, number, 10);
}

void nf_say_hex(struct nf_emitter *e, uint64_t number)
{
    append(e, "0x", 2);
    say_digits(e, number, 16);
}

void nf_say_indent(struct nf_emitter *e)
{
    static const char tabs[] = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
    uint32_t indent = e->indent < sizeof tabs - 1 ? e->indent : sizeof tabs - 1;
    append(e, tabs, indent);
}

void nf_say_literal(struct nf_emitter *e, const char *bytes, size_t length)
{
    nf_say_char(e, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?') {
            nf_say_char(e, (char)c);
            continue;
        }
        char octal[5] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)), 0};
        nf_say_string(e, octal);
    }
    nf_say_char(e, '"');
}

void nf_say_format(struct nf_emitter *e, const char *format, va_list *arguments, nf_say_argument *say_argument)
{
    while (*format) {
        size_t plain = strcspn(format, "%");
        append(e, format, plain);
        format += plain;
        if (!*format) break;
        say_argument(e, format[1], arguments);
        format += 2;
    }
}

void nf_say_plain_argument(struct nf_emitter *e, char conversion, va_list *arguments)
{
    switch (conversion) {
    case 's': nf_say_string(e, va_arg(*arguments, const char *)); break;
    case 'c': nf_say_char(e, (char)va_arg(*arguments, int)); break;
    case 'u': nf_say_number(e, va_arg(*arguments, uint32_t)); break;
    case 'x': nf_say_hex(e, va_arg(*arguments, uint32_t)); break;
    default: nf_say_char(e, conversion); break;
    }
}

void nf_say_text(struct nf_emitter *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nf_say_format(e, format, &arguments, nf_say_plain_argument);
    va_end(arguments);
}

/* The message names the instruction and its source line, not the position in the rewritten words, which differs
 * from that in the input. */
void nf_refuse(struct nf_emitter *e, uint32_t at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    const struct nf_function *f = at ? nf_function_around(e->m, at) : NULL;
    const char *source = f ? nf_source_of(e->m, f, at) : "", *name = at ? nf_op_find(nf_opcode(e->m, at))->name : "";
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nf_fail(e->arena, NF_REFUSED, 0, "the module cannot be written in OpenCL C: %s%s%s%s%s", source,
            *source ? ": " : "", name, *name ? ": " : "", text);
}
