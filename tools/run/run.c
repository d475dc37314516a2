/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - `nonflat run`: sets the environment variables that load the layer into one program, and executes that
 * program.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/run/run.h"

/* An environment variable of the command. */
struct setting {
    const char *name;
    const char *value; /* NULL: unchanged */
};

/* Prints `value` quoted for a shell. */
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

static int print_settings(const struct setting *settings)
{
    for (const struct setting *s = settings; s->name; s++) {
        if (!s->value) continue;
        printf("export %s=", s->name);
        print_quoted(s->value);
    }
    return nf_finish_output();
}

/* Executes the command. `what` is a list of settings, whose last entry has no name. Returns only on failure, with
 * NF_EXIT_TROUBLE. */
static int start(char **command, const void *what)
{
    for (const struct setting *s = what; s->name; s++)
        if (s->value && setenv(s->name, s->value, 1) != 0)
            return nf_print_error("run: cannot set %s: %s", s->name, strerror(errno));
    execvp(command[0], command);
    return nf_print_error("run: cannot start %s: %s", command[0], strerror(errno));
}

/* Checks the options. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error. */
static int check_request(const struct nf_arguments *a)
{
    const char *mode_name = a->value[NF_KEY_MODE];
    nf_mode mode;
    if (mode_name && !nf_mode_from_name(mode_name, &mode))
        return nf_print_error("run: unknown mode '%s'; the modes are auto, static, hint, dynamic and off", mode_name);
    int print = a->value[NF_KEY_PRINT] != NULL;
    if (a->rest_count == 0 && !print) return nf_print_error("run: no command given; try 'nonflat run --help'");
    if (a->rest_count > 0 && print)
        return nf_print_error("run: --print starts no command, but '%s' is given", a->rest[0]);
    if (print && a->value[NF_KEY_SUMMARY])
        return nf_print_error("run: --print starts no command, so there is no --summary");
    return NF_EXIT_DONE;
}

/* Sets `found` to the absolute path of the dump folder, because the command may change its working directory; to "" if
 * none is given. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error. */
static int find_dump(const char *given, char found[PATH_MAX])
{
    struct stat is;
    *found = '\0';
    if (!given) return NF_EXIT_DONE;
    if (stat(given, &is) == 0 && !S_ISDIR(is.st_mode))
        errno = ENOTDIR;
    else if (access(given, W_OK | X_OK) == 0 && realpath(given, found))
        return NF_EXIT_DONE;
    return nf_print_error("run: cannot write modules to %s: %s", given, strerror(errno));
}

/* Prints which driver to install, or which variable to set, if the program will probably find no device. The program is
 * started nevertheless: it may not need a driver, or may find a driver in another place. */
static void look_for_driver(const char *program)
{
    const char *vendors = getenv("OCL_ICD_VENDORS");
    enum nf_drivers drivers = nf_find_drivers("", program);
    char text[512];
    if (drivers == NF_DRIVERS_SOME) return;
    nf_describe_drivers("", drivers, text);
    if (drivers == NF_DRIVERS_NONE)
        nf_print_error("run: there is no OpenCL driver in %s; %s. 'nonflat doctor' says more",
                       vendors && *vendors ? vendors : "/etc/OpenCL/vendors", text);
    else
        nf_print_error("run: %s", text);
}

/* Returns a new value for OPENCL_LAYERS, which the caller frees; NULL if memory is exhausted. */
static char *layers_of(const char *layer, bool with_usm)
{
    char usm[PATH_MAX];
    char *layers = nf_layers_with(getenv("OPENCL_LAYERS"), layer);
    if (!layers || !with_usm || !nf_find_usm(usm)) return layers;
    char *both = nf_layers_with(layers, usm);
    free(layers);
    return both;
}

int nf_command_run(const struct nf_arguments *a)
{
    char layer[PATH_MAX], translator[PATH_MAX], dump[PATH_MAX];
    int status = check_request(a);
    if (!status) status = nf_find_layer(a->value[NF_KEY_LAYER], layer);
    if (!status) status = nf_find_translator(a->value[NF_KEY_SPIR], translator);
    if (!status) status = find_dump(a->value[NF_KEY_DUMP], dump);
    if (status) return status;
    char *layers = layers_of(layer, !a->value[NF_KEY_NO_USM]);
    if (!layers) return nf_print_error("out of memory");
    const struct setting settings[] = {{"OPENCL_LAYERS", layers},
                                       {"NONFLAT_MODE", a->value[NF_KEY_MODE]},
                                       {"NONFLAT_DUMP", *dump ? dump : NULL},
                                       {"NONFLAT_LOG", a->value[NF_KEY_LOG]},
                                       {"NONFLAT_SPIR", *translator ? translator : NULL},
                                       {NULL, NULL}};
    if (a->rest_count > 0) look_for_driver(a->rest[0]);
    if (a->value[NF_KEY_PRINT])
        status = print_settings(settings);
    else if (a->value[NF_KEY_SUMMARY])
        status = nf_run_with_summary(a->rest, start, settings);
    else
        status = start(a->rest, settings);
    free(layers);
    return status;
}
