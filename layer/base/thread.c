/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.c - starts a thread of ours in somebody else's process. It takes none of the signals that are sent to the process:
 * those are for the host's threads. What an instruction of its own raises still comes to it, and so to the host's handler:
 * a fault of the driver's in a host that reports its crashes, or a call that a sandbox traps and carries out itself.
 * Blocked, such a signal would end the process at once.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <signal.h>

bool nf_cl_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    bool good = pthread_create(thread, attributes, work, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}
