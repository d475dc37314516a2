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

/* Nobody asked for it by name, so it must be of somebody whom we run programs of anyway. @return whether the file, its
 * folder, and where a link in its place leads to, are ours or root's and nobody else may write them. */
static bool is_trusted(const char *path)
{
    struct stat info;
    bool good = stat(path, &info) == 0 && nf_cl_trusted(&info, true);
    char *real = good ? realpath(path, NULL) : NULL;
    const char *const places[] = {path, real};
    for (size_t i = 0; i < 2 && good; i++) {
        const char *slash = places[i] ? strrchr(places[i], '/') : NULL;
        char *folder = slash ? nf_cl_format("%.*s/", (int)(slash - places[i]), places[i]) : NULL;
        good = folder && stat(folder, &info) == 0 && nf_cl_trusted(&info, true);
        free(folder);
    }
    free(real);
    return good;
}

static bool take_trusted(const char *path)
{
    if (!path || access(path, X_OK) != 0) return false;
    if (is_trusted(path)) return take_path(path);
    nf_cl_log(NF_CL_ERROR,
              "the translator %s is not used: it or its folder belongs to or is writable by somebody else; the setting "
              "spir names one all the same",
              path);
    return false;
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
        found = take_trusted(path);
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
