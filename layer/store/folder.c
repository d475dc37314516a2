/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder.c - the folder of the cache on disk: its trust, its contents and its size limit. Takes a path or an open
 * folder; all operations are relative to the open folder, so that the folder cannot be replaced between two operations.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LITTER_SECONDS = 3600, FUTURE_SECONDS = 60, TIDY_WRITES = 64, TIDY_SECONDS = 60 };

static DIR *open_list(int folder)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    return list;
}

/* ---- trust ---- */

static bool has_marker(int folder)
{
    struct stat info;
    return fstatat(folder, nf_cl_marker, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
}

/* Entry names do not occur by chance; a folder with other names may contain the user's documents. */
char *nf_cl_find_foreign(int folder)
{
    char *foreign = NULL;
    DIR *list = has_marker(folder) ? NULL : open_list(folder);
    for (struct dirent *at; list && !foreign && (at = readdir(list)) != NULL;) {
        const char *name = at->d_name;
        bool own = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, nf_cl_marker) == 0;
        if (!own && !nf_cl_is_entry(name) && !nf_cl_is_temporary(name)) foreign = strdup(name);
    }
    if (list) closedir(list);
    return foreign;
}

/* Returns true if the folder has foreign files. Reports such a folder once per process. */
static bool is_foreign(const char *path, int folder)
{
    static atomic_bool is_reported;
    char *foreign = nf_cl_find_foreign(folder);
    if (foreign && !atomic_exchange(&is_reported, true))
        nf_cl_log(
            NF_CL_ERROR,
            "the cache folder %s is not used: it contains %s, which is not a file of a cache; choose a folder that is "
            "empty or does not exist",
            path, foreign);
    free(foreign);
    return foreign != NULL;
}

/* Reports a warning once per process. */
static void warn(const char *path, const char *why)
{
    static atomic_bool is_reported;
    if (!atomic_exchange(&is_reported, true))
        nf_cl_log(NF_CL_WARNING, "the cache folder %s is not used: %s", path, why);
}

static bool can_be_used(const char *path, int folder, bool others)
{
    struct stat info;
    if (fstat(folder, &info) == 0 && nf_cl_is_trusted_entry(&info, others)) return others || !is_foreign(path, folder);
    warn(path, "another user owns it, or may write to it");
    return false;
}

/* A missing folder is created only when there is something to store. */
int nf_cl_open_folder(const char *path, bool others)
{
    int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (folder < 0 && path && (errno == ENOTDIR || errno == ELOOP)) warn(path, "it is a link, or not a folder");
    if (folder < 0 && path && (errno == EACCES || errno == ENAMETOOLONG)) warn(path, strerror(errno));
    if (folder < 0 || can_be_used(path, folder, others)) return folder;
    close(folder);
    return -1;
}

/* Creates the marker. Its name is significant; the text is for the user. */
static bool mark(int folder)
{
    static const char text[] = "This folder is a cache of Nonflat's. It can be deleted at any time.\n"
                               "Nonflat removes entries from it when it is full, and touches no other file.\n";
    if (has_marker(folder)) return true;
    int file = openat(folder, nf_cl_marker, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) nf_cl_write_fully(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    return file >= 0 || has_marker(folder);
}

/* Creates a folder with all rights for the user. The host's umask may remove some, and such a folder would remain
 * unusable for later processes. Rights are changed only if some are missing, because a sandbox may end the process on
 * chmod(). */
static bool make_own(const char *path)
{
    struct stat info;
    if (mkdir(path, 0700) != 0) return false;
    if (lstat(path, &info) != 0 || (info.st_mode & 0700) == 0700) return true;
    return fchmodat(AT_FDCWD, path, 0700, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Creates missing folders above `path`, `levels` at most. @return true if the parent is the root folder, or exists and
 * belongs to the user or to root; false also if memory is exhausted. In a parent of another user, root might create
 * files that this user cannot access. */
static bool make_above(const char *path, int levels)
{
    struct stat info;
    char *above = strdup(path);
    char *slash = above ? nf_cl_last_slash(above) : NULL;
    if (!slash || slash == above) {
        free(above);
        return slash != NULL;
    }
    *slash = '\0';
    bool there = stat(above, &info) == 0;
    if (!there && levels > 0 && make_above(above, levels - 1)) there = make_own(above) && stat(above, &info) == 0;
    bool good = there && (info.st_uid == geteuid() || info.st_uid == 0);
    free(above);
    return good;
}

int nf_cl_make_folder(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 && make_above(path, 1)) make_own(path);
    int folder = nf_cl_open_folder(path, false);
    if (folder < 0 || mark(folder)) return folder;
    close(folder);
    return -1;
}

/* ---- contents ---- */

/* Orders entries by the time of their last use, the oldest first. add() has replaced a time in the future, which is
 * invalid, by 0. */
static int older_first(const void *a, const void *b)
{
    const struct nf_cl_found *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

/* Returns true for a temporary file that is so old, or so far in the future, that a killed process has left it. */
static bool is_stale_temporary(const char *name, const struct stat *info, time_t now)
{
    time_t age = now - info->st_mtim.tv_sec;
    return nf_cl_is_temporary(name) && (age > LITTER_SECONDS || age < -LITTER_SECONDS);
}

static bool add(struct nf_cl_found **entries, size_t *count, const char *name, const struct stat *info, time_t now)
{
    if (*count % 256 == 0) {
        struct nf_cl_found *more = realloc(*entries, (*count + 256) * sizeof *more);
        if (!more) return false;
        *entries = more;
    }
    struct nf_cl_found *entry = &(*entries)[(*count)++];
    strcpy(entry->name, name);
    entry->used = info->st_mtim;
    if (entry->used.tv_sec > now + FUTURE_SECONDS) entry->used = (struct timespec){0, 0};
    entry->size = (uint64_t)info->st_size;
    return true;
}

struct nf_cl_found *nf_cl_list_folder(int folder, size_t *count, uint64_t *total)
{
    struct nf_cl_found *entries = NULL;
    DIR *list = open_list(folder);
    time_t now = time(NULL);
    *count = 0;
    *total = 0;
    for (struct dirent *at; list && (at = readdir(list)) != NULL;) {
        struct stat info;
        if (!nf_cl_is_entry(at->d_name) && !nf_cl_is_temporary(at->d_name)) continue;
        if (fstatat(folder, at->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) continue;
        if (is_stale_temporary(at->d_name, &info, now)) unlinkat(folder, at->d_name, 0);
        if (!nf_cl_is_entry(at->d_name)) continue;
        if (!add(&entries, count, at->d_name, &info, now)) break;
        *total += (uint64_t)info.st_size;
    }
    if (list) closedir(list);
    if (*count) qsort(entries, *count, sizeof *entries, older_first);
    return entries;
}

/* Entries are removed until a tenth of the limit is free, so that the next write need not remove any. */
size_t nf_cl_shrink_folder(int folder, uint64_t limit)
{
    uint64_t total = 0;
    size_t count = 0, gone = 0;
    struct nf_cl_found *entries = nf_cl_list_folder(folder, &count, &total);
    if (total > limit) {
        while (gone < count && total > limit - limit / 10) {
            unlinkat(folder, entries[gone].name, 0);
            total -= entries[gone++].size;
        }
    }
    free(entries);
    return gone;
}

/* A folder is tidied after the first write of a process, unless any process has done so within a minute, according to
 * the time of the marker; and again after each 64th further write. So a thousand processes that start together list the
 * folder once. */
void nf_cl_tidy_folder(int folder, unsigned turn)
{
    struct stat info;
    if (turn % TIDY_WRITES != 0) return;
    bool known = fstatat(folder, nf_cl_marker, &info, AT_SYMLINK_NOFOLLOW) == 0;
    time_t age = known ? time(NULL) - info.st_mtim.tv_sec : TIDY_SECONDS;
    if (turn == 0 && age > -TIDY_SECONDS && age < TIDY_SECONDS) return;
    utimensat(folder, nf_cl_marker, NULL, AT_SYMLINK_NOFOLLOW);
    nf_cl_shrink_folder(folder, nf_cl_config()->cache_limit);
}
