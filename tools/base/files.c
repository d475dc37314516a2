/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c - reads and writes whole files. Errors are messages of one line with the path and the reason.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"

/* A larger input is a mistake (a disk image, /dev/zero). */
#define LARGEST_INPUT ((size_t)1 << 29)

/* Reads `descriptor` to its end. Returns malloc'ed bytes, or NULL with errno set. */
static unsigned char *read_to_end(int descriptor, size_t *size)
{
    struct stat is;
    size_t capacity = (size_t)1 << 16;
    *size = 0;
    if (fstat(descriptor, &is) == 0 && is.st_size > (off_t)LARGEST_INPUT) {
        errno = EFBIG;
        return NULL;
    }
    unsigned char *bytes = malloc(capacity);
    while (bytes) {
        ssize_t got = read(descriptor, bytes + *size, capacity - *size);
        if (got == 0) return bytes;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        *size += (size_t)got;
        if (*size < capacity) continue;
        errno = EFBIG;
        if (capacity > LARGEST_INPUT) break; /* one byte more than the largest input, so that its end can be read */
        capacity = capacity < LARGEST_INPUT ? capacity * 2 : capacity + 1;
        unsigned char *larger = realloc(bytes, capacity);
        if (!larger) break;
        bytes = larger;
    }
    int reason = errno;
    free(bytes);
    errno = reason;
    return NULL;
}

unsigned char *nf_read_whole(const char *path, size_t *size)
{
    bool is_standard = strcmp(path, "-") == 0;
    const char *shown = is_standard ? "standard input" : path;
    int descriptor = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        nf_print_error("cannot open %s: %s", shown, strerror(errno));
        return NULL;
    }
    unsigned char *bytes = read_to_end(descriptor, size);
    if (!bytes) nf_print_error("cannot read %s: %s", shown, strerror(errno));
    if (!is_standard) close(descriptor);
    return bytes;
}

/* Returns 0, or -1 with errno set. */
static int write_all(int descriptor, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    while (size > 0) {
        ssize_t put = write(descriptor, next, size);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return -1;
        next += put;
        size -= (size_t)put;
    }
    return 0;
}

/* Writes to an existing device or pipe. Returns 0, or -1 with errno set. */
static int write_in_place(const char *path, const void *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int status = write_all(descriptor, bytes, size);
    int reason = errno;
    if (close(descriptor) < 0 && status == 0) return -1;
    errno = reason;
    return status;
}

/* Writes a file under a temporary name in the same folder, then renames it. Returns 0, or -1 with errno set. */
static int write_and_rename(const char *path, const void *bytes, size_t size)
{
    size_t length = strlen(path) + 32;
    char *temporary = malloc(length);
    if (!temporary) return -1;
    snprintf(temporary, length, "%s.%ld.tmp", path, (long)getpid());
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int status = descriptor < 0 ? -1 : write_all(descriptor, bytes, size);
    int reason = errno;
    if (descriptor >= 0) {
        if (close(descriptor) < 0 && status == 0) {
            status = -1;
            reason = errno;
        }
        if (status == 0 && rename(temporary, path) < 0) {
            status = -1;
            reason = errno;
        }
        if (status < 0) unlink(temporary);
    }
    free(temporary);
    errno = reason;
    return status;
}

/* Writes `path` as the kind of the file requires: a device or pipe in place, a regular or missing file by renaming. A
 * symbolic link to a regular file stays: the target is replaced. Returns 0, or -1 with errno set. */
static int write_path(const char *path, const void *bytes, size_t size)
{
    struct stat is;
    if (stat(path, &is) < 0) return write_and_rename(path, bytes, size);
    if (S_ISDIR(is.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (!S_ISREG(is.st_mode)) return write_in_place(path, bytes, size);
    if (access(path, W_OK) < 0) return -1;
    char *real = realpath(path, NULL);
    if (!real) return -1;
    int status = write_and_rename(real, bytes, size);
    int reason = errno;
    free(real);
    errno = reason;
    return status;
}

int nf_write_whole(const char *path, const void *bytes, size_t size)
{
    bool is_standard = strcmp(path, "-") == 0;
    int status = is_standard ? write_all(STDOUT_FILENO, bytes, size) : write_path(path, bytes, size);
    if (status < 0) nf_print_error("cannot write %s: %s", is_standard ? "standard output" : path, strerror(errno));
    return status;
}
