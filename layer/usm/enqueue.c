/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enqueue.c - the common path of all commands that access memory of this library. On fine-grained memory the command
 * goes to the driver unchanged, and its event is recorded for the calls that free memory. On coarse-grained memory the
 * command has a turn (ownership.c), and the application gets the last event of the turn.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

static cl_command_queue handle_of(const struct nf_usm_queue *queue)
{
    return (cl_command_queue)(uintptr_t)queue->record.handle;
}

/* Returns the next tick of the queue's clock; 0 for an out-of-order queue. */
static uint64_t now(struct nf_usm_queue *queue)
{
    return queue->number ? atomic_fetch_add(&queue->clock, 1) : 0;
}

static cl_int call_driver(const struct nf_usm_queue *queue, const struct nf_usm_command *command, cl_uint wait_count,
                          const cl_event *wait, cl_event *event)
{
    return command->call_driver(handle_of(queue), command->what, wait_count, wait, event);
}

/* Returns true if the list of commands in flight has to contain the command. */
static bool is_tracked(const struct nf_usm_command *command)
{
    return command->accesses && !command->blocking;
}

/* Waits for the command if it is blocking. Then passes on the references in use.event: to `*event` unless `event` is
 * NULL, and to the list of commands in flight if the command accesses memory of this library and may be incomplete.
 * Takes over `timed`, the event that has the command's own times, or NULL. */
static cl_int pass_event(struct nf_usm_queue *queue, const struct nf_usm_command *command, struct nf_usm_use use,
                         cl_event timed, cl_event *event)
{
    cl_int error = CL_SUCCESS;
    cl_event own = use.event;
    if (command->blocking) error = NF_CL_CALL(clWaitForEvents, CL_INVALID_EVENT, 1, &own);
    const bool tracked = is_tracked(command);
    if (event) {
        *event = own;
        if (timed || command->renamed) nf_usm_event_register(own, command->type, timed);
        if (tracked) NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, own);
    } else if (!tracked) {
        NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, own);
    }
    if (!event && timed) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, timed);
    if (tracked)
        nf_usm_in_flight_add(queue->context, use);
    else
        nf_usm_access_set_put(command->accesses);
    return error;
}

/* Enqueues a command without a turn. Records the ticks before and after the driver's call, by which uses.c orders the
 * commands of an in-order queue. */
static cl_int enqueue_fine(struct nf_usm_queue *queue, const struct nf_usm_command *command, cl_uint wait_count,
                           const cl_event *wait, cl_event *event)
{
    struct nf_usm_use use = {.accesses = command->accesses, .queue = queue->number, .begin = now(queue)};
    cl_int error = call_driver(queue, command, wait_count, wait, &use.event);
    use.end = now(queue);
    if (error == CL_SUCCESS) return pass_event(queue, command, use, NULL, event);
    nf_usm_access_set_put(command->accesses);
    return error;
}

/* ---- coarse-grained ---- */

/* Lists the memory of all blocks of the turn for the driver, if the kernel may access memory other than its
 * arguments. */
static cl_int name_memories(const struct nf_usm_turn *turn, const struct nf_usm_command *command)
{
    size_t count = 0;
    if (!command->kernel || !command->accesses || !command->accesses->types) return CL_SUCCESS;
    const void **memories = nf_usm_turn_memories(turn, &count);
    cl_int error = memories ? nf_usm_kernel_list_memories(command->kernel, count, memories) : CL_OUT_OF_HOST_MEMORY;
    free(memories);
    return error;
}

/* Enqueues a command on fine-grained memory. Its turn only keeps the blocks from being freed while they are listed. */
static cl_int enqueue_named(struct nf_usm_queue *queue, struct nf_usm_turn *turn, const struct nf_usm_command *command,
                            cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    cl_int error = name_memories(turn, command);
    if (error == CL_SUCCESS)
        error = enqueue_fine(queue, command, wait_count, wait, event);
    else
        nf_usm_access_set_put(command->accesses);
    nf_usm_turn_cancel(turn);
    return error;
}

static cl_int enqueue_coarse(struct nf_usm_queue *queue, struct nf_usm_turn *turn, const struct nf_usm_command *command,
                             cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    cl_event done = NULL, last = NULL;
    cl_int error = name_memories(turn, command);
    cl_event gate = error == CL_SUCCESS ? nf_usm_turn_acquire(turn, wait_count, wait, &error) : NULL;
    if (!gate) {
        nf_usm_turn_cancel(turn);
        nf_usm_access_set_put(command->accesses);
        return error;
    }
    error = call_driver(queue, command, 1, &gate, &done);
    cl_int ended = nf_usm_turn_release(turn, error == CL_SUCCESS ? done : NULL, &last);
    if (error == CL_SUCCESS) error = ended;
    const struct nf_usm_use use = {.event = last, .accesses = command->accesses};
    if (error == CL_SUCCESS) return pass_event(queue, command, use, done, event);
    if (done) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, done);
    if (last) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, last);
    nf_usm_access_set_put(command->accesses);
    return error;
}

static cl_int enqueue(struct nf_usm_queue *queue, const struct nf_usm_command *command, cl_uint wait_count,
                      const cl_event *wait, cl_event *event)
{
    cl_int error = CL_SUCCESS;
    if (!queue->context->needs_listing) return enqueue_fine(queue, command, wait_count, wait, event);
    struct nf_usm_turn *turn = nf_usm_turn_new(queue, command->accesses, command->host_count, command->hosts, &error);
    if (turn && queue->context->fine) return enqueue_named(queue, turn, command, wait_count, wait, event);
    if (turn) return enqueue_coarse(queue, turn, command, wait_count, wait, event);
    if (error == CL_SUCCESS) return enqueue_fine(queue, command, wait_count, wait, event);
    nf_usm_access_set_put(command->accesses);
    return error;
}

cl_int nf_usm_enqueue(struct nf_usm_queue *queue, const struct nf_usm_command *command, cl_uint wait_count,
                      const cl_event *wait, cl_event *event)
{
    const bool tracked = is_tracked(command);
    if (tracked && !nf_usm_in_flight_reserve(queue->context)) {
        nf_usm_access_set_put(command->accesses);
        return CL_OUT_OF_HOST_MEMORY;
    }
    cl_int error = enqueue(queue, command, wait_count, wait, event);
    if (tracked && error != CL_SUCCESS) nf_usm_in_flight_cancel(queue->context);
    return error;
}

/* ---- copies and fills ---- */

/* A copy or fill, with the SVM functions of the context. */
struct driver_work {
    struct nf_usm_transfer work;
    const struct nf_usm_svm *calls;
};

static cl_int call_work(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                        cl_event *event)
{
    const struct nf_usm_svm *calls = ((const struct driver_work *)what)->calls;
    const struct nf_usm_transfer *w = &((const struct driver_work *)what)->work;
    if (w->pattern) return calls->fill(queue, w->target, w->source, w->pattern, w->size, wait_count, wait, event);
    return calls->copy(queue, CL_FALSE, w->target, w->source, w->size, wait_count, wait, event);
}

static const void *block_or_null(const void *pointer)
{
    return nf_usm_block_find(pointer) ? pointer : NULL;
}

/* Enqueues a copy or fill. A command of size 0 has an event and a place in the queue as well. Such a command is
 * executed as a copy of one byte, because a marker would wait for all earlier commands of an out-of-order queue. */
cl_int nf_usm_enqueue_transfer(struct nf_usm_queue *queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                               const cl_event *wait, cl_event *event)
{
    struct driver_work given = {*work, &queue->context->calls};
    struct nf_usm_command command = {.type = work->type,
                                     .renamed = work->type,
                                     .blocking = work->blocking,
                                     .call_driver = call_work,
                                     .what = &given};
    cl_int error;
    if (work->size == 0) {
        char *scratch = nf_usm_scratch(queue->context);
        if (!scratch) return CL_OUT_OF_RESOURCES;
        given.work = (struct nf_usm_transfer){.target = scratch, .source = scratch + 1, .size = 1};
        error =
            nf_usm_access_set_of(scratch, NULL, &command.accesses); /* keeps the scratch bytes until the copy ends */
    } else {
        error = nf_usm_access_set_of(block_or_null(work->target), work->pattern ? NULL : block_or_null(work->source),
                                     &command.accesses);
    }
    return error != CL_SUCCESS ? error : nf_usm_enqueue(queue, &command, wait_count, wait, event);
}
