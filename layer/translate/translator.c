/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translator.c - the paths of the helper programs: the program that a setting names, else the program next to the layer
 * (unless the process is privileged), else the installed program. The file of each program is searched for once.
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

struct program {
    const char *name;      /* the file name */
    const char *setting;   /* environment variable of the setting, or NULL */
    const char *places[3]; /* relative to the layer's file, also in a build folder */
    char path[PATH_MAX];
};

static struct program translator = {
    "nonflat-spir", "NONFLAT_SPIR", {"nonflat-spir", "spir/nonflat-spir", "../libexec/nonflat/nonflat-spir"}, ""};
static struct program compiler = {
    "nonflat-cl", "NONFLAT_CL", {"nonflat-cl", "cl/nonflat-cl", "../libexec/nonflat/nonflat-cl"}, ""};
static struct program trier = {
    "nonflat-try", NULL, {"nonflat-try", "build_test/nonflat-try", "../libexec/nonflat/nonflat-try"}, ""};

static bool take_path(struct program *program, const char *path)
{
    if (!path || strlen(path) >= sizeof program->path || access(path, X_OK) != 0) return false;
    strcpy(program->path, path);
    return true;
}

/* Returns true if only the user, root and the members of `group` may write the file or folder. */
static bool is_trusted_place(const char *path, gid_t group)
{
    struct stat info;
    if (stat(path, &info) != 0) return false;
    if (info.st_gid == group) info.st_mode &= ~(mode_t)S_IWGRP;
    return nf_cl_is_trusted_file(&info, true);
}

/* Returns the group that may write the layer's own file or its folder, whose members therefore control this process
 * anyway; -1 if there is none. Where the umask is 002, as on Ubuntu, files in a user's folders are writable by a group
 * of only that user. */
static gid_t layer_group(const char *layer, const char *folder)
{
    struct stat info;
    const char *const places[] = {layer, folder};
    for (size_t i = 0; i < 2; i++)
        if (places[i] && stat(places[i], &info) == 0 && (info.st_mode & S_IWGRP)) return info.st_gid;
    return (gid_t)-1;
}

/* Returns true if the file, its folder, and the target and folder of a symbolic link are trusted places. The caller
 * requires trusted places because no setting gave the path. */
static bool is_trusted(const char *path, gid_t group)
{
    struct stat info;
    bool good = is_trusted_place(path, group);
    /* Only symbolic links are resolved, because sandboxes may end the process on readlink(). */
    bool link = good && (lstat(path, &info) != 0 || S_ISLNK(info.st_mode));
    char *real = link ? realpath(path, NULL) : NULL;
    const char *const places[] = {path, real};
    for (size_t i = 0; i < (link ? 2 : 1) && good; i++) {
        const char *slash = places[i] ? strrchr(places[i], '/') : NULL;
        char *folder = slash ? nf_cl_format("%.*s/", (int)(slash - places[i]), places[i]) : NULL;
        good = folder && is_trusted_place(folder, group);
        free(folder);
    }
    free(real);
    return good;
}

static bool take_trusted(struct program *program, const char *path, gid_t group)
{
    if (!path || access(path, X_OK) != 0) return false;
    if (is_trusted(path, group)) return take_path(program, path);
    nf_cl_log(NF_CL_ERROR, "%s is not used, because another user owns it or its folder, or may write to it%s%s%s", path,
              program->setting ? "; " : "", program->setting ? program->setting : "",
              program->setting ? " may name it explicitly" : "");
    return false;
}

static bool find_beside(struct program *program)
{
    Dl_info info;
    bool found = false;
    if (!dladdr((const void *)&translator, &info) || !info.dli_fname || info.dli_fname[0] != '/') return false;
    char *folder = nf_cl_format("%.*s", (int)(strrchr(info.dli_fname, '/') - info.dli_fname), info.dli_fname);
    gid_t group = layer_group(info.dli_fname, folder);
    for (size_t i = 0; folder && i < sizeof program->places / sizeof program->places[0] && !found; i++) {
        char *path = nf_cl_format("%s/%s", folder, program->places[i]);
        found = take_trusted(program, path, group);
        free(path);
    }
    free(folder);
    return found;
}

/* Finds the program. If a setting names a path, only that path is tried. */
static void find(struct program *program, const char *given)
{
    if (given) {
        if (!take_path(program, given))
            nf_cl_log(NF_CL_ERROR, "%s=%s cannot be started: %s", program->setting, given, strerror(errno));
        return;
    }
    if (!nf_cl_config()->secure && find_beside(program)) return;
    char *installed = nf_cl_format(NONFLAT_LIBEXEC "/%s", program->name);
    take_path(program, installed);
    free(installed);
}

static void find_translator(void)
{
    find(&translator, nf_cl_config()->spir);
}

static void find_compiler(void)
{
    find(&compiler, nf_cl_config()->cl);
    if (!compiler.path[0])
        nf_cl_log(NF_CL_INFO, "nonflat-cl was not found: the driver compiles all programs in OpenCL C");
}

static void find_build_tester(void)
{
    find(&trier, NULL);
}

const char *nf_cl_translator(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_translator);
    return translator.path[0] ? translator.path : NULL;
}

const char *nf_cl_compiler(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_compiler);
    return compiler.path[0] ? compiler.path : NULL;
}

const char *nf_cl_build_tester(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_build_tester);
    return trier.path[0] ? trier.path : NULL;
}

bool nf_cl_append_program(struct nf_cl_bytes *key, const char *path)
{
    struct stat info;
    struct nf_cl_object object;
    if (!path || stat(path, &info) != 0) return false;
    /* The build ID is the same wherever the program is installed, so that machines can share entries. */
    if (nf_cl_object_read(path, &object))
        return nf_cl_append_text(key, "build") && nf_cl_append(key, object.build, sizeof object.build);
    const int64_t stamp[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, (int64_t)info.st_ino,
                             (int64_t)info.st_dev};
    return nf_cl_append_text(key, path) && nf_cl_append(key, stamp, sizeof stamp);
}
