/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - `nonflat run`: sets the environment that loads the layer into one program, and becomes that program.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* The environment that the command gets. */
typedef struct setting {
    const char *name;
    const char *value; /* NULL: left as it is */
} setting;

/* Print `value` so that a shell reads it back as it is. */
static void print_quoted(const char *value)
{
    putchar('\'');
    for (; *value; value++) {
        if (*value == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*value);
    }
    puts("'");
}

static int print_settings(const setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!settings[i].value) continue;
        printf("export %s=", settings[i].name);
        print_quoted(settings[i].value);
    }
    return fflush(stdout) == EOF ? nf_complain("cannot write to standard output") : NF_EXIT_DONE;
}

/* Become the command. @return only when that failed. */
static int start(char **command, const setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (settings[i].value && setenv(settings[i].name, settings[i].value, 1) != 0)
            return nf_complain("run: cannot set %s: %s", settings[i].name, strerror(errno));
    execvp(command[0], command);
    return nf_complain("run: cannot start %s: %s", command[0], strerror(errno));
}

int nf_command_run(const nf_arguments *a)
{
    const char *mode_name = a->value[NF_KEY_MODE];
    char layer[PATH_MAX], translator[PATH_MAX];
    nf_mode mode;
    if (mode_name && !nf_mode_from_name(mode_name, &mode))
        return nf_complain("run: no mode '%s'; there are auto, static, hint, dynamic and off", mode_name);
    int print = a->value[NF_KEY_PRINT] != NULL;
    if (a->rest_count == 0 && !print) return nf_complain("run: no command given; try 'nonflat run --help'");
    if (a->rest_count > 0 && print) return nf_complain("run: --print starts no command, but '%s' is given", a->rest[0]);
    int trouble = nf_find_layer(a->value[NF_KEY_LAYER], layer);
    if (trouble) return trouble;
    char *layers = nf_layers_with(getenv("OPENCL_LAYERS"), layer);
    if (!layers) return nf_complain("out of memory");
    const setting settings[] = {{"OPENCL_LAYERS", layers},
                                {"NONFLAT_MODE", mode_name},
                                {"NONFLAT_DUMP", a->value[NF_KEY_DUMP]},
                                {"NONFLAT_LOG", a->value[NF_KEY_LOG]},
                                {"NONFLAT_SPIR", nf_find_translator(a->value[NF_KEY_SPIR], translator)}};
    size_t count = sizeof settings / sizeof settings[0];
    int status = print ? print_settings(settings, count) : start(a->rest, settings, count);
    free(layers);
    return status;
}
