/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - reads a module from a file. OpenCL C (`.cl`) and C++ for OpenCL (`.clcpp`) are compiled first by the
 * program nonflat-cl, for a device with all features; its messages go to standard error.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"

extern char **environ;

static bool ends(const char *path, const char *ending)
{
    size_t length = strlen(path), wanted = strlen(ending);
    return length > wanted && strcmp(path + length - wanted, ending) == 0;
}

/* Returns the option for the default language of a source file, or NULL if the file does not have the extension of a
 * source file. */
static const char *language_of(const char *path)
{
    if (ends(path, ".cl")) return "-cl-std=CL2.0";
    return ends(path, ".clcpp") ? "-cl-std=CLC++2021" : NULL;
}

/* Runs a program with its standard output in `output`. Returns its wait status, or -1 after printing an error. */
static int run(char *const arguments[], FILE *output)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    int error = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        nf_print_error("cannot start %s: %s", arguments[0], strerror(error));
        return -1;
    }
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0) nf_print_error("cannot wait for %s: %s", arguments[0], strerror(errno));
    return ended < 0 ? -1 : status;
}

/* Returns the contents of the file, malloc'ed, and sets `*size`; or returns NULL after printing an error. */
static unsigned char *read_back(FILE *file, size_t *size)
{
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    unsigned char *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    rewind(file);
    if (bytes && fread(bytes, 1, (size_t)length, file) == (size_t)length) {
        *size = (size_t)length;
        return bytes;
    }
    nf_print_error("cannot read the compiled module: %s", strerror(errno));
    free(bytes);
    return NULL;
}

static unsigned char *compile(const char *compiler, const char *path, const char *options, size_t *size, int *status)
{
    const char *language = strstr(options, "-cl-std=") ? "" : language_of(path);
    char *words[2] = {NULL, NULL};
    unsigned char *module = NULL;
    FILE *output = tmpfile();
    *status = NF_EXIT_TROUBLE;
    if (output && asprintf(&words[0], "--input=%s", path) > 0 &&
        asprintf(&words[1], "--options=%s %s", language, options) > 0) {
        char *const arguments[] = {(char *)compiler, words[0], words[1], NULL};
        int ended = run(arguments, output);
        bool refused = ended > 0 && WIFEXITED(ended) && WEXITSTATUS(ended) == NF_EXIT_REFUSED;
        if (refused) *status = NF_EXIT_REFUSED;
        if (ended > 0) nf_print_error("%s is not compiled", path);
        if (ended == 0) module = read_back(output, size);
    } else {
        nf_print_error("cannot compile %s: %s", path, strerror(errno));
    }
    if (output) fclose(output);
    free(words[0]);
    free(words[1]);
    return module;
}

unsigned char *nf_read_module(const char *path, const char *options, size_t *size, int *status)
{
    char compiler[PATH_MAX];
    *status = NF_EXIT_TROUBLE;
    if (!language_of(path)) {
        if (!options) return nf_read_whole(path, size);
        nf_print_error("--options is for source (.cl, .clcpp); %s is not source by its name", path);
        return NULL;
    }
    if (nf_find_compiler(compiler)) return compile(compiler, path, options ? options : "", size, status);
    nf_print_error("%s is source, and the program nonflat-cl that compiles it is not here: install it, or name it with "
                   "NONFLAT_CL",
                   path);
    return NULL;
}
