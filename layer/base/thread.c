/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.c - starts a thread of the layer in the application's process. The thread blocks the signals that are sent to
 * the process, so that only the application's threads handle them. The thread does not block the signals that its own
 * instructions raise, because a blocked signal of this kind would kill the process at once. Such signals go to the
 * application's handler: a fault in the driver, for which the application may have a crash reporter, or a system call
 * that a sandbox traps and emulates.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <signal.h>

bool nf_cl_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t others, before;
    nf_cl_keep_loader();
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    bool good = pthread_create(thread, attributes, work, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}
