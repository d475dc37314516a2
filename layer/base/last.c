/* SPDX-License-Identifier: Apache-2.0 */
/*
 * last.c - threads of ours that are in the driver when the process ends: they are waited for before the driver is taken apart.
 * Takes how many there are, from worker.c and bounded.c, and that a call of the driver's is over.
 *
 * What is to run at the end of a process runs in the reverse order of its being asked for, and drivers ask whenever they come
 * by a part of theirs for the first time. So while such threads are at work we ask again after calls that may have been such:
 *
 *     driver, ours, driver, ours    ->    driver, (free), driver, ours
 *
 * A program may make millions of calls meanwhile, and the C library keeps all that was asked for. So what we asked for before
 * is taken back first, as of a library that goes: it has a handle of its own for that. Its place, when nobody has asked since,
 * is the next one's.
 */
#include "layer/base/base.h"

/* Of the C library, by the C++ ABI. The latter runs what was asked for with that handle, and forgets it. */
extern int __cxa_atexit(void (*function)(void *argument), void *argument, void *handle);
extern void __cxa_finalize(void *handle);

static atomic_uint at_work; /* threads */
static _Atomic(nf_cl_wait_fn) waits[NF_CL_TURNS];
static char handle;
static _Thread_local bool taking_back; /* it is not the end */

void nf_cl_last_wait(void)
{
    for (int turn = 0; turn < NF_CL_TURNS; turn++) {
        nf_cl_wait_fn wait = atomic_load(&waits[turn]);
        if (wait) wait();
    }
}

static void at_end(void *unused)
{
    (void)unused;
    if (!taking_back) nf_cl_last_wait();
}

static void ask_again(void)
{
    taking_back = true;
    __cxa_finalize(&handle);
    taking_back = false;
    __cxa_atexit(at_end, NULL, &handle);
}

void nf_cl_last_wait_for(enum nf_cl_turn turn, nf_cl_wait_fn wait)
{
    atomic_store(&waits[turn], wait);
    ask_again();
}

void nf_cl_last_count(int by)
{
    atomic_fetch_add(&at_work, (unsigned)by);
}

void nf_cl_stay_last(void)
{
    if (atomic_load_explicit(&at_work, memory_order_relaxed)) ask_again();
}
