/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.c - a cache on disk that many processes share. Takes a key of any length and a value; gives the value back to
 * whoever asks with the very same key. A file holds key and value in full and a sum over both: an entry that is torn,
 * of another version, somebody else's or not what it says is a miss.
 *
 * Entries appear by rename(), so a reader sees a whole one or none. Folder and files must be ours (or, in the
 * administrator's read-only folder, root's) and writable by nobody else; symbolic links are never followed.
 */
#define _GNU_SOURCE
#include "layer.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct header {
    char magic[8];
    uint64_t key_size, value_size, sum;
};

static const char magic[8] = {'N', 'O', 'N', 'F', 'L', 'A', 'T', 1};
static const char temporary[] = ".new-";

enum { NAME_MAX_LENGTH = 96, SCAN_EVERY = 64, TEMPORARY_SECONDS = 3600 };

/* ---- sums and names ---- */

uint64_t nf_cl_hash(const void *data, size_t size, uint64_t seed)
{
    uint64_t hash = 0x9e3779b97f4a7c15ull ^ seed ^ size, word;
    const unsigned char *at = data;
    for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = (hash ^ word) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    word = 0;
    if (size) memcpy(&word, at, size);
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    return hash ^ hash >> 29;
}

static uint64_t sum_of(const struct nf_cl_bytes *key, const void *value, size_t value_size)
{
    return nf_cl_hash(value, value_size, nf_cl_hash(key->data, key->size, 0x6e666b79));
}

static void make_name(char *name, const char *kind, const struct nf_cl_bytes *key)
{
    snprintf(name, NAME_MAX_LENGTH, "%s-%016llx%016llx", kind, (unsigned long long)nf_cl_hash(key->data, key->size, 1),
             (unsigned long long)nf_cl_hash(key->data, key->size, 2));
}

bool nf_cl_append(struct nf_cl_bytes *bytes, const void *data, size_t size)
{
    char *more = realloc(bytes->data, bytes->size + size + 1);
    if (!more) return false;
    if (size) memcpy(more + bytes->size, data, size);
    bytes->data = more;
    bytes->size += size;
    return true;
}

bool nf_cl_append_text(struct nf_cl_bytes *bytes, const char *text)
{
    return nf_cl_append(bytes, text ? text : "", strlen(text ? text : "") + 1);
}

/* Which build of the layer wrote an entry: its version, and its very file. */
bool nf_cl_append_version(struct nf_cl_bytes *bytes)
{
    static const char anchor;
    struct stat info;
    Dl_info library;
    memset(&info, 0, sizeof(info));
    if (dladdr(&anchor, &library) && library.dli_fname) stat(library.dli_fname, &info);
    const int64_t stamp[3] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
    return nf_cl_append_text(bytes, nf_version()) && nf_cl_append(bytes, stamp, sizeof(stamp));
}

/* ---- folders ---- */

/* Ours, or root's when `others` says so, and writable by nobody else. */
static bool trusted(const struct stat *info, bool others)
{
    return (info->st_uid == geteuid() || (others && info->st_uid == 0)) && (info->st_mode & 022) == 0;
}

static int open_folder(const char *path, bool others)
{
    struct stat info;
    int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (folder >= 0 && (fstat(folder, &info) != 0 || !trusted(&info, others))) {
        nf_cl_log(NF_CL_WARNING, "the cache folder %s is not used: it belongs to or is writable by somebody else",
                  path);
        close(folder);
        return -1;
    }
    return folder;
}

/* The user's folder, made when it is not there. */
static int open_own_folder(void)
{
    const char *path = nf_cl_config()->cache;
    if (!path) return -1;
    char *parent = strdup(path);
    char *slash = parent ? strrchr(parent, '/') : NULL;
    if (slash && slash != parent) {
        *slash = '\0';
        mkdir(parent, 0700);
    }
    free(parent);
    mkdir(path, 0700);
    return open_folder(path, false);
}

/* ---- reading ---- */

static bool read_fully(int file, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* The rest of the file, when its key is ours and its sum is right. */
static bool read_entry(int file, const struct stat *info, const struct nf_cl_bytes *key, struct nf_cl_bytes *value)
{
    struct header header;
    size_t size = (size_t)info->st_size;
    if (size < sizeof(header) || !read_fully(file, &header, sizeof(header))) return false;
    if (memcmp(header.magic, magic, sizeof(magic)) != 0 || header.key_size != key->size) return false;
    if (header.key_size > size - sizeof(header) || header.value_size != size - sizeof(header) - header.key_size)
        return false;
    char *data = malloc(size - sizeof(header) + 1);
    bool good = data && read_fully(file, data, size - sizeof(header)) && memcmp(data, key->data, key->size) == 0 &&
                sum_of(key, data + key->size, header.value_size) == header.sum;
    if (good) {
        memmove(data, data + key->size, header.value_size);
        value->data = data;
        value->size = header.value_size;
        return true;
    }
    free(data);
    return false;
}

static bool get_from(int folder, const char *name, bool others, const struct nf_cl_bytes *key,
                     struct nf_cl_bytes *value)
{
    struct stat info;
    if (folder < 0) return false;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && trusted(&info, others) &&
                read_entry(file, &info, key, value);
    if (good && !others) futimens(file, NULL); /* lately used */
    if (file >= 0) close(file);
    if (file >= 0 && !good && !others) unlinkat(folder, name, 0);
    return good;
}

bool nf_cl_store_get(const char *kind, const struct nf_cl_bytes *key, struct nf_cl_bytes *value)
{
    char name[NAME_MAX_LENGTH];
    const struct nf_cl_config *config = nf_cl_config();
    if (!config->cache && !config->system_cache) return false;
    make_name(name, kind, key);
    int folder = config->system_cache ? open_folder(config->system_cache, true) : -1;
    bool good = get_from(folder, name, true, key, value);
    if (folder >= 0) close(folder);
    if (good) return true;
    folder = open_folder(config->cache, false);
    good = get_from(folder, name, false, key, value);
    if (folder >= 0) close(folder);
    return good;
}

/* ---- the size limit ---- */

struct found {
    char name[NAME_MAX_LENGTH];
    struct timespec used;
    uint64_t size;
};

static int older_first(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

/* What a killed process left behind. */
static bool is_litter(const char *name, const struct stat *info)
{
    time_t age = time(NULL) - info->st_mtim.tv_sec;
    return strncmp(name, temporary, sizeof(temporary) - 1) == 0 &&
           (age > TEMPORARY_SECONDS || age < -TEMPORARY_SECONDS);
}

/* List the entries of a folder; litter is removed on the way. */
static struct found *list_folder(DIR *list, int folder, size_t *count, uint64_t *total)
{
    struct found *entries = NULL;
    size_t capacity = 0;
    struct dirent *at;
    *count = 0;
    *total = 0;
    while ((at = readdir(list)) != NULL) {
        struct stat info;
        if (strlen(at->d_name) >= NAME_MAX_LENGTH || fstatat(folder, at->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        if (is_litter(at->d_name, &info)) unlinkat(folder, at->d_name, 0);
        if (at->d_name[0] == '.') continue;
        if (*count == capacity) {
            capacity = capacity * 2 + 256;
            struct found *more = realloc(entries, capacity * sizeof(*more));
            if (!more) break;
            entries = more;
        }
        strcpy(entries[*count].name, at->d_name);
        entries[*count].used = info.st_mtim;
        entries[(*count)++].size = (uint64_t)info.st_size;
        *total += (uint64_t)info.st_size;
    }
    return entries;
}

static void shrink(int folder)
{
    uint64_t limit = nf_cl_config()->cache_limit, total = 0;
    size_t count = 0;
    int copy = fcntl(folder, F_DUPFD_CLOEXEC, 3);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list) {
        if (copy >= 0) close(copy);
        return;
    }
    struct found *entries = list_folder(list, folder, &count, &total);
    if (total > limit && entries) {
        qsort(entries, count, sizeof(*entries), older_first);
        for (size_t i = 0; i < count && total > limit - limit / 10; i++) {
            unlinkat(folder, entries[i].name, 0);
            total -= entries[i].size;
        }
    }
    free(entries);
    closedir(list);
}

/* ---- writing ---- */

static bool write_fully(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* A file-size limit of the process would raise a signal, not an error. */
static bool may_write(size_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > size;
}

void nf_cl_store_put(const char *kind, const struct nf_cl_bytes *key, const struct nf_cl_bytes *value)
{
    static atomic_uint number;
    char name[NAME_MAX_LENGTH], fresh[NAME_MAX_LENGTH];
    size_t total = sizeof(struct header) + key->size + value->size;
    if (!nf_cl_config()->cache || total > nf_cl_config()->cache_limit || !may_write(total)) return;
    int folder = open_own_folder();
    if (folder < 0) return;
    unsigned turn = atomic_fetch_add(&number, 1);
    make_name(name, kind, key);
    snprintf(fresh, sizeof(fresh), "%s%ld-%u-%llx", temporary, (long)getpid(), turn,
             (unsigned long long)nf_cl_hash(name, strlen(name), (uint64_t)time(NULL)));
    struct header header = {.key_size = key->size, .value_size = value->size};
    memcpy(header.magic, magic, sizeof(magic));
    header.sum = sum_of(key, value->data, value->size);
    int file = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = file >= 0 && write_fully(file, &header, sizeof(header)) && write_fully(file, key->data, key->size) &&
                write_fully(file, value->data, value->size);
    if (file >= 0 && close(file) != 0) good = false;
    if (good) good = renameat(folder, fresh, folder, name) == 0;
    if (file >= 0 && !good) unlinkat(folder, fresh, 0);
    if (turn % SCAN_EVERY == 0) shrink(folder);
    close(folder);
}

void nf_cl_store_drop(const char *kind, const struct nf_cl_bytes *key)
{
    char name[NAME_MAX_LENGTH];
    int folder = open_folder(nf_cl_config()->cache, false);
    make_name(name, kind, key);
    if (folder < 0) return;
    unlinkat(folder, name, 0);
    close(folder);
}
