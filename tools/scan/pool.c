/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.c - runs many independent tasks on the cores that this process may use, on at most 64 threads, and draws a
 * progress bar on a terminal.
 */
#define _GNU_SOURCE

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/scan/scan.h"

enum { MOST_JOBS = 64, BAR = 30 };

struct pool {
    size_t count;
    void (*work)(void *user, size_t index);
    void *user;
    atomic_size_t next, done;
};

static void *run_worker(void *pointer)
{
    struct pool *p = pointer;
    for (;;) {
        size_t index = atomic_fetch_add(&p->next, 1);
        if (index >= p->count) return NULL;
        p->work(p->user, index);
        atomic_fetch_add(&p->done, 1);
    }
}

static size_t core_count(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return (size_t)CPU_COUNT(&cores);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

static void draw_bar(const char *label, size_t done, size_t count)
{
    char bar[BAR + 1];
    size_t filled = count ? done * BAR / count : BAR;
    memset(bar, '.', BAR);
    memset(bar, '#', filled);
    bar[BAR] = '\0';
    fprintf(stderr, "\r%s [%s] %3zu%% %zu/%zu", label, bar, count ? done * 100 / count : 100, done, count);
    fflush(stderr);
}

/* Draws the progress bar until all tasks are done, then erases it, so that the terminal does not keep it among the
 * output. */
static void watch(struct pool *p, const char *label)
{
    static const struct timespec pause = {0, 100000000};
    while (atomic_load(&p->done) < p->count) {
        nanosleep(&pause, NULL);
        draw_bar(label, atomic_load(&p->done), p->count);
    }
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

void nf_run_on_all_cores(size_t count, size_t jobs, void (*work)(void *user, size_t index), void *user,
                         const char *label)
{
    struct pool p = {count, work, user, 0, 0};
    pthread_t threads[MOST_JOBS];
    size_t started = 0, wanted = jobs ? jobs : core_count();
    int draws = label && isatty(STDERR_FILENO);
    if (wanted > MOST_JOBS) wanted = MOST_JOBS;
    if (wanted > count) wanted = count;
    /* This thread runs tasks as well, unless it draws the progress bar. */
    size_t others = draws ? wanted : wanted ? wanted - 1 : 0;
    while (started < others && pthread_create(&threads[started], NULL, run_worker, &p) == 0)
        started++;
    if (draws && started)
        watch(&p, label);
    else
        run_worker(&p);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
