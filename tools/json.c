/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.c - a recursive-descent reader of JSON into a tree, and a writer of strings. See json.h.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

enum { DEEPEST = 64 };

struct nf_json {
    char *name; /* of an object's member */
    char *text; /* of a string, number or word */
    nf_json *first, *next;
};

typedef struct reader {
    const char *at;
    int depth;
} reader;

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static char *put_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

/* Behind the backslash. @return the end of what was written, or NULL. */
static char *read_escape(reader *r, char *out)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *found = *r->at ? strchr(plain, *r->at) : NULL;
    if (found) {
        *out++ = meant[found - plain];
        r->at++;
        return out;
    }
    char digits[5] = {0};
    if (*r->at != 'u' || strspn(r->at + 1, "0123456789abcdefABCDEF") < 4) return NULL;
    memcpy(digits, r->at + 1, 4);
    r->at += 5;
    return put_utf8(out, (unsigned)strtoul(digits, NULL, 16));
}

static char *read_string(reader *r)
{
    if (*r->at != '"') return NULL;
    char *text = malloc(strcspn(r->at, "\n") + 1), *out = text;
    r->at++;
    while (text && *r->at && *r->at != '"' && *r->at != '\n') {
        if (*r->at != '\\') {
            *out++ = *r->at++;
            continue;
        }
        r->at++;
        out = read_escape(r, out);
        if (!out) break;
    }
    if (!text || !out || *r->at != '"') {
        free(text);
        return NULL;
    }
    r->at++;
    *out = '\0';
    return text;
}

static nf_json *read_value(reader *r);

/* The items of an object or an array, up to `close`. @return whether it was well formed. */
static int read_items(reader *r, nf_json *container, char close)
{
    nf_json **last = &container->first;
    skip_space(r);
    if (*r->at == close) return r->at++, 1;
    for (;;) {
        skip_space(r);
        char *name = close == '}' ? read_string(r) : NULL;
        if (close == '}') {
            skip_space(r);
            if (!name || *r->at++ != ':') return free(name), 0;
        }
        nf_json *item = read_value(r);
        if (!item) return free(name), 0;
        item->name = name;
        *last = item;
        last = &item->next;
        skip_space(r);
        if (*r->at == close) return r->at++, 1;
        if (*r->at++ != ',') return 0;
    }
}

static int fill(reader *r, nf_json *value)
{
    char begin = *r->at;
    if (begin == '{' || begin == '[') {
        r->at++;
        return read_items(r, value, begin == '{' ? '}' : ']');
    }
    if (begin == '"') return (value->text = read_string(r)) != NULL;
    size_t length = strspn(r->at, "+-.0123456789eEtrufalsn");
    value->text = length ? calloc(1, length + 1) : NULL;
    if (!value->text) return 0;
    memcpy(value->text, r->at, length);
    r->at += length;
    return 1;
}

static nf_json *read_value(reader *r)
{
    skip_space(r);
    nf_json *value = r->depth < DEEPEST ? calloc(1, sizeof *value) : NULL;
    if (!value) return NULL;
    r->depth++;
    int good = fill(r, value);
    r->depth--;
    if (good) return value;
    nf_json_free(value);
    return NULL;
}

nf_json *nf_json_read(const char *text)
{
    reader r = {text, 0};
    nf_json *root = read_value(&r);
    skip_space(&r);
    if (!*r.at) return root;
    nf_json_free(root);
    return NULL;
}

void nf_json_free(nf_json *root)
{
    while (root) {
        nf_json *next = root->next;
        nf_json_free(root->first);
        free(root->name);
        free(root->text);
        free(root);
        root = next;
    }
}

const nf_json *nf_json_member(const nf_json *object, const char *name)
{
    const nf_json *item = object ? object->first : NULL;
    while (item && (!item->name || strcmp(item->name, name) != 0))
        item = item->next;
    return item;
}

const nf_json *nf_json_first(const nf_json *container)
{
    return container ? container->first : NULL;
}

const nf_json *nf_json_next(const nf_json *item)
{
    return item ? item->next : NULL;
}

const char *nf_json_text(const nf_json *value)
{
    return value && value->text ? value->text : "";
}

double nf_json_number(const nf_json *value)
{
    return value && value->text ? strtod(value->text, NULL) : 0;
}

/* Bytes of the UTF-8 sequence at `text`, 0 when it is none. */
static int utf8_length(const unsigned char *text)
{
    int length = text[0] < 0x80                      ? 1
                 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                 : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                 : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                     : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return length;
}

void nf_json_put(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    putc('"', file);
    while (*at) {
        int length = utf8_length(at);
        if (length == 0)
            fputs("\xef\xbf\xbd", file);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(file, "\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)length, file);
        at += length ? length : 1;
    }
    putc('"', file);
}
