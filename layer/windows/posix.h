/* SPDX-License-Identifier: Apache-2.0 */
/*
 * posix.h - the layer on Windows: the parts of POSIX that the layer uses and that MinGW's C library lacks or has in
 * another form. The compiler includes this file before each file of the layer (-include), so that the layer's files are
 * the same for every system.
 *
 * Takes calls of POSIX. Gives calls of Windows. May use: base. These files of the layer are replaced as a whole:
 *
 *     layer/base/{environment,exit_order,host,keep_loader,object,print_error,process,processor,stack_gap}.c  by base.c
 *     layer/base/{thread,worker,write}.c  by base.c
 *     layer/translate/{run,spawn,testers,translator,trial}.c  by helpers.c
 *
 * Files have the descriptors of the C library, over handles of Windows that let other processes rename and delete the
 * file, as POSIX does. A folder has a descriptor as well, for openat() and similar functions; an open folder cannot be
 * renamed.
 *
 * The hard case is the owner of a file. Windows has access control lists and no modes. So geteuid() is 0; st_uid is 0
 * if the file belongs to the user, to administrators or to the system, and 1 otherwise; and st_mode has 022 if any
 * other user may write the file, or if that cannot be determined.
 */
#ifndef NONFLAT_LAYER_POSIX_H
#define NONFLAT_LAYER_POSIX_H

#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- files.c: files and folders ---------------------------------------------------------------------------------- */

/* Flags that the C library's open() lacks. The flags of value 0 have no effect, as no regular file blocks, becomes a
 * terminal, or is inherited by child processes. */
enum { O_CLOEXEC = 0, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 1 << 28, O_DIRECTORY = 1 << 29 };
enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 1 };
enum { S_IFLNK = 0xA000 };
/* The error for a file that a network file system has lost, which Windows reports in other ways. */
enum { ESTALE = 10070 };
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)

struct nf_posix_stat {
    uint64_t st_dev, st_ino;
    unsigned st_mode, st_uid, st_gid;
    int64_t st_size;
    struct timespec st_mtim;
};
int nf_posix_open(const char *path, int flags, ...);
int nf_posix_openat(int folder, const char *name, int flags, ...);
int nf_posix_fstat(int file, struct nf_posix_stat *info);
int nf_posix_stat(const char *path, struct nf_posix_stat *info);
int nf_posix_lstat(const char *path, struct nf_posix_stat *info);
int nf_posix_fstatat(int folder, const char *name, struct nf_posix_stat *info, int flags);
int nf_posix_mkdir(const char *path, int mode);
int nf_posix_fchmodat(int folder, const char *name, int mode, int flags);
int nf_posix_unlinkat(int folder, const char *name, int flags);
int nf_posix_renameat(int from_folder, const char *from, int to_folder, const char *to);
/* Set the time of modification to the present; `now` is ignored. */
int nf_posix_futimens(int file, const struct timespec *now);
int nf_posix_utimensat(int folder, const char *name, const struct timespec *now, int flags);
DIR *nf_posix_fdopendir(int folder);

#define stat nf_posix_stat
#define fstat nf_posix_fstat
#define lstat nf_posix_lstat
#define fstatat nf_posix_fstatat
#define open nf_posix_open
#define openat nf_posix_openat
#define mkdir nf_posix_mkdir
#define fchmodat nf_posix_fchmodat
#define unlinkat nf_posix_unlinkat
#define renameat nf_posix_renameat
#define futimens nf_posix_futimens
#define utimensat nf_posix_utimensat
#define fdopendir nf_posix_fdopendir

/* ---- rights.c: owners and access rights of files ----------------------------------------------------------------- */

/* Returns true if the file of a handle belongs to the user, to administrators or to the system. Sets `*shared` if any
 * other user may write it, or if that cannot be determined. */
bool nf_posix_is_own(void *handle, bool *shared);
static inline unsigned geteuid(void)
{
    return 0;
}

/* ---- missing.c: strings, threads and processes ------------------------------------------------------------------- */

char *nf_posix_strndup(const char *text, size_t size);
char *nf_posix_stpcpy(char *into, const char *text);
int nf_posix_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                            const struct timespec *end);
enum { CLOCK_MONOTONIC_COARSE = CLOCK_MONOTONIC };
#define strndup nf_posix_strndup
#define stpcpy nf_posix_stpcpy
#define pthread_cond_clockwait nf_posix_cond_clockwait
/* There is no fork(), so its handlers never run. MinGW's own macro expands to nothing, and causes a warning. */
static inline int nf_posix_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before;
    (void)in_parent;
    (void)in_child;
    return 0;
}
#undef pthread_atfork
#define pthread_atfork nf_posix_atfork

#endif
