/* SPDX-License-Identifier: Apache-2.0 */
/* spec.c - parses the argument language of spec.h: text in, bytes out. */
#include "spec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct type {
    const char *name;
    size_t size;
    char kind; /* 'i' signed, 'u' unsigned, 'f' floating */
};

static const struct type types[] = {
    {"char", 1, 'i'}, {"uchar", 1, 'u'}, {"short", 2, 'i'}, {"ushort", 2, 'u'}, {"int", 4, 'i'},
    {"uint", 4, 'u'}, {"long", 8, 'i'},  {"ulong", 8, 'u'}, {"float", 4, 'f'},  {"double", 8, 'f'},
};

static const struct type *find_type(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0) return &types[i];
    return NULL;
}

/* Parses one number of `type` at `text` into `bytes`; @return its end, or NULL if there is none. */
static const char *read_number(const struct type *type, const char *text, unsigned char *bytes)
{
    char *end = NULL;
    if (type->kind == 'f') {
        double wide = strtod(text, &end);
        float narrow = (float)wide;
        memcpy(bytes, type->size == 4 ? (void *)&narrow : (void *)&wide, type->size);
    } else {
        /* Assumes a little-endian host, as all supported drivers do. */
        uint64_t bits = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : (uint64_t)strtoull(text, &end, 0);
        memcpy(bytes, &bits, type->size);
    }
    return end == text ? NULL : end;
}

static int read_numbers(const struct type *type, const char *text, struct spec *out)
{
    size_t count = 1;
    for (const char *c = text; *c; ++c)
        count += *c == ',';
    out->size = count * type->size;
    out->bytes = calloc(count, type->size);
    if (!out->bytes) return -1;
    for (size_t i = 0; i < count; ++i) {
        text = read_number(type, text, out->bytes + i * type->size);
        if (!text || *text != (i + 1 < count ? ',' : '\0')) return -1;
        ++text;
    }
    return 0;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

static int read_hex(const char *text, struct spec *out)
{
    size_t length = strlen(text);
    if (length == 0 || length % 2) return -1;
    out->size = length / 2;
    out->bytes = calloc(out->size, 1);
    if (!out->bytes) return -1;
    for (size_t i = 0; i < out->size; ++i) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return -1;
        out->bytes[i] = (unsigned char)(high << 4 | low);
    }
    return 0;
}

static int read_count(const char *text, size_t *count)
{
    char *end = NULL;
    *count = (size_t)strtoull(text, &end, 0);
    return end == text || *end ? -1 : 0;
}

static int starts(const char *text, const char *word, const char **rest)
{
    size_t length = strlen(word);
    *rest = text + length;
    return strncmp(text, word, length) == 0;
}

static int parse_buffer(const char *rest, struct spec *out)
{
    const char *colon = strchr(rest, ':');
    const struct type *type = colon ? find_type(rest, (size_t)(colon - rest)) : NULL;
    return type ? read_numbers(type, colon + 1, out) : -1;
}

static int parse_value(const char *text, struct spec *out)
{
    const char *colon = strchr(text, ':');
    const struct type *type = colon ? find_type(text, (size_t)(colon - text)) : NULL;
    out->kind = SPEC_VALUE;
    return type && !strchr(colon, ',') ? read_numbers(type, colon + 1, out) : -1;
}

int spec_parse(const char *text, struct spec *out)
{
    const char *rest;
    size_t number;
    memset(out, 0, sizeof *out);
    if (starts(text, "buffer:", &rest)) return parse_buffer(rest, out);
    if (starts(text, "hex:", &rest)) return read_hex(rest, out);
    if (starts(text, "bytes:", &rest)) {
        out->kind = SPEC_VALUE;
        return read_hex(rest, out);
    }
    if (starts(text, "zero:", &rest)) {
        if (read_count(rest, &out->size) || out->size == 0) return -1;
        out->bytes = calloc(out->size, 1);
        return out->bytes ? 0 : -1;
    }
    if (starts(text, "local:", &rest)) {
        out->kind = SPEC_LOCAL;
        return read_count(rest, &out->size);
    }
    if (starts(text, "same:", &rest)) {
        out->kind = SPEC_SAME;
        if (read_count(rest, &number)) return -1;
        out->same = (unsigned)number;
        return 0;
    }
    return parse_value(text, out);
}

void spec_free(struct spec *spec)
{
    free(spec->bytes);
    spec->bytes = NULL;
}
