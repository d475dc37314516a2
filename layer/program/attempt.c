/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attempt.c - what was made of a module and a driver did not survive, on devices that take the module as it is. Takes the
 * key of a question before the driver gets what was made; says later whether a process has ended over it.
 *
 *     first process:   mark; driver: SIGSEGV
 *     second process:  the mark is there, and who left it is gone   ->   nonflat-try builds it: SIGSEGV
 *                                                                   ->   the application's own module, for a week
 *
 * A mark is an entry of the cache: without a cache there are none. It names its process, so that one that is still at it
 * counts for nothing. A process that somebody killed meanwhile has left a mark as well, which is why the build is tried
 * before anything is held against it. Whoever ends a second time, though it was tried, has had no luck or a driver that
 * knows the difference: no third process is to find out.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char kind[] = "attempt";

struct mark {
    uint64_t expires; /* in seconds of the real-time clock */
    int64_t process;
    uint64_t began; /* when the process did, in the kernel's ticks: numbers of processes are used again */
    int64_t step;   /* how far it was */
};

/* Field 22 of /proc/PID/stat; the second one may have blanks and brackets in it, and is the last that has. @return 0 when
 * there is no such process, or nobody says. */
static uint64_t began(int64_t process)
{
    enum { FIRST_BEHIND = 3, BEGAN = 22 };
    char name[48], text[1024];
    snprintf(name, sizeof name, "/proc/%lld/stat", (long long)process);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *at = strrchr(text, ')');
    for (int field = FIRST_BEHIND - 1; at && field < BEGAN; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

void nf_cl_attempt_begin(const struct nf_cl_bytes *key, enum nf_cl_step step)
{
    const struct mark mark = {nf_cl_store_expiry(), getpid(), began(getpid()), step};
    const struct nf_cl_bytes value = {(void *)(uintptr_t)&mark, sizeof mark};
    nf_cl_store_put(kind, key, &value);
}

void nf_cl_attempt_end(const struct nf_cl_bytes *key)
{
    nf_cl_store_drop(kind, key);
}

const char nf_cl_attempt_ended[] = "the last process that gave the driver what was made of it has ended over that";

enum nf_cl_step nf_cl_attempt_last(const struct nf_cl_bytes *key)
{
    struct nf_cl_bytes value = {NULL, 0};
    struct mark mark = {0};
    if (!nf_cl_store_get(kind, key, &value)) return NF_CL_NO_STEP;
    bool whole = value.size == sizeof mark;
    if (whole) memcpy(&mark, value.data, sizeof mark);
    free(value.data);
    /* Where nobody says when processes began, there is no telling. */
    if (whole && began(mark.process) == mark.began) return NF_CL_NO_STEP;
    if (whole && !nf_cl_store_is_over(mark.expires)) return (enum nf_cl_step)mark.step;
    nf_cl_attempt_end(key);
    return NF_CL_NO_STEP;
}
