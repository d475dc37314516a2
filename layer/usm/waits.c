/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits.c - calls a function once when an event ends. Normally the driver's callback reports the end. Hazard: PoCL 3.1
 * makes no callback for an event that fails, so a wait for such an event would never end, and its memory would never be
 * freed. Therefore every wait is also in a list of its context, which is searched when an event may have failed.
 *
 * Callback and search race; the first of them removes the wait from the table of handles, where it is registered under
 * a number that is never reused. A callback that comes later finds nothing there.
 */
#include "layer/usm/usm.h"

enum { AT_ONCE = 64 };

static atomic_uintptr_t numbers;

cl_int nf_usm_status_of(cl_event event)
{
    cl_int status = CL_COMPLETE;
    NF_CL_CALL(clGetEventInfo, CL_INVALID_EVENT, event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
               NULL);
    return status;
}

/* Removes a wait from the list of its context. needs: the context's lock. */
static void unlink_wait(struct nf_usm_wait *wait)
{
    *wait->place = wait->after;
    if (wait->after) wait->after->place = wait->place;
}

/* The driver's callback: ends the wait. Queries the status again: PoCL 3.1 passes CL_COMPLETE for an event that had
 * failed. */
static void CL_CALLBACK called_back(cl_event event, cl_int status, void *user)
{
    struct nf_usm_wait *wait = (struct nf_usm_wait *)nf_usm_release(NF_USM_WAIT, user);
    (void)event, (void)status;
    if (!wait) return;
    nf_cl_lock_acquire(nf_usm_lock_of(wait->context));
    unlink_wait(wait);
    nf_cl_lock_release(nf_usm_lock_of(wait->context));
    wait->then(wait->user, nf_usm_status_of(wait->event));
}

void nf_usm_wait_for(struct nf_usm_wait *wait)
{
    nf_cl_keep_loader();
    void *number = (void *)(atomic_fetch_add(&numbers, 1) + 1);
    struct nf_cl_lock *lock = nf_usm_lock_of(wait->context);
    cl_event event = wait->event;
    NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, event);
    wait->record.handle = number;
    wait->is_claimed = false;
    nf_usm_register(NF_USM_WAIT, &wait->record); /* must precede the list, in which another thread can find the wait */
    nf_cl_lock_acquire(lock);
    wait->after = wait->context->waits;
    wait->place = &wait->context->waits;
    if (wait->after) wait->after->place = &wait->after;
    wait->context->waits = wait;
    nf_cl_lock_release(lock);
    /* If the driver refuses the callback, only the list remains. */
    NF_CL_CALL(clSetEventCallback, CL_INVALID_EVENT, event, CL_COMPLETE, called_back, number);
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, event);
}

/* Claims at most AT_ONCE waits whose events have ended: sets `found` to their numbers, and returns their count. The
 * result has numbers instead of pointers, because a wait may be freed once the lock is released. */
static size_t find_ended(struct nf_usm_context *context, const void *found[AT_ONCE])
{
    size_t count = 0;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    for (struct nf_usm_wait *wait = context->waits; wait && count < AT_ONCE; wait = wait->after) {
        if (wait->is_claimed || nf_usm_status_of(wait->event) > CL_COMPLETE) continue;
        wait->is_claimed = true;
        found[count++] = wait->record.handle;
    }
    nf_cl_lock_release(lock);
    return count;
}

/* Removes waits whose events have ended, and which no driver callback has taken, from table and list, and returns them
 * as a list; NULL if there are none. Takes one lock at a time, because fork() acquires all locks in an order of its
 * own. */
static struct nf_usm_wait *take_ended(struct nf_usm_context *context)
{
    const void *found[AT_ONCE];
    struct nf_usm_wait *taken = NULL, *wait;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    for (size_t count = 1; !taken && count > 0;) {
        count = find_ended(context, found);
        for (size_t i = 0; i < count; i++) {
            if (!(wait = (struct nf_usm_wait *)nf_usm_release(NF_USM_WAIT, found[i]))) continue;
            nf_cl_lock_acquire(lock);
            unlink_wait(wait);
            nf_cl_lock_release(lock);
            wait->after = taken;
            taken = wait;
        }
    }
    return taken;
}

/* Calls the functions of the waits whose events have ended. Returns true if there were any. */
static bool call_ended(struct nf_usm_context *context)
{
    struct nf_usm_wait *wait = take_ended(context), *next;
    bool any = wait != NULL;
    for (; wait; wait = next) {
        next = wait->after;
        wait->then(wait->user, nf_usm_status_of(wait->event));
    }
    return any;
}

/* If a search is in progress, only requests another search: a function that is called here may make the next event
 * fail, and so on, which would be unbounded recursion. */
void nf_usm_waits_poll(struct nf_usm_context *context)
{
    unsigned requested;
    if (atomic_fetch_add(&context->looks, 1) > 0) return;
    do {
        requested = atomic_load(&context->looks);
        while (call_ended(context)) {
        }
    } while (!atomic_compare_exchange_strong(&context->looks, &requested, 0));
}
