/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounded.c - runs work that may never end, such as a build in the driver, with a time limit. The work has a thread of
 * its own with a stack that is large enough for a compiler's recursion, and the caller waits for a limited time. Work
 * that exceeds the limit continues, and its result is discarded. The end of the process waits some seconds for such
 * threads (exit_order.c), so that they do not use a driver that is being unloaded.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_SECONDS = 10 };
static const size_t STACK = (size_t)64 << 20;

/* One job in progress. The thread and the waiting caller hold a reference each. */
struct bounded {
    struct nf_cl_job *job;
    bool ended, left; /* under the lock: the job has ended; the caller has stopped waiting */
    atomic_int holders;
};

static struct nf_cl_lock lock = NF_CL_LOCK_INIT;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned at_work;          /* number of running threads */
static unsigned left;             /* running threads whose callers have stopped waiting */
static _Thread_local bool is_one; /* this thread runs a job */
static pid_t owner;               /* the process in which the threads run: a child of fork() has no such threads */

static void drop(struct bounded *bounded)
{
    if (atomic_fetch_sub(&bounded->holders, 1) == 1) free(bounded);
}

/* Adds to the number of jobs whose callers have stopped waiting. needs: the lock. */
static void count_left(int by)
{
    left += (unsigned)by;
    nf_cl_exit_count_threads(by);
}

static void *work(void *argument)
{
    struct bounded *bounded = argument;
    is_one = true;
    bounded->job->run(bounded->job);
    nf_cl_lock_acquire(&lock);
    bounded->ended = true;
    at_work--;
    if (bounded->left) count_left(-1);
    pthread_cond_broadcast(&ended);
    nf_cl_lock_release(&lock);
    drop(bounded);
    return NULL;
}

static bool start(struct bounded *bounded)
{
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    nf_cl_lock_acquire(&lock);
    at_work++;
    nf_cl_lock_release(&lock);
    bool good = nf_cl_start_thread(&thread, &attributes, work, bounded);
    if (!good) {
        nf_cl_lock_acquire(&lock);
        at_work--;
        nf_cl_lock_release(&lock);
    }
    pthread_attr_destroy(&attributes);
    return good;
}

static struct timespec in(unsigned seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds;
    return end;
}

static void bounded_wait(void)
{
    NF_CL_UNCANCELED;
    const struct timespec end = in(EXIT_SECONDS);
    if (getpid() != owner || is_one) return;
    nf_cl_lock_acquire(&lock);
    while (at_work > 0)
        if (pthread_cond_clockwait(&ended, &lock.mutex, CLOCK_MONOTONIC, &end) != 0) break;
    nf_cl_lock_release(&lock);
}

/* Resets the state in a child of fork(), in which the threads do not exist. */
static void forget(void)
{
    at_work = 0;
    count_left(-(int)left);
    is_one = false;
    owner = getpid();
    pthread_cond_init(&ended, NULL);
}

static void prepare(void)
{
    owner = getpid();
    pthread_atfork(NULL, NULL, forget);
    nf_cl_exit_register_wait(NF_CL_EXIT_TIMED_JOBS, bounded_wait);
}

bool nf_cl_run_with_timeout(struct nf_cl_job *job, unsigned seconds)
{
    NF_CL_UNCANCELED;
    struct bounded *bounded = calloc(1, sizeof *bounded);
    pthread_once(&once, prepare);
    if (bounded) {
        bounded->job = job;
        atomic_init(&bounded->holders, 2);
    }
    if (!bounded || nf_cl_is_forking() || !start(bounded)) {
        free(bounded);
        job->run(job);
        return true;
    }
    const struct timespec end = in(seconds);
    nf_cl_lock_acquire(&lock);
    while (seconds && !bounded->ended)
        if (pthread_cond_clockwait(&ended, &lock.mutex, CLOCK_MONOTONIC, &end) != 0) break;
    bool done = bounded->ended;
    bounded->left = !done;
    if (!done) count_left(1);
    nf_cl_lock_release(&lock);
    drop(bounded);
    return done;
}
