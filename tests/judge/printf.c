/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf.c - the function printf of OpenCL C, with its conversions of vectors. The output is collected, and printed or
 * compared at the end.
 */
#include "ext.h"

#include <string.h>

static void put(struct judge *j, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        PUSH(j->output, text[i]);
}

/* Reads a string from the module's memory. @return its length, at most `room`. */
static size_t read_string(struct item *item, const struct inst *in, uint32_t arg, char *to, size_t room)
{
    struct cell pointer = *ext_value(item, in, arg);
    size_t length = 0;
    for (; length + 1 < room; length++, pointer.bits++) {
        uint64_t offset;
        const struct object *o = nfj_access(item, in, &pointer, ext_type(item, in, arg)->space, 1, false, &offset);
        if (!o || !o->data[offset]) break;
        to[length] = (char)o->data[offset];
    }
    to[length] = 0;
    return length;
}

struct conversion {
    char flags[24]; /* flags, width and precision, as written */
    unsigned vector;
    unsigned bits; /* 0: the conversion states none */
    char letter;
};

/* Parses the conversion at `text`, which is after the percent sign. @return its length. */
static size_t parse_conversion(const char *text, struct conversion *c)
{
    const char *at = text;
    size_t length = strspn(at, "-+ #0123456789.");
    *c = (struct conversion){.vector = 1};
    snprintf(c->flags, sizeof c->flags, "%.*s", (int)length, at);
    at += length;
    if (*at == 'v') {
        c->vector = 0;
        for (at++; *at >= '0' && *at <= '9'; at++)
            c->vector = c->vector * 10 + (unsigned)(*at - '0');
    }
    if (!strncmp(at, "hh", 2))
        c->bits = 8, at += 2;
    else if (!strncmp(at, "hl", 2))
        c->bits = 32, at += 2;
    else if (*at == 'h')
        c->bits = 16, at++;
    else if (*at == 'l')
        c->bits = 64, at++;
    c->letter = *at;
    return (size_t)(at - text) + (*at != 0);
}

static void print_one(struct judge *j, const struct conversion *c, const struct cell *cell, unsigned width)
{
    char format[40], text[400];
    unsigned bits = c->bits && c->bits < width ? c->bits : width;
    if (cell->undef) {
        put(j, "?", 1);
        return;
    }
    if (strchr("di", c->letter)) {
        snprintf(format, sizeof format, "%%%slld", c->flags);
        snprintf(text, sizeof text, format, (long long)sign_extend(cell->bits, bits));
    } else if (strchr("ouxX", c->letter)) {
        snprintf(format, sizeof format, "%%%sll%c", c->flags, c->letter);
        snprintf(text, sizeof text, format, (unsigned long long)(cell->bits & mask_of(bits)));
    } else if (strchr("fFeEgGaA", c->letter)) {
        snprintf(format, sizeof format, "%%%s%c", c->flags, c->letter);
        snprintf(text, sizeof text, format, nfj_to_double(cell->bits, width));
    } else if (c->letter == 'c') {
        snprintf(text, sizeof text, "%c", (int)(cell->bits & 0xff));
    } else if (c->letter == 'p') {
        snprintf(text, sizeof text, cell->bits ? "<pointer>" : "<null>");
    } else {
        snprintf(text, sizeof text, "<%%%c>", c->letter);
    }
    put(j, text, strlen(text));
}

static void print_argument(struct item *item, const struct inst *in, const struct conversion *c, uint32_t arg)
{
    struct judge *j = item->judge;
    char text[1024];
    if (arg + 2 >= in->nops) {
        nfj_report(item, in, "printf has too few arguments");
    } else if (c->letter == 's') {
        put(j, text, read_string(item, in, arg, text, sizeof text));
    } else {
        const struct type *type = ext_type(item, in, arg);
        for (uint32_t i = 0; i < c->vector && i < type->cells; i++) {
            if (i) put(j, ",", 1);
            print_one(j, c, ext_value(item, in, arg) + i, type->bits);
        }
    }
}

void nfj_printf(struct item *item, const struct inst *in)
{
    char format[4096];
    uint32_t arg = 1;
    read_string(item, in, 0, format, sizeof format);
    for (const char *at = format; *at;) {
        if (*at != '%') {
            put(item->judge, at++, 1);
        } else if (at[1] == '%') {
            put(item->judge, at, 1);
            at += 2;
        } else {
            struct conversion c;
            at += 1 + parse_conversion(at + 1, &c);
            print_argument(item, in, &c, arg++);
        }
    }
    if (in->n) item->frame[in->dst] = (struct cell){0, 0, 0, 0};
}
