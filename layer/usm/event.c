/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event.c - the events that the application gets, with the type of the requested command: a copy reports
 * CL_COMMAND_MEMCPY_INTEL, although the driver executes an SVM copy. (The SYCL run-time aborts if an event has a type
 * other than those of its own list.) Also tracks whether a thread is inside an event callback, and which user events
 * have no status yet.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

struct event {
    struct nf_usm_record record;
    cl_command_type type;
    cl_event command; /* the event with the times to report, referenced; NULL: the event itself */
    _Atomic(struct nf_usm_context *) waiting; /* a user event without a status: its context, referenced; else NULL */
};

static struct event *find(cl_event handle)
{
    return (struct event *)nf_usm_find(NF_USM_EVENT, handle);
}

static void settle(struct event *event);

static void destroy(struct event *event)
{
    if (!event) return;
    settle(event);
    if (event->command) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, event->command);
    free(event);
}

/* Registers an event. Returns its record, or NULL if host memory is exhausted. Takes over `command`. */
static struct event *enter(cl_event handle, cl_command_type type, cl_event command)
{
    struct event *event = calloc(1, sizeof *event);
    if (!event) {
        if (command) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, command);
        return NULL;
    }
    event->record.handle = handle;
    event->type = type;
    event->command = command;
    destroy((struct event *)nf_usm_register(NF_USM_EVENT, &event->record));
    return event;
}

void nf_usm_event_register(cl_event event, cl_command_type type, cl_event command)
{
    enter(event, type, command);
}

cl_int CL_API_CALL nf_usm_get_event_info(cl_event handle, cl_event_info name, size_t size, void *value,
                                         size_t *size_ret)
{
    const uint64_t here = NF_USM_PROBE_ANSWER;
    if (!handle && name == NF_USM_PROBE_PARAM) return nf_cl_answer(&here, sizeof here, size, value, size_ret);
    struct event *event = name == CL_EVENT_COMMAND_TYPE ? find(handle) : NULL;
    if (event) return nf_cl_answer(&event->type, sizeof event->type, size, value, size_ret);
    return NF_CL_CALL(clGetEventInfo, CL_INVALID_EVENT, handle, name, size, value, size_ret);
}

cl_int CL_API_CALL nf_usm_get_event_profiling_info(cl_event handle, cl_profiling_info name, size_t size, void *value,
                                                   size_t *size_ret)
{
    struct event *event = find(handle);
    if (event && event->command) handle = event->command;
    return NF_CL_CALL(clGetEventProfilingInfo, CL_INVALID_EVENT, handle, name, size, value, size_ret);
}

cl_int CL_API_CALL nf_usm_retain_event(cl_event event)
{
    nf_usm_retain(NF_USM_EVENT, event);
    return NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, event);
}

cl_int CL_API_CALL nf_usm_release_event(cl_event event)
{
    destroy((struct event *)nf_usm_release(NF_USM_EVENT, event));
    return NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, event);
}

/* ---- callbacks ---- */

static _Thread_local unsigned callbacks;

bool nf_usm_in_callback(void)
{
    return callbacks > 0;
}

void nf_usm_callbacks_add(int by)
{
    callbacks += (unsigned)by;
}

struct callback {
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *user;
    bool held; /* the callback holds a reference to the event */
};

/* Adds a reference to the event, if it is registered, until its callback has run, and returns true: the application may
 * release the event earlier, and query its type and its times in the callback. If the callback never runs, the
 * reference stays, so that no other event can get the same handle. */
static bool hold(cl_event event)
{
    return find(event) && nf_usm_retain_event(event) == CL_SUCCESS;
}

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user)
{
    struct callback callback = *(struct callback *)user;
    free(user);
    callbacks++;
    callback.notify(event, status, callback.user);
    callbacks--;
    if (callback.held) nf_usm_release_event(event);
}

cl_int CL_API_CALL nf_usm_set_event_callback(cl_event event, cl_int type,
                                             void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user)
{
    struct callback *callback = notify ? malloc(sizeof *callback) : NULL;
    if (!callback) return NF_CL_CALL(clSetEventCallback, CL_INVALID_EVENT, event, type, notify, user);
    const bool held = hold(event);
    if (held) nf_cl_keep_loader();
    *callback = (struct callback){notify, user, held};
    cl_int error = NF_CL_CALL(clSetEventCallback, CL_INVALID_EVENT, event, type, call_back, callback);
    if (error == CL_SUCCESS) return error;
    if (held) nf_usm_release_event(event);
    free(callback);
    return error;
}

/* ---- user events ---- */

/* Marks a user event as set, or as released without a status. */
static void settle(struct event *event)
{
    struct nf_usm_context *context = event ? atomic_exchange(&event->waiting, NULL) : NULL;
    if (!context) return;
    atomic_fetch_sub(&context->waiting, 1);
    nf_usm_context_put(context);
}

cl_event CL_API_CALL nf_usm_create_user_event(cl_context handle, cl_int *error)
{
    if (!nf_cl_next()->clCreateUserEvent) {
        if (error) *error = CL_INVALID_OPERATION;
        return NULL;
    }
    cl_event event = nf_cl_next()->clCreateUserEvent(handle, error);
    struct nf_usm_context *context = event ? nf_usm_context_find(handle) : NULL;
    struct event *known = context ? enter(event, CL_COMMAND_USER, NULL) : NULL;
    if (!context) return event;
    if (!known) { /* an unregistered event could make a blocking free wait forever, so the creation fails */
        NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, event);
        if (error) *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    atomic_fetch_add(&context->users, 1);
    atomic_fetch_add(&context->waiting, 1);
    atomic_store(&known->waiting, context);
    return event;
}

/* Sets the status, and after a failure searches the waits: PoCL 3.1 makes no callback for an event that fails, and none
 * for events that fail with it. */
cl_int CL_API_CALL nf_usm_set_user_event_status(cl_event event, cl_int status)
{
    struct event *known = find(event);
    struct nf_usm_context *context = known && status < 0 ? atomic_load(&known->waiting) : NULL;
    if (context) atomic_fetch_add(&context->users, 1);
    settle(known);
    cl_int error = NF_CL_CALL(clSetUserEventStatus, CL_INVALID_EVENT, event, status);
    if (!context) return error;
    nf_usm_waits_poll(context);
    nf_usm_context_put(context);
    return error;
}
