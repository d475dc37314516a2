/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_faults.c - intercepts file operations of a program in one folder, by LD_PRELOAD: calls take long, fail, or are
 * counted, as on a file server that is slow, full, stale or busy. Takes variables; gives a line of counts.
 *
 *     FILES_FOLDER   a prefix of paths; calls about other files are not changed
 *     FILES_DELAY    microseconds that each call takes at most
 *     FILES_FAIL     the number of calls in a thousand that fail as on a file server, or transfer too little
 *     FILES_WRITES   "off": every call that would change the folder fails, with EROFS
 *     FILES_COUNT    a file to which each process appends its counts at its end
 *     FILES_CPUINFO  the file to read in place of /proc/cpuinfo, to imitate another processor
 *     FILES_BOOT_ID  the file to read in place of /proc/sys/kernel/random/boot_id, to imitate another machine
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* which would rename open() to open64(): both are defined here */
#undef _TIME_BITS
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 1024 };
enum call { OPENS, CREATES, READS, WRITES, STATS, RENAMES, REMOVES, TIMES, CALLS };
static const char *const names[CALLS] = {"opens", "creates", "reads", "writes", "stats", "renames", "removes", "times"};

static atomic_bool ours[FILES]; /* true for descriptors of the folder and of files in it */
static atomic_ullong counts[CALLS];
static atomic_ullong state;

static void find_next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    memcpy(function, &found, sizeof found);
}
/* Declares next_NAME, the function of the C library. */
#define NEXT(name)                                                                                                     \
    __typeof__(&name) next_##name;                                                                                     \
    find_next(#name, &next_##name)

static unsigned long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtoul(text, NULL, 10) : 0;
}

static unsigned random_below(unsigned end)
{
    if (!atomic_load(&state)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        atomic_store(&state, (unsigned long long)now.tv_nsec * 2654435761u + (unsigned long long)getpid());
    }
    unsigned long long x = atomic_load(&state);
    x = x * 6364136223846793005u + 1442695040888963407u;
    atomic_store(&state, x);
    return (unsigned)(x >> 33) % end;
}

static bool is_ours(int folder, const char *path)
{
    const char *prefix = getenv("FILES_FOLDER");
    if (path && *path == '/') return prefix && strncmp(path, prefix, strlen(prefix)) == 0;
    return folder >= 0 && folder < FILES && atomic_load(&ours[folder]);
}

/* Counts a call and delays it. @return true if it has to fail, with errno set. */
static bool fails(enum call call)
{
    static const int errors[] = {EIO, ESTALE, ETIMEDOUT, EACCES};
    const bool changes = call == CREATES || call == WRITES || call >= RENAMES;
    unsigned delay = (unsigned)number_of("FILES_DELAY"), most = (unsigned)number_of("FILES_FAIL");
    const char *may_write = getenv("FILES_WRITES");
    atomic_fetch_add(&counts[call], 1);
    if (delay) {
        struct timespec pause = {0, (long)random_below(delay) * 1000};
        nanosleep(&pause, NULL);
    }
    if (changes && may_write && strcmp(may_write, "off") == 0) {
        errno = EROFS;
        return true;
    }
    if (!most || random_below(1000) >= most) return false;
    errno = changes && random_below(2) ? ENOSPC : errors[random_below(sizeof errors / sizeof *errors)];
    return true;
}

/* ---- files ---- */

static int open_file(int folder, const char *path, int flags, mode_t mode)
{
    NEXT(openat);
    const char *boot_id = getenv("FILES_BOOT_ID");
    if (boot_id && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) path = boot_id;
    const bool own = is_ours(folder, path);
    if (own && fails(flags & O_CREAT ? CREATES : OPENS)) return -1;
    int file = next_openat(folder, path, flags, mode);
    if (file >= 0 && file < FILES) atomic_store(&ours[file], own);
    return file;
}

static mode_t mode_of(int flags, va_list rest)
{
    return flags & O_CREAT ? (mode_t)va_arg(rest, int) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_file(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_file(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen);
    const char *cpuinfo = getenv("FILES_CPUINFO");
    return next_fopen(cpuinfo && strcmp(path, "/proc/cpuinfo") == 0 ? cpuinfo : path, mode);
}

int close(int file)
{
    NEXT(close);
    if (file >= 0 && file < FILES) atomic_store(&ours[file], false);
    return next_close(file);
}

int closedir(DIR *list)
{
    NEXT(closedir);
    const int file = dirfd(list);
    if (file >= 0 && file < FILES) atomic_store(&ours[file], false);
    return next_closedir(list);
}

ssize_t read(int file, void *data, size_t size)
{
    NEXT(read);
    if (is_ours(file, NULL)) {
        if (fails(READS)) return -1;
        if (size > 1 && number_of("FILES_FAIL") && random_below(2)) size = 1 + random_below((unsigned)size);
    }
    return next_read(file, data, size);
}

ssize_t write(int file, const void *data, size_t size)
{
    NEXT(write);
    if (is_ours(file, NULL)) {
        if (fails(WRITES)) return -1;
        if (size > 1 && number_of("FILES_FAIL") && random_below(2)) size = 1 + random_below((unsigned)size);
    }
    return next_write(file, data, size);
}

int fstat(int file, struct stat *info)
{
    NEXT(fstat);
    if (is_ours(file, NULL) && fails(STATS)) return -1;
    return next_fstat(file, info);
}

int fstatat(int folder, const char *path, struct stat *info, int flags)
{
    NEXT(fstatat);
    if (is_ours(folder, path) && fails(STATS)) return -1;
    return next_fstatat(folder, path, info, flags);
}

int renameat(int folder, const char *from, int to_folder, const char *to)
{
    NEXT(renameat);
    if (is_ours(folder, from) && fails(RENAMES)) return -1;
    return next_renameat(folder, from, to_folder, to);
}

int unlinkat(int folder, const char *path, int flags)
{
    NEXT(unlinkat);
    if (is_ours(folder, path) && fails(REMOVES)) return -1;
    return next_unlinkat(folder, path, flags);
}

int futimens(int file, const struct timespec times[2])
{
    NEXT(futimens);
    if (is_ours(file, NULL) && fails(TIMES)) return -1;
    return next_futimens(file, times);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags)
{
    NEXT(utimensat);
    if (is_ours(folder, path) && fails(TIMES)) return -1;
    return next_utimensat(folder, path, times, flags);
}

/* ---- the counts ---- */

__attribute__((destructor)) static void tell(void)
{
    NEXT(openat);
    NEXT(write);
    NEXT(close);
    const char *path = getenv("FILES_COUNT");
    char line[512] = "";
    int file = path ? next_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    for (int i = 0; i < CALLS; i++) {
        size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s=%llu%c", names[i], atomic_load(&counts[i]),
                 i + 1 < CALLS ? ' ' : '\n');
    }
    if (next_write(file, line, strlen(line)) < 0) abort();
    next_close(file);
}
