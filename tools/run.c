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

static const char usage[] =
    "usage: nonflat run [options] -- COMMAND [ARGUMENT...]\n"
    "\n"
    "Starts COMMAND with the Nonflat layer loaded into its OpenCL: OPENCL_LAYERS and NONFLAT_* are set for it alone.\n"
    "Layers that are already set stay, in front of Nonflat.\n"
    "\n"
    "  --mode MODE       auto, static, hint, dynamic or off (NONFLAT_MODE)\n"
    "  --dump FOLDER     keep each module before and after, with its report (NONFLAT_DUMP)\n"
    "  --log LEVEL|FILE  how much the layer says, or where it goes (NONFLAT_LOG)\n"
    "  --layer FILE      this libnonflat_layer.so instead of the one that belongs to this command\n"
    "  --spir FILE       this bitcode translator (NONFLAT_SPIR)\n"
    "  --print           print the settings as shell assignments instead of starting a command\n"
    "  --help, -h        this text\n"
    "\n"
    "exit status: that of COMMAND; 2 when it could not be started\n";

typedef struct request {
    const char *mode, *dump, *log, *layer, *spir;
    int print, help;
} request;

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

static int find_layer(const request *r, char found[PATH_MAX])
{
    static const char *const names[] = {"libnonflat_layer.so", "../layer/libnonflat_layer.so",
                                        NONFLAT_BIN_TO_LIB "/libnonflat_layer.so",
                                        NONFLAT_BIN_TO_LIB "/nonflat/libnonflat_layer.so", NULL};
    if (r->layer && access(r->layer, R_OK) == 0 && realpath(r->layer, found)) return NF_EXIT_DONE;
    if (r->layer) return nf_complain("run: cannot use the layer %s: %s", r->layer, strerror(errno));
    if (find_beside(names, found)) return NF_EXIT_DONE;
    return nf_complain("run: libnonflat_layer.so is not where this command is installed; use --layer FILE");
}

/* The translator of the build tree, which the layer cannot know of; an installed layer finds the installed one. */
static void find_translator(request *r, char found[PATH_MAX])
{
    static const char *const names[] = {"../layer/spir/nonflat-spir", NULL};
    if (!r->spir && !getenv("NONFLAT_SPIR") && find_beside(names, found)) r->spir = found;
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

/* The rest of the work, once there is something to start. */
static int set_and_start(request *r, char **command)
{
    char layer[PATH_MAX], translator[PATH_MAX];
    int trouble = find_layer(r, layer);
    if (trouble) return trouble;
    find_translator(r, translator);
    char *layers = layers_with(layer);
    if (!layers) return nf_complain("out of memory");
    const setting settings[] = {{"OPENCL_LAYERS", layers},
                                {"NONFLAT_MODE", r->mode},
                                {"NONFLAT_DUMP", r->dump},
                                {"NONFLAT_LOG", r->log},
                                {"NONFLAT_SPIR", r->spir}};
    size_t count = sizeof settings / sizeof settings[0];
    int status = r->print ? print_settings(settings, count) : start(command, settings, count);
    free(layers);
    return status;
}

int nf_command_run(int argc, char **argv)
{
    request r = {NULL, NULL, NULL, NULL, NULL, 0, 0};
    const nf_option options[] = {
        {"--mode", &r.mode, NULL}, {"--dump", &r.dump, NULL},   {"--log", &r.log, NULL},   {"--layer", &r.layer, NULL},
        {"--spir", &r.spir, NULL}, {"--print", NULL, &r.print}, {"--help", NULL, &r.help}, {"-h", NULL, &r.help},
    };
    int left = nf_take_options("run", argc, argv, options, sizeof options / sizeof options[0], 1);
    if (left < 0) return NF_EXIT_TROUBLE;
    if (r.help) return nf_put_text(usage);
    nf_mode mode;
    if (r.mode && !nf_mode_from_name(r.mode, &mode))
        return nf_complain("run: no mode '%s'; there are auto, static, hint, dynamic and off", r.mode);
    if (left == 0 && !r.print) return nf_complain("run: no command given; try 'nonflat run --help'");
    if (left > 0 && r.print) return nf_complain("run: --print starts no command, but '%s' is given", argv[0]);
    return set_and_start(&r, argv);
}
