/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock.c - mutexes that are free in a child of fork(). A child has only the thread that called fork(); a mutex that
 * another thread held at that moment would stay locked for ever. So fork() acquires every lock that was ever used, and
 * both processes release them. No thread holds two locks, so the order in which fork() acquires them does not matter.
 *
 * An application may have fork handlers that call OpenCL. If the application registered its handlers before the layer
 * did, they run in the forking thread while this thread holds all locks; nf_cl_lock_acquire() and nf_cl_lock_release()
 * then do nothing.
 */
#include "layer/base/base.h"

#include <stdlib.h>

/* Builds of the tests with sanitizers check that no thread holds two locks, because it could deadlock with a fork that
 * has acquired the second lock and waits for the first. */
#ifdef NONFLAT_LOCKS_CHECKED
static _Thread_local unsigned held;
#define COUNT(by) ((held += (by)) > 1 ? abort() : (void)0)
#else
#define COUNT(by) ((void)0)
#endif

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct nf_cl_lock *list;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool has_all; /* this thread is inside fork() */

static void lock_all(void)
{
    pthread_mutex_lock(&list_mutex);
    for (struct nf_cl_lock *lock = list; lock; lock = lock->next)
        pthread_mutex_lock(&lock->mutex);
    has_all = true;
}

static void unlock_all(void)
{
    has_all = false;
    for (struct nf_cl_lock *lock = list; lock; lock = lock->next)
        pthread_mutex_unlock(&lock->mutex);
    pthread_mutex_unlock(&list_mutex);
}

static void watch_forks(void)
{
    pthread_atfork(lock_all, unlock_all, unlock_all);
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

void nf_cl_lock_acquire(struct nf_cl_lock *lock)
{
    if (has_all) return;
    if (!atomic_load_explicit(&lock->listed, memory_order_acquire)) enlist(lock);
    COUNT(1u);
    pthread_mutex_lock(&lock->mutex);
}

void nf_cl_lock_release(struct nf_cl_lock *lock)
{
    if (has_all) return;
    COUNT(-1u);
    pthread_mutex_unlock(&lock->mutex);
}
