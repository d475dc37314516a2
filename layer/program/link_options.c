/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_options.c - the build options of a linked program. Takes the options of each input's compilation, and the
 * options of clLinkProgram; gives the options for the one build of the linked module.
 *
 *     a.cl: "-cl-mad-enable -cl-fast-relaxed-math", b.cl: "-cl-mad-enable", link: "-cl-denorms-are-zero"
 *         ->   "-cl-mad-enable -cl-denorms-are-zero"
 *
 * An option of a compilation holds for the linked module only if all inputs that are programs of the layer were
 * compiled with it, because the module has one build. A library that was linked without -enable-link-options keeps its
 * arithmetic, so such options of the link are omitted.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

/* Options that affect the arithmetic of the whole linked program. */
static const char *const of_arithmetic[] = {
    "-cl-denorms-are-zero",          "-cl-no-signed-zeroes", "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-fast-relaxed-math",
};

/* Other build options that drivers accept for a link. Options without an OpenCL prefix may be defined by the driver. */
static const char *const of_builds[] = {
    "-cl-mad-enable",      "-cl-opt-disable",
    "-cl-strict-aliasing", "-cl-single-precision-constant",
    "-cl-no-subgroup-ifp", "-cl-uniform-work-group-size",
    "-cl-kernel-arg-info", "-cl-fp32-correctly-rounded-divide-sqrt",
    "-create-library",     "-enable-link-options",
};

static bool is_among(const char *word, size_t length, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && strncmp(list[i], word, length) == 0) return true;
    return false;
}

static bool is_of_arithmetic(const char *word, size_t length)
{
    return is_among(word, length, of_arithmetic, sizeof of_arithmetic / sizeof *of_arithmetic);
}

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Returns true if no driver can know the token as an option. A token that does not begin with '-' may be the argument
 * of the option before it (`value`). */
static bool is_unknown(const char *word, size_t length, bool value)
{
    if (*word != '-') return !value;
    bool standard = begins(word, "-cl-") || begins(word, "-create") || begins(word, "-enable");
    bool vendor = begins(word, "-cl-std=") || begins(word, "-cl-intel-") || begins(word, "-cl-nv-") ||
                  begins(word, "-cl-ext") || begins(word, "-cl-poclu");
    return standard && !vendor && !is_of_arithmetic(word, length) &&
           !is_among(word, length, of_builds, sizeof of_builds / sizeof *of_builds);
}

/* Returns true if the option of a link is only a permission for the compiler, so that a link without it is correct as
 * well. */
static bool is_permission(const char *word, size_t length)
{
    static const char *const more[] = {"-cl-no-subgroup-ifp"};
    return is_of_arithmetic(word, length) || is_among(word, length, more, 1);
}

char *nf_cl_without_permissions(const char *options)
{
    char *rest = strdup(options), *end = rest;
    size_t length = 0;
    bool dropped = false;
    for (const char *at = options; rest && *(at += strspn(at, NF_CL_BLANKS)); at += length) {
        length = strcspn(at, NF_CL_BLANKS);
        bool drop = is_permission(at, length);
        dropped = dropped || drop;
        if (drop) continue;
        if (end > rest) *end++ = ' ';
        memcpy(end, at, length);
        end += length;
    }
    if (rest) *end = '\0';
    if (dropped) return rest;
    free(rest);
    return NULL;
}

bool nf_cl_are_library_options(const char *options)
{
    size_t length = 0;
    bool value = false, good = true;
    for (const char *at = options; good && *(at += strspn(at, NF_CL_BLANKS)); at += length) {
        length = strcspn(at, NF_CL_BLANKS);
        good = !is_unknown(at, length, value);
        value = *at == '-' && !begins(at, "-c") && !begins(at, "-enable");
    }
    return good;
}

/* Returns true if an input library was not linked with -enable-link-options. */
static bool has_closed_library(const struct nf_cl_link_inputs *inputs)
{
    bool closed = false;
    for (cl_uint i = 0; i < inputs->count; i++) {
        const struct nf_cl_program *program = inputs->programs[i];
        closed =
            closed || (program && program->library && !nf_cl_has_word(program->link_options, "-enable-link-options"));
    }
    return closed;
}

/* Returns the options of an input's compilation that apply to its module, malloc'ed; NULL if it has none. */
static char *compile_options(struct nf_cl_program *program)
{
    char *options = NULL;
    nf_cl_lock_acquire(program->lock);
    for (cl_uint i = 0; i < program->device_count && !options; i++)
        if (program->targets[i].options) options = strdup(program->targets[i].options);
    nf_cl_lock_release(program->lock);
    char *rest = options && program->from_source ? nf_cl_options_for_module(options) : NULL;
    if (!rest) return options;
    free(options);
    return rest;
}

/* Returns true if every input of the layer was compiled with `word`. */
static bool common_option(const struct nf_cl_link_inputs *inputs, const char *word)
{
    bool common = true;
    for (cl_uint i = 0; i < inputs->count && common; i++) {
        char *options = inputs->programs[i] ? compile_options(inputs->programs[i]) : NULL;
        common = !inputs->programs[i] || (options && nf_cl_has_word(options, word));
        free(options);
    }
    return common;
}

/* Appends to `list`, without duplicates, the options of `words` that apply to a build. `common_in`: only options with
 * which all inputs were compiled. `closed`: omits options that affect arithmetic. */
static void append_options(char *list, char *words, const struct nf_cl_link_inputs *common_in, bool closed)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, NF_CL_BLANKS, &rest); word; word = strtok_r(NULL, NF_CL_BLANKS, &rest)) {
        if (closed && is_of_arithmetic(word, strlen(word))) continue;
        if (strcmp(word, "-cl-no-signed-zeroes") == 0)
            word = strcpy(word, "-cl-no-signed-zeros"); /* the spelling of clBuildProgram */
        bool links = strcmp(word, "-create-library") == 0 || strcmp(word, "-enable-link-options") == 0;
        if (links || nf_cl_has_word(list, word) || (common_in && !common_option(common_in, word))) continue;
        if (*list) strcat(list, " ");
        strcat(list, word);
    }
}

char *nf_cl_link_options(const struct nf_cl_link_inputs *inputs, const char *options)
{
    char *first = NULL;
    for (cl_uint i = 0; i < inputs->count && !first; i++)
        first = inputs->programs[i] ? compile_options(inputs->programs[i]) : NULL;
    const char *given = options ? options : "";
    char *own = inputs->from_source ? nf_cl_options_for_module(given) : strdup(given);
    char *list = own ? calloc(1, strlen(own) + (first ? strlen(first) : 0) + 3) : NULL;
    if (list && first) append_options(list, first, inputs, false);
    if (list) append_options(list, own, NULL, has_closed_library(inputs));
    free(first);
    free(own);
    return list;
}
