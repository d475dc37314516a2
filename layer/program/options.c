/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - tokens of build options. Takes the application's options; determines the language that they select, and
 * the options for the driver: which options still apply after the source has been compiled to a module, and which apply
 * to bitcode or to text of the layer.
 *
 *     -cl-std=CL2.0 -DN=4 -cl-mad-enable    ->    -cl-mad-enable -cl-std=CL1.2, the language of the text
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of the character constant that begins at a single quote, including both quotes; 1 if there is no
 * other quote. Returns 0 if the quote groups words with blanks, as in a shell. */
static size_t constant_at(const char *quote)
{
    size_t length = strcspn(quote + 1, "'");
    if (!quote[1 + length]) return 1;
    return strcspn(quote + 1, " \t\r\n\v\f") < length ? 0 : length + 2;
}

/* Advances `*at` to the beginning of the next token. @return its length with its quotes, 0 at the end. */
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

/* ---- the options for the driver ---- */

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

/* Returns true if the option must not be passed to the driver for a program that the layer has written in OpenCL C.
 * Sets `*value` to true if the next token is the option's argument. A macro or -cl-single-precision-constant would
 * change the meaning of that program, and -Werror would turn a warning about it into an error.
 * -cl-uniform-work-group-size does not exist in OpenCL C 1.2, where all work-groups have one size. */
static bool is_not_for_text(const char *word, size_t length, bool *value)
{
    if (is(word, length, "-w") || is(word, length, "-g")) return *value = false;
    return is_done(word, length, value) || is(word, length, "-cl-uniform-work-group-size");
}

/* Returns true for the option that gives a language version, which bitcode states itself. The option includes its
 * value, so `*value` is false. */
static bool is_version(const char *word, size_t length, bool *value)
{
    *value = false;
    return begins(word, length, "-cl-std=");
}

typedef bool (*is_dropped_fn)(const char *word, size_t length, bool *value);

/* Returns the options that are not dropped, followed by `more`, malloc'ed; NULL if out of memory. */
static char *filter(const char *options, is_dropped_fn is_dropped, const char *more)
{
    char *kept = calloc(1, strlen(options) + strlen(more) + 3), *end = kept;
    bool skip = false; /* this token is the argument of the previous, dropped token */
    size_t length;
    for (const char *at = options; kept && (length = next_word(&at)) > 0; at += length) {
        bool value = false, done = skip || is_dropped(at, length, &value);
        skip = value;
        if (done) continue;
        if (end > kept) *end++ = ' ';
        memcpy(end, at, length);
        end += length;
    }
    if (kept && *more) sprintf(end, "%s%s", end > kept ? " " : "", more);
    return kept;
}

/* Returns the option for the version of OpenCL C in which the layer writes the text for the device group. */
static const char *version_option(const struct nf_cl_group *group)
{
    if (group->c_version >= 300) return "-cl-std=CL3.0";
    return group->c_version >= 200 ? "-cl-std=CL2.0" : "-cl-std=CL1.2";
}

char *nf_cl_options_for_module(const char *options)
{
    return filter(options, is_done, "");
}

bool nf_cl_changes_options(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    return !group->by_driver && (program->from_source || !nf_cl_takes_il(group->delivery));
}

char *nf_cl_driver_options(const struct nf_cl_program *program, const struct nf_cl_group *group, const char *options)
{
    if (!options) options = "";
    if (!nf_cl_changes_options(program, group)) return strdup(options);
    if (group->delivery == NF_CL_DELIVER_SOURCE) return filter(options, is_not_for_text, version_option(group));
    char *rest = program->from_source ? nf_cl_options_for_module(options) : strdup(options);
    if (!rest || group->delivery != NF_CL_DELIVER_SPIR) return rest;
    char *own = filter(rest, is_version, "-x spir -spir-std=1.2");
    free(rest);
    return own;
}
