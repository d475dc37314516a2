/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - `nonflat cache`: lists, checks and shrinks the layer's cache on disk, in the folder that the layer uses or
 * in another folder. The layer's own store reads the entries. warm.c fills the cache, archive.c carries it elsewhere,
 * and describe.c writes the description of a device for warm.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/cache/cache.h"
#include "layer/store/store.h"

/* Prints the probable reason why an existing path could not be opened as a cache. */
static void print_open_error(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    char *foreign = folder >= 0 ? nf_cl_find_foreign(folder) : NULL;
    if (foreign)
        nf_print_error("cache: %s is not a cache of Nonflat: it contains %s", path, foreign);
    else
        nf_print_error("cache: %s is not trusted: it must be a folder that you own and no other user may write to",
                       path);
    free(foreign);
    if (folder >= 0) close(folder);
}

/* Returns 0, or -1 after printing an error. A cache folder that does not exist yet counts as empty, with a handle of
 * -1. `reads`: it may be a read-only folder of another user, as in the setting `cache-system`. */
static int open_folder(struct nf_cache_folder *f, bool reads)
{
    f->path = nf_cl_config()->cache;
    if (!f->path) {
        nf_print_error("cache: there is no cache: it is switched off, or neither HOME nor XDG_CACHE_HOME is set");
        return -1;
    }
    struct stat is;
    f->others = reads && stat(f->path, &is) == 0 && is.st_uid != geteuid();
    f->handle = nf_cl_open_folder(f->path, f->others);
    if (f->handle < 0 && lstat(f->path, &is) == 0) {
        print_open_error(f->path);
        return -1;
    }
    if (f->handle >= 0) f->entries = nf_cl_list_folder(f->handle, &f->count, &f->total);
    return 0;
}

static void close_folder(struct nf_cache_folder *f)
{
    if (f->handle >= 0) close(f->handle);
    free(f->entries);
}

/* Returns NULL if the entry is valid, and sets `text` to its label; else returns the problem. */
static const char *check_entry(const struct nf_cache_folder *f, const struct nf_cl_found *entry, char *text,
                               size_t size)
{
    struct stat is;
    int file = openat(f->handle, entry->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const char *problem = "cannot be read";
    *text = '\0';
    if (file >= 0 && fstat(file, &is) == 0) {
        problem = NULL;
        if (!S_ISREG(is.st_mode) || !nf_cl_is_trusted_entry(&is, f->others))
            problem = "not trusted: another user owns it or may write it";
        else if (!nf_cl_entry_check(file, &is, text, size))
            problem = "damaged, or of another version";
    }
    if (file >= 0) close(file);
    return problem;
}

static void print_sum(const struct nf_cache_folder *f)
{
    printf("%zu entries, %.1f of %.0f MB, in %s\n", f->count, (double)f->total / 1048576,
           (double)nf_cl_config()->cache_limit / 1048576, f->path);
}

static int list(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    (void)arguments;
    for (size_t i = 0; i < f->count; i++) {
        char text[512], when[32] = "?";
        struct tm time;
        const struct nf_cl_found *entry = &f->entries[i];
        const char *problem = check_entry(f, entry, text, sizeof text);
        if (localtime_r(&entry->used.tv_sec, &time)) strftime(when, sizeof when, "%Y-%m-%d %H:%M", &time);
        printf("%s  %8" PRIu64 " kB  %s  %s\n", when, (entry->size + 1023) / 1024, entry->name,
               problem ? problem : text);
    }
    print_sum(f);
    return nf_finish_output();
}

static int verify(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    (void)arguments;
    size_t bad = 0;
    for (size_t i = 0; i < f->count; i++) {
        char text[512];
        const char *problem = check_entry(f, &f->entries[i], text, sizeof text);
        if (problem) printf("%s: %s\n", f->entries[i].name, problem);
        bad += problem != NULL;
    }
    printf("%zu of %zu entries are whole\n", f->count - bad, f->count);
    int status = nf_finish_output();
    return status ? status : bad ? NF_EXIT_REFUSED : NF_EXIT_DONE;
}

/* Converts a number of megabytes to `*bytes`. Returns false if `text` is not such a number. */
static bool read_size(const char *text, uint64_t *bytes)
{
    char *end = NULL;
    errno = 0;
    unsigned long long megabytes = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || megabytes > 1u << 24) return false;
    *bytes = (uint64_t)megabytes << 20;
    return true;
}

static int prune(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    uint64_t limit = nf_cl_config()->cache_limit;
    size_t damaged = 0, before = f->count;
    if (arguments->value[NF_KEY_SIZE]) read_size(arguments->value[NF_KEY_SIZE], &limit);
    for (size_t i = 0; i < f->count; i++) {
        char text[512];
        if (check_entry(f, &f->entries[i], text, sizeof text))
            damaged += unlinkat(f->handle, f->entries[i].name, 0) == 0;
    }
    if (f->handle >= 0) nf_cl_shrink_folder(f->handle, limit);
    free(f->entries);
    f->entries = f->handle >= 0 ? nf_cl_list_folder(f->handle, &f->count, &f->total) : NULL;
    printf("%zu entries removed, %zu of them not whole\n", before - f->count, damaged);
    print_sum(f);
    return nf_finish_output();
}

/* ---- the verbs ---- */

static const struct verb {
    const char *name;
    int (*run)(struct nf_cache_folder *f, const struct nf_arguments *arguments);
    int least, most; /* number of arguments after the verb */
    bool makes;      /* creates the folder if it does not exist */
    bool reads;      /* only reads the folder, which may belong to another user */
} verbs[] = {
    {"list", list, 0, 0, false, true},
    {"verify", verify, 0, 0, false, true},
    {"prune", prune, 0, 0, false, false},
    {"warm", nf_cache_warm, 1, INT_MAX, true, false},
    {"export", nf_cache_export, 1, 1, false, true},
    {"import", nf_cache_import, 1, 1, true, false},
    {"describe", nf_cache_describe, 1, 1, false, true},
};

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
    return NULL;
}

/* Makes `folder` the only cache of the layer in this process, by its absolute path, because the layer accepts no other
 * paths. The folder need not exist if `may_be_new`. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an
 * error. */
static int use_folder(const char *folder, bool may_be_new)
{
    char *path = realpath(folder, NULL), here[PATH_MAX];
    if (!path && (!may_be_new || errno != ENOENT)) return nf_print_error("cache: %s: %s", folder, strerror(errno));
    if (!path && *folder != '/' && (!getcwd(here, sizeof here) || asprintf(&path, "%s/%s", here, folder) < 0))
        return nf_print_error("cache: %s: %s", folder, strerror(errno));
    setenv("NONFLAT_CACHE", path ? path : folder, 1);
    setenv("NONFLAT_CACHE_SYSTEM", "off", 1); /* the setting may name other caches, which would be searched, too */
    free(path);
    return NF_EXIT_DONE;
}

int nf_command_cache(const struct nf_arguments *arguments)
{
    const char *name = arguments->rest_count ? arguments->rest[0] : "", *folder = arguments->value[NF_KEY_FOLDER];
    const struct verb *verb = find_verb(name);
    const char *size = arguments->value[NF_KEY_SIZE];
    const int given = arguments->rest_count - 1;
    uint64_t bytes;
    struct nf_cache_folder f = {.handle = -1};
    if (!verb)
        return nf_print_error("cache: %s%s%s; the actions are list, verify, prune, warm, export, import and describe",
                              *name ? "unknown action '" : "no action given", name, *name ? "'" : "");
    if (given > verb->most)
        return nf_print_error("cache %s: unexpected argument '%s'", name, arguments->rest[verb->most + 1]);
    if (given < verb->least) return nf_print_error("cache %s: no file given; try 'nonflat cache --help'", name);
    if (size && !read_size(size, &bytes)) return nf_print_error("cache: '%s' is not a number of megabytes", size);
    if (folder && use_folder(folder, verb->makes)) return NF_EXIT_TROUBLE;
    if (open_folder(&f, verb->reads)) return NF_EXIT_TROUBLE;
    int status = verb->run(&f, arguments);
    close_folder(&f);
    return status;
}
