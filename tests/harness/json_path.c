/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_path.c - reads one value of a JSON text by its path, and checks that a text is valid JSON.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

static const char *skip_value(const char *at);

static const char *skip_space(const char *at)
{
    while (at && isspace((unsigned char)*at))
        at++;
    return at;
}

/* @return the end of the string at `at`, or NULL if it is none. */
static const char *skip_string(const char *at)
{
    if (*at != '"') return NULL;
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at != '\\') continue;
        at++;
        if (!*at || !strchr("\"\\/bfnrtu", *at)) return NULL;
    }
    return at + 1;
}

/* @return the end of the array or object at `at`, or NULL. */
static const char *skip_container(const char *at)
{
    char close = *at == '{' ? '}' : ']';
    at = skip_space(at + 1);
    if (*at == close) return at + 1;
    for (;;) {
        if (close == '}') {
            at = skip_space(skip_string(at));
            if (!at || *at != ':') return NULL;
            at = skip_space(at + 1);
        }
        at = skip_space(skip_value(at));
        if (!at) return NULL;
        if (*at == close) return at + 1;
        if (*at != ',') return NULL;
        at = skip_space(at + 1);
    }
}

static const char *skip_value(const char *at)
{
    static const char *const literals[] = {"true", "false", "null"};
    if (*at == '"') return skip_string(at);
    if (*at == '{' || *at == '[') return skip_container(at);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, literals[i], strlen(literals[i])) == 0) return at + strlen(literals[i]);
    char *end = NULL;
    strtod(at, &end);
    return end == at ? NULL : end;
}

int json_well_formed(const char *json)
{
    const char *end = skip_space(skip_value(skip_space(json)));
    return end && *end == '\0';
}

/* @return the value of the member `name` (with `length` characters) of the object at `at`, or NULL. */
static const char *find_member(const char *at, const char *name, size_t length)
{
    at = skip_space(at + 1);
    while (at && *at == '"') {
        const char *key = at + 1;
        const char *after = skip_string(at);
        if (!after) return NULL;
        size_t key_length = (size_t)(after - key) - 1;
        at = skip_space(skip_space(after) + 1);
        if (key_length == length && strncmp(key, name, length) == 0) return at;
        at = skip_space(skip_value(at));
        if (at && *at == ',') at = skip_space(at + 1);
    }
    return NULL;
}

/* @return the element `index` of the array at `at`, or NULL; `*count` is the number of elements before it. */
static const char *find_element(const char *at, long index, long *count)
{
    *count = 0;
    at = skip_space(at + 1);
    while (at && *at && *at != ']') {
        if (*count == index) return at;
        ++*count;
        at = skip_space(skip_value(at));
        if (at && *at == ',') at = skip_space(at + 1);
    }
    return NULL;
}

int json_value(const char *json, const char *path, char *value, size_t size)
{
    const char *at = skip_space(json);
    while (at && *path) {
        size_t length = strcspn(path, ".");
        long count = 0;
        if (*at == '[' && strncmp(path, "length", length) == 0) {
            find_element(at, -1, &count);
            snprintf(value, size, "%ld", count);
            return 1;
        }
        if (*at == '{')
            at = find_member(at, path, length);
        else if (*at == '[')
            at = find_element(at, atol(path), &count);
        else
            at = NULL;
        path += length + (path[length] == '.');
    }
    const char *end = at ? skip_value(at) : NULL;
    if (!end) return 0;
    if (*at == '"') {
        at++;
        end--;
    }
    snprintf(value, size, "%.*s", (int)(end - at), at);
    return 1;
}
