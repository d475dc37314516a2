/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker.c - a thread for what no call of the application has to wait for: writing the cache, and reading the driver's
 * binaries for it. Takes jobs; runs them in order. The thread is there only while there are jobs, and
 * is waited for by clDeinitLayer and before the process's destructors run (last.c), so that it never meets a driver that is
 * being taken apart. The wait has an end, as a driver may hang; and the thread does not wait for itself, when it calls
 * the application back, for whom a last reference has gone, and that one ends the process. A child of fork() has no such thread, and starts one of its own when it needs it.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <time.h>
#include <unistd.h>

enum { EXIT_SECONDS = 10 };
static const size_t WEIGHT_MAX = (size_t)128 << 20;

static struct nf_cl_lock lock = NF_CL_LOCK_INIT;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct nf_cl_job *first, **last = &first;
static size_t weight; /* of the jobs that wait */
static bool running;  /* the thread is at work */
static bool joinable; /* there is a thread, perhaps at its end, to be joined */
static pthread_t thread;
static _Thread_local bool is_worker; /* this thread is that one */
static pid_t owner;                  /* the process that has it */

static void *work(void *unused)
{
    (void)unused;
    is_worker = true;
    nf_cl_hold(&lock);
    while (first) {
        struct nf_cl_job *job = first;
        first = job->next;
        if (!first) last = &first;
        weight -= job->weight;
        nf_cl_give(&lock);
        job->run(job);
        nf_cl_hold(&lock);
    }
    running = false;
    nf_cl_last_count(-1);
    pthread_cond_broadcast(&ended);
    nf_cl_give(&lock);
    return NULL;
}

/* Needs the lock. @return whether a thread is at work. */
static bool start(void)
{
    if (running) return true;
    if (joinable) pthread_join(thread, NULL); /* it has given the lock back for good */
    joinable = running = nf_cl_start_thread(&thread, NULL, work, NULL);
    if (running) nf_cl_last_count(1);
    return running;
}

/* A driver that hangs must not keep the process from ending for ever. The library stays loaded all the same. A child that
 * the host has made without fork(), by a system call of its own, has no such thread, and what that one held at that moment
 * stays held: our lock, and the C library's for variables of threads. So it is asked first whether this is one. */
static void worker_wait(void)
{
    NF_CL_UNCANCELED;
    struct timespec end;
    if (getpid() != owner || is_worker) return;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += EXIT_SECONDS;
    nf_cl_hold(&lock);
    while (running)
        if (pthread_cond_clockwait(&ended, &lock.mutex, CLOCK_MONOTONIC, &end) != 0) break;
    bool join = joinable && !running;
    pthread_t old = thread;
    if (join) joinable = false;
    nf_cl_give(&lock);
    if (join) pthread_join(old, NULL);
}

/* In a child of fork(). */
static void forget_thread(void)
{
    if (running) nf_cl_last_count(-1);
    running = joinable = is_worker = false;
    owner = getpid();
    pthread_cond_init(&ended, NULL);
}

static void prepare(void)
{
    owner = getpid();
    pthread_atfork(NULL, NULL, forget_thread);
    nf_cl_last_wait_for(NF_CL_TURN_WORKER, worker_wait);
}

void nf_cl_later(struct nf_cl_job *job)
{
    NF_CL_UNCANCELED;
    pthread_once(&once, prepare);
    nf_cl_hold(&lock);
    job->next = NULL;
    bool taken = !nf_cl_is_forking() && weight + job->weight <= WEIGHT_MAX && start();
    if (taken) {
        *last = job;
        last = &job->next;
        weight += job->weight;
    }
    nf_cl_give(&lock);
    if (!taken) job->run(job);
}
