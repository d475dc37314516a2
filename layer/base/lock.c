/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock.c - mutexes that a child of fork() finds free. A child has only the thread that forked; what another one held
 * at that moment would stay held there for ever. So a fork takes every lock that was ever used, and both processes give
 * them back. Nobody holds two of them, so the order in which a fork takes them does not matter.
 *
 * A host may have handlers of its own for forks, which finish or release what it has of OpenCL. Those that it asked for
 * before we did run while the fork has all locks, in the thread that forks: that one has what it asks for already.
 */
#include "layer/base/base.h"

#include <stdlib.h>

/* Tests that are compiled with the sanitizers look at each thread: one that holds two would meet a fork, now and then, that
 * has the second and waits for the first. */
#ifdef NONFLAT_LOCKS_CHECKED
static _Thread_local unsigned held;
#define COUNT(by) ((held += (by)) > 1 ? abort() : (void)0)
#else
#define COUNT(by) ((void)0)
#endif

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct nf_cl_lock *list;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool has_all; /* this thread forks */

static void hold_all(void)
{
    pthread_mutex_lock(&list_mutex);
    for (struct nf_cl_lock *lock = list; lock; lock = lock->next)
        pthread_mutex_lock(&lock->mutex);
    has_all = true;
}

static void give_all(void)
{
    has_all = false;
    for (struct nf_cl_lock *lock = list; lock; lock = lock->next)
        pthread_mutex_unlock(&lock->mutex);
    pthread_mutex_unlock(&list_mutex);
}

static void watch_forks(void)
{
    pthread_atfork(hold_all, give_all, give_all);
}

static void enlist(struct nf_cl_lock *lock)
{
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&list_mutex);
    if (!atomic_load_explicit(&lock->listed, memory_order_relaxed)) {
        lock->next = list;
        list = lock;
        atomic_store_explicit(&lock->listed, true, memory_order_release);
    }
    pthread_mutex_unlock(&list_mutex);
}

bool nf_cl_is_forking(void)
{
    return has_all;
}

void nf_cl_hold(struct nf_cl_lock *lock)
{
    if (has_all) return;
    if (!atomic_load_explicit(&lock->listed, memory_order_acquire)) enlist(lock);
    COUNT(1u);
    pthread_mutex_lock(&lock->mutex);
}

void nf_cl_give(struct nf_cl_lock *lock)
{
    if (has_all) return;
    COUNT(-1u);
    pthread_mutex_unlock(&lock->mutex);
}
