/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker.c - a thread for deferred work that no call of the application waits for: writing the cache, and reading the
 * driver's binaries for it. The thread runs jobs in order, and exists only while there are jobs. A job that it cannot
 * take (during fork(), if no thread can be started, or if the waiting jobs hold more than WEIGHT_MAX) runs in the call.
 * clDeinitLayer and the end of the process wait for the thread before the driver is unloaded (exit_order.c). The wait
 * is limited, as a driver may hang. The worker does not wait for itself: a job may release the last reference of an
 * object, whose callback in the application may end the process. A child of fork() has no worker, and starts its own
 * when it needs one. The jobs that waited at the fork are the parent's: the child does not run them, and leaks them.
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
static size_t weight; /* bytes of memory that the waiting jobs hold */
static bool running;  /* the thread runs jobs */
static bool joinable; /* the thread was created and not joined yet; it may have ended */
static pthread_t thread;
static _Thread_local bool is_worker; /* this thread is the worker */
static pid_t owner;                  /* the process in which the worker runs: a child of fork() has none */

static void *work(void *unused)
{
    (void)unused;
    is_worker = true;
    nf_cl_lock_acquire(&lock);
    while (first) {
        struct nf_cl_job *job = first;
        first = job->next;
        if (!first) last = &first;
        weight -= job->weight;
        nf_cl_lock_release(&lock);
        job->run(job);
        nf_cl_lock_acquire(&lock);
    }
    running = false;
    nf_cl_exit_count_threads(-1);
    pthread_cond_broadcast(&ended);
    nf_cl_lock_release(&lock);
    return NULL;
}

bool nf_cl_is_worker(void)
{
    return is_worker;
}

/* Starts the worker if it does not run. Returns true if it runs. needs: the lock. */
static bool start(void)
{
    if (running) return true;
    if (joinable) pthread_join(thread, NULL); /* the previous worker has released the lock for the last time */
    joinable = running = nf_cl_start_thread(&thread, NULL, work, NULL);
    if (running) nf_cl_exit_count_threads(1);
    return running;
}

/* Waits for the worker for a limited time, so that a driver that hangs does not keep the process from ending; the
 * library stays loaded anyway. Hazard: a child that the application has created by a raw system call, without fork(),
 * has no worker, and locks that the worker held stay locked, also the C library's lock for thread-local variables. So
 * the process ID is compared first. */
static void worker_wait(void)
{
    NF_CL_UNCANCELED;
    struct timespec end;
    if (getpid() != owner || is_worker) return;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += EXIT_SECONDS;
    nf_cl_lock_acquire(&lock);
    while (running)
        if (pthread_cond_clockwait(&ended, &lock.mutex, CLOCK_MONOTONIC, &end) != 0) break;
    bool join = joinable && !running;
    pthread_t old = thread;
    if (join) joinable = false;
    nf_cl_lock_release(&lock);
    if (join) pthread_join(old, NULL);
}

/* Resets the state in a child of fork(). */
static void forget_thread(void)
{
    if (running) nf_cl_exit_count_threads(-1);
    running = joinable = is_worker = false;
    first = NULL;
    last = &first;
    weight = 0;
    owner = getpid();
    pthread_cond_init(&ended, NULL);
}

static void prepare(void)
{
    owner = getpid();
    pthread_atfork(NULL, NULL, forget_thread);
    nf_cl_exit_register_wait(NF_CL_EXIT_WORKER, worker_wait);
}

void nf_cl_defer(struct nf_cl_job *job)
{
    NF_CL_UNCANCELED;
    pthread_once(&once, prepare);
    nf_cl_lock_acquire(&lock);
    job->next = NULL;
    bool taken = !nf_cl_is_forking() && weight + job->weight <= WEIGHT_MAX && start();
    if (taken) {
        *last = job;
        last = &job->next;
        weight += job->weight;
    }
    nf_cl_lock_release(&lock);
    if (!taken) job->run(job);
}
