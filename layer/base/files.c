/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c - reading and writing to the end, whatever signals come, and whose files are believed.
 *
 * The process is somebody else's, so that writing must not raise a signal in it: SIGPIPE, when nobody reads a pipe any
 * more, and SIGXFSZ, above the limit of file sizes, end a process that is not prepared. Both are sent to the thread that
 * writes: it blocks them meanwhile, and takes back those that it has caused.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool nf_cl_read_fully(int file, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = 0;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* ---- writing without a signal ---- */

static const int raised[] = {SIGPIPE, SIGXFSZ};
enum { RAISED = sizeof raised / sizeof raised[0] };

struct quiet {
    sigset_t before, pending;
};

static void begin_quiet(struct quiet *quiet)
{
    sigset_t ours;
    sigemptyset(&ours);
    for (int i = 0; i < RAISED; i++)
        sigaddset(&ours, raised[i]);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &ours, &quiet->before);
}

/* What was pending before is not ours. Keeps errno. */
static void end_quiet(const struct quiet *quiet)
{
    const int error = errno;
    for (int i = 0; i < RAISED; i++) {
        struct timespec now = {0, 0};
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, raised[i]);
        bool caused = error == (raised[i] == SIGPIPE ? EPIPE : EFBIG);
        if (caused && !sigismember(&quiet->pending, raised[i])) sigtimedwait(&one, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
    errno = error;
}

bool nf_cl_write_fully(int file, const void *data, size_t size)
{
    const char *at = data;
    struct quiet quiet;
    begin_quiet(&quiet);
    errno = 0;
    while (size > 0) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) break;
        at += done;
        size -= (size_t)done;
    }
    end_quiet(&quiet);
    return size == 0;
}

bool nf_cl_write_line(int file, const char *line)
{
    enum { PATIENCE = 100 };      /* milliseconds for whoever reads a pipe, */
    static atomic_bool impatient; /* unless that one has not read the last line either */
    struct pollfd ready = {file, POLLOUT, 0};
    struct quiet quiet;
    size_t length = strlen(line);
    bool lost = poll(&ready, 1, atomic_load(&impatient) ? 0 : PATIENCE) == 0;
    atomic_store(&impatient, lost);
    if (lost) return false;
    begin_quiet(&quiet);
    errno = 0;
    bool good = write(file, line, length) == (ssize_t)length;
    end_quiet(&quiet);
    return good;
}

int nf_cl_open_to_append(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* ---- whom to believe ---- */

bool nf_cl_trusted(const struct stat *info, bool others)
{
    return (info->st_uid == geteuid() || (others && info->st_uid == 0)) && (info->st_mode & 022) == 0;
}
