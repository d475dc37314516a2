/* SPDX-License-Identifier: Apache-2.0 */
/*
 * caches.c - counts the files in the layer's cache and in the persistent cache of the SYCL run-time.
 *
 * Hazard: the SYCL run-time creates a cached program from its binary (clCreateProgramWithBinary), a call that the layer
 * does not intercept. So a program that was cached before the layer was installed does not use the layer while that
 * binary is in the cache.
 */
#define _XOPEN_SOURCE 700

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"

/* These variables are static because nftw() passes no argument to its function; `nonflat doctor` has one thread. */
static struct nf_doctor_cache *counted;
static int64_t old_before;

static int count_file(const char *path, const struct stat *is, int kind, struct FTW *where)
{
    (void)path;
    (void)where;
    if (kind != FTW_F) return 0;
    counted->files++;
    counted->bytes += (uint64_t)is->st_size;
    counted->old_files += is->st_mtime < old_before;
    return 0;
}

/* Returns true if the nearest existing folder above `path` is writable. */
static bool can_be_made(const char *path)
{
    char above[sizeof counted->path];
    snprintf(above, sizeof above, "%s", path);
    for (char *slash = strrchr(above, '/'); slash; slash = strrchr(above, '/')) {
        slash[slash == above] = '\0';
        if (access(above, F_OK) == 0) return access(above, W_OK | X_OK) == 0;
        if (slash == above) break;
    }
    return false;
}

static void count_files(struct nf_doctor_cache *cache, int64_t than)
{
    struct stat is;
    cache->exists = stat(cache->path, &is) == 0 && S_ISDIR(is.st_mode);
    cache->is_writable = cache->exists ? access(cache->path, W_OK | X_OK) == 0 : can_be_made(cache->path);
    counted = cache;
    old_before = than;
    if (cache->exists) nftw(cache->path, count_file, 16, FTW_PHYS);
}

/* Sets the path to `direct` if it is neither NULL nor empty, else to the folder `below` in the user's cache folder,
 * else, if the user has no cache folder, to "". */
static void find_folder(struct nf_doctor_cache *cache, const char *direct, const char *below)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    memset(cache, 0, sizeof *cache);
    if (direct && *direct)
        snprintf(cache->path, sizeof cache->path, "%s", direct);
    else if (base && *base == '/')
        snprintf(cache->path, sizeof cache->path, "%s/%s", base, below);
    else if (home && *home == '/')
        snprintf(cache->path, sizeof cache->path, "%s/.cache/%s", home, below);
}

void nf_doctor_examine_layer_cache(struct nf_doctor_cache *cache, const char *path)
{
    memset(cache, 0, sizeof *cache);
    snprintf(cache->path, sizeof cache->path, "%s", path ? path : "");
    if (path) count_files(cache, 0);
}

void nf_doctor_examine_sycl_cache(struct nf_doctor_cache *cache, int64_t than)
{
    find_folder(cache, getenv("SYCL_CACHE_DIR"), "libsycl_cache");
    if (*cache->path) count_files(cache, than);
}
