/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ownership.c - ownership of coarse-grained memory. On a coarse-grained device the host may access SVM only while it is
 * mapped, and commands only while it is unmapped. Programs that use shared memory do not call map and unmap. So each
 * allocation that the host may access is mapped while no command uses it; each command that may use an allocation on
 * the device waits until the allocation is unmapped, and a command whose host pointer is in it until it is mapped; and
 * the event that the application gets completes after the allocation is mapped again. A *turn* is the record of such a
 * command, with its blocks:
 *
 *     the application's queue         callbacks                                 a queue of this library
 *     marker                   ->     can all blocks change to this view?
 *                                     if not, wait until another turn ends
 *                                     first user of a block               ->    unmap (or map)
 *     the command              <-     gate: a user event            <-
 *                              ->     last user of a block                ->    map (or unmap) again
 *     marker, the event that   <-     done: a user event            <-
 *     the application gets
 *
 * The view changes when the command is ready to run, not when it is enqueued: a command behind a user event may wait
 * for the host to access the same memory, and a command of another queue must not wait for that. For the same reason
 * maps and unmaps have a queue of their own; the application's queue gets only the command and two markers, one with
 * the command's wait list and one that waits for an event of this library. A turn acquires all its blocks at once or
 * none, so that two turns cannot deadlock.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

struct entry {
    struct nf_usm_block *block;
    enum nf_usm_view view; /* the view that the turn needs; when it ends, the idle view of the block */
    bool in_transition;    /* this turn is changing the view of the block */
    cl_event transition;   /* the map or unmap, referenced; NULL: not enqueued, or refused */
};

struct nf_usm_turn {
    struct nf_usm_context *context;
    cl_command_queue queue;
    bool in_order;
    size_t device; /* index in the context's devices */
    cl_event gate, done;
    cl_event ready, command; /* referenced: PoCL 3.1 aborts when an event without references fails and others wait for
                              * it */
    struct nf_usm_wait wait; /* for the marker `ready`, then for the maps and unmaps */
    struct nf_usm_wait command_wait; /* for the command */
    void (*after_transitions)(struct nf_usm_turn *turn);
    cl_int status;      /* negative: the command, its wait list, or a map or unmap failed */
    bool has_blocks;    /* each block is in the view that the command needs, or will never be */
    bool is_enqueued;   /* the command is enqueued, or the driver has refused it */
    bool gate_signaled; /* the gate is signaled, or is about to be */
    bool is_complete;   /* the command is complete or has failed */
    bool holds_blocks;  /* this turn has acquired its blocks */
    struct nf_usm_turn *next;
    size_t count;
    struct entry entries[];
};

/* ---- queues for maps and unmaps ---- */

static size_t place_of(const struct nf_usm_context *context, const struct nf_usm_device *device)
{
    for (size_t i = 0; i < context->device_count; i++)
        if (nf_usm_device_find(context->devices[i]) == device) return i;
    return 0;
}

/* Returns the queue for maps and unmaps on a device of the context; NULL if the driver cannot create it, or memory is
 * exhausted. */
static cl_command_queue own_queue(struct nf_usm_context *context, size_t device)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    if (!context->own_queues) context->own_queues = calloc(context->device_count, sizeof *context->own_queues);
    cl_command_queue queue = context->own_queues ? context->own_queues[device] : NULL, made = NULL;
    nf_cl_lock_release(lock);
    if (queue || !context->own_queues) return queue;
    cl_int error;
    if (nf_cl_next()->clCreateCommandQueue)
        made = nf_cl_next()->clCreateCommandQueue((cl_context)(uintptr_t)context->record.handle,
                                                  context->devices[device], 0, &error);
    nf_cl_lock_acquire(lock);
    queue = context->own_queues[device];
    if (!queue) queue = context->own_queues[device] = made;
    nf_cl_lock_release(lock);
    if (made && made != queue) NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, made);
    return queue;
}

/* ---- changing the view ---- */

static cl_int change_view(struct nf_usm_block *block, enum nf_usm_view view, cl_command_queue queue, bool blocking,
                          cl_event *event)
{
    const struct nf_usm_svm *calls = &block->context->calls;
    if (view == NF_USM_DEVICE_VIEW) return calls->unmap(queue, block->base, 0, NULL, event);
    return calls->map(queue, blocking, CL_MAP_READ | CL_MAP_WRITE, block->base, block->size, 0, NULL, event);
}

static bool has_transitions(const struct nf_usm_turn *turn)
{
    for (size_t i = 0; i < turn->count; i++)
        if (turn->entries[i].in_transition) return true;
    return false;
}

/* Enqueues the maps and unmaps of the turn, up to the first that the driver refuses. */
static cl_int enqueue_transitions(struct nf_usm_turn *turn)
{
    if (!has_transitions(turn)) return CL_SUCCESS;
    cl_command_queue queue = own_queue(turn->context, turn->device);
    cl_int error = queue ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    for (size_t i = 0; i < turn->count && error == CL_SUCCESS; i++) {
        struct entry *entry = &turn->entries[i];
        if (!entry->in_transition) continue;
        error = change_view(entry->block, entry->view, queue, false, &entry->transition);
        if (error != CL_SUCCESS) entry->transition = NULL; /* the driver may have written a stale value */
    }
    if (queue) NF_CL_CALL(clFlush, CL_INVALID_COMMAND_QUEUE, queue);
    return error;
}

/* Records a failure unless the turn has failed before. Returns the turn's status, which is the first failure. */
static cl_int note(struct nf_usm_turn *turn, cl_int status)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(turn->context);
    nf_cl_lock_acquire(lock);
    if (status < 0 && turn->status == CL_SUCCESS) turn->status = status;
    cl_int first = turn->status;
    nf_cl_lock_release(lock);
    return first;
}

/* Calls `then` when `event`, to which the turn has a reference, ends. The turn may be freed before this returns. */
static void wait_for(struct nf_usm_turn *turn, struct nf_usm_wait *wait, cl_event event, void (*then)(void *, cl_int))
{
    wait->context = turn->context;
    wait->event = event;
    wait->then = then;
    wait->user = turn;
    nf_usm_wait_for(wait);
}

/* Returns true if the driver has completed the entry's map or unmap; false if there is none, or if it failed, which the
 * turn then records. Releases its event. */
static bool has_changed_view(struct nf_usm_turn *turn, struct entry *entry)
{
    if (!entry->transition) return false;
    cl_int status = nf_usm_status_of(entry->transition);
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, entry->transition);
    entry->transition = NULL;
    note(turn, status);
    return status == CL_COMPLETE;
}

/* Updates the view of the blocks after all maps and unmaps have ended. A block whose map or unmap failed keeps its
 * view. */
static void finish_transitions(struct nf_usm_turn *turn)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(turn->context);
    for (size_t i = 0; i < turn->count; i++) {
        struct entry *entry = &turn->entries[i];
        if (!entry->in_transition) continue;
        bool done = has_changed_view(turn, entry);
        nf_cl_lock_acquire(lock);
        if (done) entry->block->view = entry->view;
        entry->block->in_transition = entry->in_transition = false;
        nf_cl_lock_release(lock);
    }
}

/* Returns the last map or unmap that has not ended, or NULL. Usually the last map or unmap ends last. With PoCL 3.1 it
 * may not: after a failure, later commands of the queue do not wait for the failed command. */
static cl_event unfinished_transition(const struct nf_usm_turn *turn)
{
    for (size_t i = turn->count; i-- > 0;) {
        cl_event event = turn->entries[i].transition;
        if (event && nf_usm_status_of(event) > CL_COMPLETE) return event;
    }
    return NULL;
}

/* Waits for the turn's next unfinished map or unmap, or calls turn->after_transitions if there is none. Called after
 * each. */
static void await_transitions(void *user, cl_int status)
{
    struct nf_usm_turn *turn = user;
    cl_event event = unfinished_transition(turn);
    (void)status;
    if (event) {
        wait_for(turn, &turn->wait, event, await_transitions);
        return;
    }
    finish_transitions(turn);
    turn->after_transitions(turn);
}

/* Enqueues the maps and unmaps of the turn, and calls `then` once they have ended, on any thread. If one is refused or
 * fails, the turn's status has the error. */
static void change_views(struct nf_usm_turn *turn, void (*then)(struct nf_usm_turn *))
{
    turn->after_transitions = then;
    note(turn, enqueue_transitions(turn));
    await_transitions(turn, CL_SUCCESS);
}

/* ---- the beginning of a turn ---- */

/* Acquires all blocks of the turn, or none. A block cannot be acquired while its view is changing, or while other turns
 * use it in the other view. needs: the lock. */
static bool acquire_blocks(struct nf_usm_turn *turn)
{
    for (size_t i = 0; i < turn->count; i++) {
        const struct nf_usm_block *block = turn->entries[i].block;
        if (block->in_transition || (block->users && block->view != turn->entries[i].view)) return false;
    }
    for (size_t i = 0; i < turn->count; i++) {
        struct entry *entry = &turn->entries[i];
        entry->block->users++;
        entry->in_transition = entry->block->view != entry->view;
        entry->block->in_transition = entry->in_transition;
    }
    turn->holds_blocks = true;
    return true;
}

static void start_pending(struct nf_usm_context *context);

/* Signals the gate event with `status`, so that the command runs or fails. Drops the references to `gate` and
 * `context`. */
static void open_gate(struct nf_usm_context *context, cl_event gate, cl_int status)
{
    NF_CL_CALL(clSetUserEventStatus, CL_INVALID_EVENT, gate, status < 0 ? status : CL_COMPLETE);
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, gate);
    if (status < 0) nf_usm_waits_poll(context); /* the command that waits for the gate fails as well */
    start_pending(context);
    nf_usm_context_put(context);
}

static void end(struct nf_usm_turn *turn);

/* Sets `*what`, which is has_blocks, is_enqueued or is_complete, and then opens the gate or ends the turn if possible.
 * The gate opens once the turn has acquired its blocks and the command is enqueued: with PoCL 3.1 a command that is
 * enqueued behind a failed gate never completes. The turn ends once the command has ended as well; a command that fails
 * together with another command of its queue may end before its turn has acquired its blocks. */
static void advance(struct nf_usm_turn *turn, bool *what)
{
    struct nf_usm_context *context = turn->context;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    *what = true;
    bool opens = turn->has_blocks && turn->is_enqueued && !turn->gate_signaled;
    bool ends = turn->has_blocks && turn->is_enqueued && turn->is_complete;
    turn->gate_signaled = turn->gate_signaled || opens;
    cl_event gate = turn->gate; /* if the gate opens and the turn does not end here, the turn may be freed once the lock
                                 * is released */
    cl_int status = turn->status;
    if (opens) atomic_fetch_add(&context->users, 1);
    if (opens) NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, gate);
    nf_cl_lock_release(lock);
    if (opens) open_gate(context, gate, status);
    if (ends) end(turn);
}

static void on_blocks_acquired(struct nf_usm_turn *turn)
{
    advance(turn, &turn->has_blocks);
}

/* Acquires the blocks of the first pending turn for which that is possible. Returns that turn, removed from the list,
 * or NULL. needs: the lock. */
static struct nf_usm_turn *acquire_pending(struct nf_usm_context *context)
{
    struct nf_usm_turn **place = &context->pending, *turn;
    while ((turn = *place) != NULL && !acquire_blocks(turn))
        place = &turn->next;
    if (turn) *place = turn->next;
    return turn;
}

/* Starts every pending turn that can acquire its blocks now. The caller has released blocks. */
static void start_pending(struct nf_usm_context *context)
{
    struct nf_usm_turn *turn;
    do {
        nf_cl_lock_acquire(nf_usm_lock_of(context));
        turn = acquire_pending(context);
        nf_cl_lock_release(nf_usm_lock_of(context));
        if (turn) change_views(turn, on_blocks_acquired);
    } while (turn);
}

/* Called when the wait list of the command is complete or has failed: acquires the blocks, or appends the turn to the
 * pending turns. */
static void begin(void *user, cl_int status)
{
    struct nf_usm_turn *turn = user, **place = &turn->context->pending;
    if (note(turn, status) < 0) { /* the command will not run, and needs no block */
        on_blocks_acquired(turn);
        return;
    }
    nf_cl_lock_acquire(nf_usm_lock_of(turn->context));
    bool taken = acquire_blocks(turn);
    while (!taken && *place)
        place = &(*place)->next;
    if (!taken) *place = turn;
    nf_cl_lock_release(nf_usm_lock_of(turn->context));
    if (taken) change_views(turn, on_blocks_acquired);
}

/* Enqueues a command without work, which waits for the wait list and, in an in-order queue, for all earlier commands.
 * In an out-of-order queue it is a copy of one byte, because in some drivers a marker in such a queue waits for all
 * earlier commands, whatever its wait list is, and these commands may wait for the host. */
static cl_int mark(const struct nf_usm_turn *turn, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (turn->in_order)
        return NF_CL_CALL(clEnqueueMarkerWithWaitList, CL_INVALID_OPERATION, turn->queue, wait_count, wait, event);
    char *scratch = nf_usm_scratch(turn->context);
    if (!scratch) return CL_OUT_OF_RESOURCES;
    return turn->context->calls.copy(turn->queue, CL_FALSE, scratch, scratch + 1, 1, wait_count, wait, event);
}

cl_event nf_usm_turn_acquire(struct nf_usm_turn *turn, cl_uint wait_count, const cl_event *wait, cl_int *error)
{
    cl_event gate = turn->gate;
    *error = CL_SUCCESS;
    if (turn->in_order || wait_count) *error = mark(turn, wait_count, wait, &turn->ready);
    if (*error != CL_SUCCESS) return NULL;
    if (turn->ready)
        wait_for(turn, &turn->wait, turn->ready, begin);
    else
        begin(turn, CL_SUCCESS);
    return gate;
}

/* ---- the end of a turn ---- */

/* Removes all blocks from the turn. Returns a list of the removed blocks that the application has freed and that no
 * other turn lists. needs: the lock. */
static struct nf_usm_block *remove_blocks(struct nf_usm_turn *turn)
{
    struct nf_usm_block *gone = NULL;
    for (size_t i = 0; i < turn->count; i++) {
        struct nf_usm_block *block = turn->entries[i].block;
        if (--block->turns > 0 || !block->freed_in_use) continue;
        block->next = gone;
        gone = block;
    }
    turn->count = 0;
    return gone;
}

static void release_blocks(struct nf_usm_turn *turn)
{
    nf_cl_lock_acquire(nf_usm_lock_of(turn->context));
    struct nf_usm_block *gone = remove_blocks(turn), *next;
    nf_cl_lock_release(nf_usm_lock_of(turn->context));
    for (; gone; gone = next) {
        next = gone->next;
        nf_usm_memory_release(gone);
    }
}

static void destroy(struct nf_usm_turn *turn)
{
    struct nf_usm_context *context = turn->context;
    release_blocks(turn);
    const cl_event held[] = {turn->ready, turn->gate, turn->command, turn->done};
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
        if (held[i]) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, held[i]);
    free(turn);
    start_pending(context);
    nf_usm_context_put(context);
}

void nf_usm_turn_cancel(struct nf_usm_turn *turn)
{
    destroy(turn);
}

/* Signals the event of the application and frees the turn. The turn leaves its blocks first, so that a block that the
 * application frees after the event is freed at once. Otherwise a kernel that still has the block as an argument,
 * without accessing it, would be launched with memory that is still mapped. */
static void finish(struct nf_usm_turn *turn)
{
    cl_int result = note(turn, CL_SUCCESS);
    release_blocks(turn);
    NF_CL_CALL(clSetUserEventStatus, CL_INVALID_EVENT, turn->done, result < 0 ? result : CL_COMPLETE);
    destroy(turn);
}

/* Changes the blocks that no other turn uses, and that the application has not freed, back to their idle view. */
static void end(struct nf_usm_turn *turn)
{
    nf_cl_lock_acquire(nf_usm_lock_of(turn->context));
    for (size_t i = 0; turn->holds_blocks && i < turn->count; i++) {
        struct entry *entry = &turn->entries[i];
        struct nf_usm_block *block = entry->block;
        entry->view = block->idle_view;
        entry->in_transition = --block->users == 0 && block->view != block->idle_view && !block->freed_in_use;
        block->in_transition = entry->in_transition;
    }
    nf_cl_lock_release(nf_usm_lock_of(turn->context));
    change_views(turn, finish);
}

static void command_ended(void *user, cl_int status)
{
    struct nf_usm_turn *turn = user;
    note(turn, status);
    advance(turn, &turn->is_complete);
}

cl_int nf_usm_turn_release(struct nf_usm_turn *turn, cl_event command, cl_event *event)
{
    cl_event own = NULL;
    /* Called before the turn can end, because is_enqueued is still false. */
    cl_int error = mark(turn, 1, &turn->done, &own);
    turn->command = command;
    turn->is_complete = command == NULL;
    if (command) NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, command);
    if (command) wait_for(turn, &turn->command_wait, command, command_ended);
    advance(turn, &turn->is_enqueued);
    if (error == CL_SUCCESS && event)
        *event = own;
    else if (own)
        NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, own);
    return error;
}

/* ---- the blocks of a turn ---- */

/* Adds a block unless the turn lists it already. needs: the lock. */
static void add(struct nf_usm_turn *turn, struct nf_usm_block *block, enum nf_usm_view view)
{
    if (block->last_turn == turn->context->turns_made)
        return; /* listed for the device already: the driver accepts a host pointer into unmapped memory */
    block->last_turn = turn->context->turns_made;
    turn->entries[turn->count++] = (struct entry){block, view, false, NULL};
    block->turns++;
}

/* Adds every block of the context whose type is in the mask. needs: the lock. */
static void add_types(struct nf_usm_turn *turn, unsigned types)
{
    for (struct nf_usm_block *block = turn->context->blocks; block; block = block->after)
        if (types & NF_USM_TYPE_BIT(block->type)) add(turn, block, NF_USM_DEVICE_VIEW);
}

/* Returns the number of blocks of the context. needs: the context's lock. */
static size_t count_blocks(const struct nf_usm_context *context)
{
    size_t count = 0;
    for (const struct nf_usm_block *block = context->blocks; block; block = block->after)
        count++;
    return count;
}

/* Returns the block that contains `pointer` if it belongs to this context and the application has not freed it, else
 * NULL. needs: the lock. */
static struct nf_usm_block *block_of(const struct nf_usm_context *context, const void *pointer)
{
    struct nf_usm_block *block = nf_usm_block_find(pointer);
    return block && block->context == context && !block->freed_in_use ? block : NULL;
}

/* Collects the blocks of `accesses` in the device view, then, if the context is coarse-grained, the blocks of `hosts`
 * in the host view. needs: the lock. */
static void fill(struct nf_usm_turn *turn, const struct nf_usm_access_set *accesses, size_t host_count,
                 const void *const *hosts)
{
    struct nf_usm_block *block;
    turn->context->turns_made++;
    if (accesses) add_types(turn, accesses->types);
    for (size_t i = 0; accesses && i < accesses->count; i++)
        if ((block = block_of(turn->context, accesses->pointers[i])) != NULL) add(turn, block, NF_USM_DEVICE_VIEW);
    for (size_t i = 0; !turn->context->fine && i < host_count; i++)
        if ((block = block_of(turn->context, hosts[i])) != NULL) add(turn, block, NF_USM_HOST_VIEW);
}

static bool make_events(struct nf_usm_turn *turn)
{
    cl_context handle = (cl_context)(uintptr_t)turn->context->record.handle;
    cl_int error = CL_INVALID_OPERATION;
    if (!nf_cl_next()->clCreateUserEvent) return false;
    turn->gate = nf_cl_next()->clCreateUserEvent(handle, &error);
    if (turn->gate) turn->done = nf_cl_next()->clCreateUserEvent(handle, &error);
    return turn->done != NULL;
}

struct nf_usm_turn *nf_usm_turn_new(struct nf_usm_queue *queue, const struct nf_usm_access_set *accesses,
                                    size_t host_count, const void *const *hosts, cl_int *error)
{
    struct nf_usm_context *context = queue->context;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    size_t most =
        (accesses ? accesses->count : 0) + (accesses && accesses->types ? count_blocks(context) : 0) + host_count;
    struct nf_usm_turn *turn = calloc(1, sizeof *turn + most * sizeof turn->entries[0]);
    if (turn) {
        turn->context = context;
        atomic_fetch_add(&context->users, 1);
        fill(turn, accesses, host_count, hosts);
    }
    nf_cl_lock_release(lock);
    *error = turn ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (!turn) return NULL;
    turn->queue = (cl_command_queue)(uintptr_t)queue->record.handle;
    turn->in_order = queue->in_order;
    turn->device = place_of(context, queue->device);
    if (turn->count && make_events(turn)) return turn;
    if (turn->count) *error = CL_OUT_OF_RESOURCES;
    destroy(turn);
    return NULL;
}

const void **nf_usm_turn_memories(const struct nf_usm_turn *turn, size_t *count)
{
    const void **memories = malloc((turn->count + 1) * sizeof *memories);
    *count = turn->count;
    for (size_t i = 0; memories && i < turn->count; i++)
        memories[i] = turn->entries[i].block->memory;
    return memories;
}

/* ---- creation and free of blocks ---- */

/* Returns true if the host may access the block. It may access the device allocations of a CPU device, too:
 * libraries compute on the host with their pointers. */
static bool is_host_accessible(const struct nf_usm_block *block)
{
    if (block->type != CL_MEM_TYPE_DEVICE_INTEL) return true;
    const struct nf_usm_device *device = nf_usm_device_find(block->request.device);
    return device && device->is_cpu;
}

cl_int nf_usm_block_register(struct nf_usm_block *block)
{
    struct nf_usm_context *context = block->context;
    block->view = NF_USM_DEVICE_VIEW;
    block->idle_view = is_host_accessible(block) && !context->fine ? NF_USM_HOST_VIEW : NF_USM_DEVICE_VIEW;
    block->in_transition = block->freed_in_use = false;
    block->users = block->turns = 0;
    block->last_turn = 0;
    if (!context->needs_listing) return CL_SUCCESS;
    if (block->idle_view == NF_USM_HOST_VIEW) {
        cl_command_queue queue = own_queue(context, 0);
        cl_int error = queue ? change_view(block, NF_USM_HOST_VIEW, queue, true, NULL) : CL_OUT_OF_RESOURCES;
        if (error != CL_SUCCESS) return error;
        block->view = NF_USM_HOST_VIEW;
    }
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    block->after = context->blocks;
    block->place = &context->blocks;
    if (block->after) block->after->place = &block->after;
    context->blocks = block;
    nf_cl_lock_release(nf_usm_lock_of(context));
    return CL_SUCCESS;
}

bool nf_usm_block_unregister(struct nf_usm_block *block)
{
    struct nf_usm_context *context = block->context;
    if (!context->needs_listing) return true;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    *block->place = block->after;
    if (block->after) block->after->place = block->place;
    block->freed_in_use = block->turns > 0;
    bool now = !block->freed_in_use;
    nf_cl_lock_release(nf_usm_lock_of(context));
    return now;
}
