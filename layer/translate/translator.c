/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translator.c - where the translator program is: the one that the settings name, else the one beside the layer, else
 * the installed one. It is looked for once.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef NONFLAT_LIBEXEC
#define NONFLAT_LIBEXEC "/usr/local/libexec/nonflat"
#endif

static char found_path[PATH_MAX];
static pthread_once_t find_once = PTHREAD_ONCE_INIT;

static bool take_path(const char *path)
{
    if (!path || strlen(path) >= sizeof found_path || access(path, X_OK) != 0) return false;
    strcpy(found_path, path);
    return true;
}

/* Beside the layer's own file, and where a build folder has it. */
static bool find_beside(void)
{
    static const char *const places[] = {"nonflat-spir", "spir/nonflat-spir", "../libexec/nonflat/nonflat-spir"};
    Dl_info info;
    bool found = false;
    if (!dladdr((const void *)&find_once, &info) || !info.dli_fname || info.dli_fname[0] != '/') return false;
    int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++) {
        char *path = nf_cl_format("%.*s/%s", folder, info.dli_fname, places[i]);
        found = take_path(path);
        free(path);
    }
    return found;
}

static void find_translator(void)
{
    const struct nf_cl_config *config = nf_cl_config();
    if (config->spir) {
        if (!take_path(config->spir))
            nf_cl_log(NF_CL_ERROR, "NONFLAT_SPIR=%s cannot be started: %s", config->spir, strerror(errno));
        return;
    }
    if (!config->secure && find_beside()) return;
    take_path(NONFLAT_LIBEXEC "/nonflat-spir");
}

const char *nf_cl_translator(void)
{
    pthread_once(&find_once, find_translator);
    return found_path[0] ? found_path : NULL;
}
