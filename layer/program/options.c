/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - tokens of build options. Takes the application's options; determines the language that they select, and
 * the options that still apply after the source has been compiled to a module.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of the character constant that begins at a single quote, including both quotes. Returns 0 if the
 * quote groups words with blanks, as in a shell. */
static size_t constant_at(const char *quote)
{
    size_t length = strcspn(quote + 1, "'");
    if (!quote[1 + length]) return 1;
    return strcspn(quote + 1, " \t\r\n\v\f") < length ? 0 : length + 2;
}

/* Advances to the next token, including its quotes. @return its length, 0 at the end. */
static size_t next_word(const char **at)
{
    char quote = 0;
    while (isspace((unsigned char)**at))
        ++*at;
    const char *end = *at;
    for (; *end && (quote || !isspace((unsigned char)*end)); end++) {
        if (*end == '\\' && quote != '\'' && end[1])
            end++;
        else if (*end == quote)
            quote = 0;
        else if (!quote && *end == '\'' && constant_at(end) > 0)
            end += constant_at(end) - 1;
        else if (!quote && (*end == '"' || *end == '\''))
            quote = *end;
    }
    return (size_t)(end - *at);
}

static bool begins(const char *word, size_t length, const char *with)
{
    size_t wanted = strlen(with);
    return length >= wanted && strncmp(word, with, wanted) == 0;
}

static bool is(const char *word, size_t length, const char *what)
{
    return length == strlen(what) && strncmp(word, what, length) == 0;
}

bool nf_cl_options_may_be_generic(const char *options)
{
    static const char standard[] = "-cl-std=";
    bool newer = false;
    if (!options || !strstr(options, standard)) return false;
    size_t length;
    for (const char *at = options; (length = next_word(&at)) > 0; at += length)
        if (begins(at, length, standard)) newer = !begins(at, length, "-cl-std=CL1.");
    return newer;
}

/* Returns true if the option has taken effect once there is a module. Sets `*value` if the next token is its argument.
 * -cl-no-subgroup-ifp is included: it permits an optimization only, and drivers of OpenCL 1.2 reject it. */
static bool is_done(const char *word, size_t length, bool *value)
{
    static const char *const with_value[] = {"-D", "-U", "-I"};
    static const char *const alone[] = {"-w", "-Werror", "-g", "-cl-single-precision-constant", "-cl-no-subgroup-ifp"};
    *value = false;
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
        if (begins(word, length, with_value[i])) {
            *value = length == strlen(with_value[i]);
            return true;
        }
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (is(word, length, alone[i])) return true;
    return begins(word, length, "-cl-std=");
}

char *nf_cl_options_for_module(const char *options)
{
    char *kept = calloc(1, strlen(options) + 2), *end = kept;
    bool skip = false;
    size_t length;
    for (const char *at = options; kept && (length = next_word(&at)) > 0; at += length) {
        bool done = skip || is_done(at, length, &skip);
        if (done && !(length == 2 && skip)) skip = false;
        if (done) continue;
        if (end > kept) *end++ = ' ';
        memcpy(end, at, length);
        end += length;
    }
    return kept;
}
