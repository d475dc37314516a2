/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_order.c - waits at the end of the process for threads of the layer that are inside the driver, before the
 * driver's exit handlers run. Takes the number of such threads, from worker.c and bounded.c, and a notice after certain
 * driver calls.
 *
 * Exit handlers run in the reverse order of their registration, and a driver registers a handler when it uses a
 * component for the first time. So while such threads run, the layer registers its handler again after each call in
 * which the driver may have registered one:
 *
 *     driver, layer, driver, layer    ->    driver, (removed), driver, layer
 *
 * A program may make millions of such calls, and the C library stores every registration. So the previous registration
 * is removed first. The removal is possible because the handler is registered with a handle of its own, as the C
 * library does for each shared library, whose handlers it removes when the library is unloaded. The C library reuses
 * the slot if nothing was registered since.
 */
#include "layer/base/base.h"

/* Functions of the C library, defined by the C++ ABI. __cxa_finalize() runs and removes the handlers that were
 * registered with `handle`. */
extern int __cxa_atexit(void (*function)(void *argument), void *argument, void *handle);
extern void __cxa_finalize(void *handle);

static atomic_uint at_work; /* number of threads that may be inside the driver */
static _Atomic(nf_cl_wait_fn) waits[NF_CL_EXIT_STAGES];
static char handle;
static _Thread_local bool taking_back; /* __cxa_finalize() runs the handler only to remove it, so it must do nothing */

void nf_cl_exit_wait(void)
{
    for (int turn = 0; turn < NF_CL_EXIT_STAGES; turn++) {
        nf_cl_wait_fn wait = atomic_load(&waits[turn]);
        if (wait) wait();
    }
}

static void at_end(void *unused)
{
    (void)unused;
    if (!taking_back) nf_cl_exit_wait();
}

static void register_again(void)
{
    taking_back = true;
    __cxa_finalize(&handle);
    taking_back = false;
    __cxa_atexit(at_end, NULL, &handle);
}

void nf_cl_exit_register_wait(enum nf_cl_exit_stage turn, nf_cl_wait_fn wait)
{
    atomic_store(&waits[turn], wait);
    register_again();
}

void nf_cl_exit_count_threads(int by)
{
    atomic_fetch_add(&at_work, (unsigned)by);
}

void nf_cl_exit_renew(void)
{
    if (atomic_load_explicit(&at_work, memory_order_relaxed)) register_again();
}
