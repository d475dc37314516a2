/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - `nonflat run`: sets the environment that loads the layer into one program, and becomes that program.
 *
 * The layer is looked for where this very command lies: beside it, in the build tree's layer folder, or in the library
 * folder of the same installation, so a copied or moved installation still works.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

/* The environment that the command gets. */
typedef struct setting {
    const char *name;
    const char *value; /* NULL: left as it is */
} setting;

/* Put the first of `names`, each relative to this program's folder, that is a file into `found`. @return 1 or 0. */
static int find_beside(const char *const *names, char found[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return 0;
    self[length] = '\0';
    const char *folder = dirname(self);
    for (; *names; names++) {
        char candidate[PATH_MAX + 64];
        struct stat is;
        int needed = snprintf(candidate, sizeof candidate, "%s/%s", folder, *names);
        if (needed < 0 || (size_t)needed >= sizeof candidate) continue;
        if (stat(candidate, &is) == 0 && S_ISREG(is.st_mode) && realpath(candidate, found)) return 1;
    }
    return 0;
}

static int find_layer(const char *given, char found[PATH_MAX])
{
    static const char *const names[] = {"libnonflat_layer.so", "../layer/libnonflat_layer.so",
                                        NONFLAT_BIN_TO_LIB "/libnonflat_layer.so",
                                        NONFLAT_BIN_TO_LIB "/nonflat/libnonflat_layer.so", NULL};
    if (given && access(given, R_OK) == 0 && realpath(given, found)) return NF_EXIT_DONE;
    if (given) return nf_complain("run: cannot use the layer %s: %s", given, strerror(errno));
    if (find_beside(names, found)) return NF_EXIT_DONE;
    return nf_complain("run: libnonflat_layer.so is not where this command is installed; use --layer FILE");
}

/* The translator of the build tree, which the layer cannot know of; an installed layer finds the installed one. */
static const char *find_translator(const char *given, char found[PATH_MAX])
{
    static const char *const names[] = {"../layer/spir/nonflat-spir", NULL};
    return given || getenv("NONFLAT_SPIR") || !find_beside(names, found) ? given : found;
}

/* @return whether `layer` is one of the ':'-separated paths in `list`. */
static int is_listed(const char *list, const char *layer)
{
    size_t length = strlen(layer);
    while (*list) {
        size_t entry = strcspn(list, ":");
        if (entry == length && strncmp(list, layer, length) == 0) return 1;
        list += entry + (list[entry] == ':');
    }
    return 0;
}

/* @return the value for OPENCL_LAYERS, malloc'ed, or NULL: the layers already set, then `layer`. */
static char *layers_with(const char *layer)
{
    const char *before = getenv("OPENCL_LAYERS");
    if (!before) before = "";
    if (is_listed(before, layer)) return strdup(before);
    size_t size = strlen(before) + strlen(layer) + 2;
    char *joined = malloc(size);
    if (joined) snprintf(joined, size, "%s%s%s", before, *before ? ":" : "", layer);
    return joined;
}

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
    int trouble = find_layer(a->value[NF_KEY_LAYER], layer);
    if (trouble) return trouble;
    char *layers = layers_with(layer);
    if (!layers) return nf_complain("out of memory");
    const setting settings[] = {{"OPENCL_LAYERS", layers},
                                {"NONFLAT_MODE", mode_name},
                                {"NONFLAT_DUMP", a->value[NF_KEY_DUMP]},
                                {"NONFLAT_LOG", a->value[NF_KEY_LOG]},
                                {"NONFLAT_SPIR", find_translator(a->value[NF_KEY_SPIR], translator)}};
    size_t count = sizeof settings / sizeof settings[0];
    int status = print ? print_settings(settings, count) : start(a->rest, settings, count);
    free(layers);
    return status;
}
