/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.c - writes complete buffers and lines regardless of signals.
 *
 * Hazard: a write may raise SIGPIPE, if a pipe has no reader, or SIGXFSZ, above the file size limit, which end an
 * application that does not handle them. Both signals are sent to the writing thread, which blocks them during a write,
 * and consumes the signals that the write has caused.
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

static const int raised[] = {SIGPIPE, SIGXFSZ};
enum { RAISED = sizeof raised / sizeof raised[0] };

struct quiet {
    sigset_t before, pending;
};

static void begin_quiet(struct quiet *quiet)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int i = 0; i < RAISED; i++)
        sigaddset(&blocked, raised[i]);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &blocked, &quiet->before);
}

/* Consumes the signals that the write has caused, but no signal that was pending before. Preserves errno. */
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
    enum { PATIENCE = 100 };      /* milliseconds to wait for the reader of a pipe */
    static atomic_bool impatient; /* the last line was lost, so this one does not wait */
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
