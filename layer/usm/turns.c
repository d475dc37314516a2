/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.c - whose view of coarse-grained memory it is, and for how long. A coarse-grained device and the host may touch
 * SVM in turns only: the host while it is mapped, commands while it is not. Programs with shared memory know nothing of
 * that, so memory that the host may see is mapped while no command uses it, and each command that may use it waits until
 * it is unmapped, and is not complete, for the application, before it is mapped again:
 *
 *     the application's queue         call-backs                                our own queue
 *     marker                   ->     all blocks free for this view? if not,
 *                                     wait until another command ends
 *                                     the first user of a block           ->    unmap (or map)
 *     the command              <-     gate: a user event            <-
 *                              ->     the last user of a block            ->    map (or unmap) again
 *     marker, the event that   <-     done: a user event            <-
 *     the application gets
 *
 * Everything is decided when a command really could run, because a command behind a user event may wait for the host to
 * touch the same memory, and a command of another queue must not wait for it. For the same reason nothing is enqueued into
 * the application's queues but what waits for events of ours alone. A turn takes all its blocks at once or none, so that
 * no two wait for each other.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

struct entry {
    struct nf_usm_block *block;
    enum nf_usm_view view; /* that it is to be in */
    bool moves;            /* it is this turn that changes the view now */
    cl_event move;         /* held; NULL: the driver does not do it */
};

struct nf_usm_turn {
    struct nf_usm_context *context;
    cl_command_queue queue;
    bool in_order;
    size_t device; /* its place in the context's */
    cl_event gate, done;
    cl_event ready, command; /* held: PoCL 3.1 ends the process when one fails that nobody holds and others wait for */
    struct nf_usm_wait coming, over; /* for what is before the command and after it, and for the command */
    void (*after_moves)(struct nf_usm_turn *turn);
    cl_int status; /* negative: the command, or what it waits for, failed */
    bool has_come; /* its blocks are in their views, or cannot be */
    bool is_given; /* the driver has the command, or has refused it */
    bool is_open;  /* the gate is, or is about to be */
    bool is_over;  /* the command is */
    bool is_user;  /* it has its blocks */
    struct nf_usm_turn *next;
    size_t count;
    struct entry entries[];
};

/* ---- our own queues ---- */

static size_t place_of(const struct nf_usm_context *context, const struct nf_usm_device *device)
{
    for (size_t i = 0; i < context->device_count; i++)
        if (nf_usm_device_find(context->devices[i]) == device) return i;
    return 0;
}

/* @return our queue for a device of the context, NULL when the driver gives none. */
static cl_command_queue own_queue(struct nf_usm_context *context, size_t device)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_hold(lock);
    if (!context->own_queues) context->own_queues = calloc(context->device_count, sizeof *context->own_queues);
    cl_command_queue queue = context->own_queues ? context->own_queues[device] : NULL, made = NULL;
    nf_cl_give(lock);
    if (queue || !context->own_queues) return queue;
    cl_int error;
    if (nf_cl_next()->clCreateCommandQueue)
        made = nf_cl_next()->clCreateCommandQueue((cl_context)(uintptr_t)context->record.handle,
                                                  context->devices[device], 0, &error);
    nf_cl_hold(lock);
    queue = context->own_queues[device];
    if (!queue) queue = context->own_queues[device] = made;
    nf_cl_give(lock);
    if (made && made != queue) NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, made);
    return queue;
}

/* ---- from one view to the other ---- */

static cl_int move(struct nf_usm_block *block, enum nf_usm_view view, cl_command_queue queue, bool blocking,
                   cl_event *event)
{
    const struct nf_usm_svm *calls = &block->context->calls;
    if (view == NF_USM_DEVICE_VIEW) return calls->unmap(queue, block->base, 0, NULL, event);
    return calls->map(queue, blocking, CL_MAP_READ | CL_MAP_WRITE, block->base, block->size, 0, NULL, event);
}

static bool has_moves(const struct nf_usm_turn *turn)
{
    for (size_t i = 0; i < turn->count; i++)
        if (turn->entries[i].moves) return true;
    return false;
}

/* Begin the moves of the turn, up to the first that the driver refuses. */
static cl_int begin_moves(struct nf_usm_turn *turn)
{
    if (!has_moves(turn)) return CL_SUCCESS;
    cl_command_queue queue = own_queue(turn->context, turn->device);
    cl_int error = queue ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    for (size_t i = 0; i < turn->count && error == CL_SUCCESS; i++) {
        struct entry *entry = &turn->entries[i];
        if (!entry->moves) continue;
        error = move(entry->block, entry->view, queue, false, &entry->move);
        if (error != CL_SUCCESS) entry->move = NULL; /* whatever the driver left there */
    }
    if (queue) NF_CL_CALL(clFlush, CL_INVALID_COMMAND_QUEUE, queue);
    return error;
}

/* @return the turn's status, which is the first failure. */
static cl_int note(struct nf_usm_turn *turn, cl_int status)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(turn->context);
    nf_cl_hold(lock);
    if (status < 0 && turn->status == CL_SUCCESS) turn->status = status;
    cl_int first = turn->status;
    nf_cl_give(lock);
    return first;
}

/* Call `then` when `event`, which the turn holds, is over; the turn may be gone afterwards. */
static void wait_for(struct nf_usm_turn *turn, struct nf_usm_wait *wait, cl_event event, void (*then)(void *, cl_int))
{
    wait->context = turn->context;
    wait->event = event;
    wait->then = then;
    wait->user = turn;
    nf_usm_wait_for(wait);
}

/* @return whether the driver has done the move. */
static bool has_done(struct nf_usm_turn *turn, struct entry *entry)
{
    if (!entry->move) return false;
    cl_int status = nf_usm_status_of(entry->move);
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, entry->move);
    entry->move = NULL;
    note(turn, status);
    return status == CL_COMPLETE;
}

/* The moves are over, and only now it is known in which view the blocks are: one that was refused is where it was. */
static void have_moved(struct nf_usm_turn *turn)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(turn->context);
    for (size_t i = 0; i < turn->count; i++) {
        struct entry *entry = &turn->entries[i];
        if (!entry->moves) continue;
        bool done = has_done(turn, entry);
        nf_cl_hold(lock);
        if (done) entry->block->view = entry->view;
        entry->block->moving = entry->moves = false;
        nf_cl_give(lock);
    }
}

/* @return a move that is not over, NULL: none. The last is over last, but for PoCL 3.1 when one has failed: what comes after
 * it in its queue waits for nothing. */
static cl_event unfinished(const struct nf_usm_turn *turn)
{
    for (size_t i = turn->count; i-- > 0;) {
        cl_event event = turn->entries[i].move;
        if (event && nf_usm_status_of(event) > CL_COMPLETE) return event;
    }
    return NULL;
}

/* The moves have begun: go on once they are over. */
static void go_through_moves(void *user, cl_int status)
{
    struct nf_usm_turn *turn = user;
    cl_event event = unfinished(turn);
    (void)status;
    if (event) {
        wait_for(turn, &turn->coming, event, go_through_moves);
        return;
    }
    have_moved(turn);
    turn->after_moves(turn);
}

/* Move what the turn is to move, then call `then`, on whatever thread. What the driver refuses is the turn's status from then
 * on. */
static void move_all(struct nf_usm_turn *turn, void (*then)(struct nf_usm_turn *))
{
    turn->after_moves = then;
    note(turn, begin_moves(turn));
    go_through_moves(turn, CL_SUCCESS);
}

/* ---- a turn's beginning ---- */

/* needs: the lock. Take all blocks in the turn's views, or none. */
static bool take(struct nf_usm_turn *turn)
{
    for (size_t i = 0; i < turn->count; i++) {
        const struct nf_usm_block *block = turn->entries[i].block;
        if (block->moving || (block->users && block->view != turn->entries[i].view)) return false;
    }
    for (size_t i = 0; i < turn->count; i++) {
        struct entry *entry = &turn->entries[i];
        entry->block->users++;
        entry->moves = entry->block->view != entry->view;
        entry->block->moving = entry->moves;
    }
    turn->is_user = true;
    return true;
}

static void go_on(struct nf_usm_context *context);

/* The command may run, or fails. */
static void open_gate(struct nf_usm_context *context, cl_event gate, cl_int status)
{
    NF_CL_CALL(clSetUserEventStatus, CL_INVALID_EVENT, gate, status < 0 ? status : CL_COMPLETE);
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, gate);
    if (status < 0) nf_usm_waits_look(context); /* for the command that has failed now */
    go_on(context);
    nf_usm_context_put(context);
}

static void end(struct nf_usm_turn *turn);

/* One of the three is there now. The gate opens once the turn has come and the command is enqueued: with PoCL 3.1 a
 * command that is enqueued behind a gate that has failed never ends. The turn ends once the command is over as well, which
 * it may be before its turn has come, when it fails with another command of its queue. */
static void arrive(struct nf_usm_turn *turn, bool *what)
{
    struct nf_usm_context *context = turn->context;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_hold(lock);
    *what = true;
    bool opens = turn->has_come && turn->is_given && !turn->is_open;
    bool ends = turn->has_come && turn->is_given && turn->is_over;
    turn->is_open = turn->is_open || opens;
    cl_event gate = turn->gate; /* if it opens, and does not end, the turn may be gone as soon as the lock is given */
    cl_int status = turn->status;
    if (opens) atomic_fetch_add(&context->users, 1);
    if (opens) NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, gate);
    nf_cl_give(lock);
    if (opens) open_gate(context, gate, status);
    if (ends) end(turn);
}

static void come(struct nf_usm_turn *turn)
{
    arrive(turn, &turn->has_come);
}

/* needs: the lock. @return the first pending turn that can have its blocks, and has them now; NULL: none. */
static struct nf_usm_turn *take_pending(struct nf_usm_context *context)
{
    struct nf_usm_turn **place = &context->pending, *turn;
    while ((turn = *place) != NULL && !take(turn))
        place = &turn->next;
    if (turn) *place = turn->next;
    return turn;
}

/* Something has changed: let those begin that can now. */
static void go_on(struct nf_usm_context *context)
{
    struct nf_usm_turn *turn;
    do {
        nf_cl_hold(nf_usm_lock_of(context));
        turn = take_pending(context);
        nf_cl_give(nf_usm_lock_of(context));
        if (turn) move_all(turn, come);
    } while (turn);
}

/* What the command waits for is complete. */
static void begin(void *user, cl_int status)
{
    struct nf_usm_turn *turn = user, **place = &turn->context->pending;
    if (note(turn, status) < 0) { /* the command will not run, and needs nothing */
        come(turn);
        return;
    }
    nf_cl_hold(nf_usm_lock_of(turn->context));
    bool taken = take(turn);
    while (!taken && *place)
        place = &(*place)->next;
    if (!taken) *place = turn;
    nf_cl_give(nf_usm_lock_of(turn->context));
    if (taken) move_all(turn, come);
}

/* A command that does nothing, behind its list, and behind what is in its queue if that keeps order. Where it keeps none it is
 * a copy of a byte: to some drivers a marker there is behind all of the queue, whatever its list, and that may wait for the
 * host. */
static cl_int mark(const struct nf_usm_turn *turn, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (turn->in_order)
        return NF_CL_CALL(clEnqueueMarkerWithWaitList, CL_INVALID_OPERATION, turn->queue, wait_count, wait, event);
    char *scratch = nf_usm_scratch(turn->context);
    if (!scratch) return CL_OUT_OF_RESOURCES;
    return turn->context->calls.copy(turn->queue, CL_FALSE, scratch, scratch + 1, 1, wait_count, wait, event);
}

cl_event nf_usm_turn_begin(struct nf_usm_turn *turn, cl_uint wait_count, const cl_event *wait, cl_int *error)
{
    cl_event gate = turn->gate;
    *error = CL_SUCCESS;
    if (turn->in_order || wait_count) *error = mark(turn, wait_count, wait, &turn->ready);
    if (*error != CL_SUCCESS) return NULL;
    if (turn->ready)
        wait_for(turn, &turn->coming, turn->ready, begin);
    else
        begin(turn, CL_SUCCESS);
    return gate;
}

/* ---- its end ---- */

/* needs: the lock. The turn has no blocks from then on. @return those that wait for nobody any more, in a list. */
static struct nf_usm_block *leave(struct nf_usm_turn *turn)
{
    struct nf_usm_block *gone = NULL;
    for (size_t i = 0; i < turn->count; i++) {
        struct nf_usm_block *block = turn->entries[i].block;
        if (--block->turns > 0 || !block->doomed) continue;
        block->next = gone;
        gone = block;
    }
    turn->count = 0;
    return gone;
}

static void leave_blocks(struct nf_usm_turn *turn)
{
    nf_cl_hold(nf_usm_lock_of(turn->context));
    struct nf_usm_block *gone = leave(turn), *next;
    nf_cl_give(nf_usm_lock_of(turn->context));
    for (; gone; gone = next) {
        next = gone->next;
        nf_usm_memory_give(gone);
    }
}

static void destroy(struct nf_usm_turn *turn)
{
    struct nf_usm_context *context = turn->context;
    leave_blocks(turn);
    const cl_event held[] = {turn->ready, turn->gate, turn->command, turn->done};
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
        if (held[i]) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, held[i]);
    free(turn);
    go_on(context);
    nf_usm_context_put(context);
}

void nf_usm_turn_drop(struct nf_usm_turn *turn)
{
    destroy(turn);
}

/* The blocks are left before the application hears of the end, so that what it frees then is freed at once: a kernel that
 * still has it for an argument, and does not use it, would be given memory that is there, and mapped. */
static void finish(struct nf_usm_turn *turn)
{
    cl_int result = note(turn, CL_SUCCESS);
    leave_blocks(turn);
    NF_CL_CALL(clSetUserEventStatus, CL_INVALID_EVENT, turn->done, result < 0 ? result : CL_COMPLETE);
    destroy(turn);
}

/* Blocks without a user go home. */
static void end(struct nf_usm_turn *turn)
{
    nf_cl_hold(nf_usm_lock_of(turn->context));
    for (size_t i = 0; turn->is_user && i < turn->count; i++) {
        struct entry *entry = &turn->entries[i];
        struct nf_usm_block *block = entry->block;
        entry->view = block->home;
        entry->moves = --block->users == 0 && block->view != block->home && !block->doomed;
        block->moving = entry->moves;
    }
    nf_cl_give(nf_usm_lock_of(turn->context));
    move_all(turn, finish);
}

static void be_over(void *user, cl_int status)
{
    struct nf_usm_turn *turn = user;
    note(turn, status);
    arrive(turn, &turn->is_over);
}

cl_int nf_usm_turn_end(struct nf_usm_turn *turn, cl_event command, cl_event *event)
{
    cl_event own = NULL;
    /* Before anything can end the turn, which nothing does before it is given. */
    cl_int error = mark(turn, 1, &turn->done, &own);
    turn->command = command;
    turn->is_over = command == NULL;
    if (command) NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, command);
    if (command) wait_for(turn, &turn->over, command, be_over);
    arrive(turn, &turn->is_given);
    if (error == CL_SUCCESS && event)
        *event = own;
    else if (own)
        NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, own);
    return error;
}

/* ---- what a turn is for ---- */

/* needs: the lock. */
static void add(struct nf_usm_turn *turn, struct nf_usm_block *block, enum nf_usm_view view)
{
    if (block->seen == turn->context->filled)
        return; /* the device's view comes first, and the driver sees to the host's */
    block->seen = turn->context->filled;
    turn->entries[turn->count++] = (struct entry){block, view, false, NULL};
    block->turns++;
}

/* needs: the lock. Every block of those types. */
static void add_types(struct nf_usm_turn *turn, unsigned types)
{
    for (struct nf_usm_block *block = turn->context->blocks; block; block = block->after)
        if (types & NF_USM_REACHES(block->type)) add(turn, block, NF_USM_DEVICE_VIEW);
}

/* needs: the lock. */
static size_t count_blocks(const struct nf_usm_context *context)
{
    size_t count = 0;
    for (const struct nf_usm_block *block = context->blocks; block; block = block->after)
        count++;
    return count;
}

/* needs: the lock. @return the block of a pointer, when it is one of this context's that is not being freed. */
static struct nf_usm_block *block_of(const struct nf_usm_context *context, const void *pointer)
{
    struct nf_usm_block *block = nf_usm_block_find(pointer);
    return block && block->context == context && !block->doomed ? block : NULL;
}

/* needs: the lock. */
static void fill(struct nf_usm_turn *turn, const struct nf_usm_reach *reach, size_t host_count,
                 const void *const *hosts)
{
    struct nf_usm_block *block;
    turn->context->filled++;
    if (reach) add_types(turn, reach->types);
    for (size_t i = 0; reach && i < reach->count; i++)
        if ((block = block_of(turn->context, reach->pointers[i])) != NULL) add(turn, block, NF_USM_DEVICE_VIEW);
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

struct nf_usm_turn *nf_usm_turn_new(struct nf_usm_queue *queue, const struct nf_usm_reach *reach, size_t host_count,
                                    const void *const *hosts, cl_int *error)
{
    struct nf_usm_context *context = queue->context;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_hold(lock);
    size_t most = (reach ? reach->count : 0) + (reach && reach->types ? count_blocks(context) : 0) + host_count;
    struct nf_usm_turn *turn = calloc(1, sizeof *turn + most * sizeof turn->entries[0]);
    if (turn) {
        turn->context = context;
        atomic_fetch_add(&context->users, 1);
        fill(turn, reach, host_count, hosts);
    }
    nf_cl_give(lock);
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

/* ---- blocks that come and go ---- */

/* A processor's own memory is one: libraries compute on the host with device pointers there. */
static bool host_sees(const struct nf_usm_block *block)
{
    if (block->type != CL_MEM_TYPE_DEVICE_INTEL) return true;
    const struct nf_usm_device *device = nf_usm_device_find(block->device);
    return device && device->is_cpu;
}

cl_int nf_usm_block_enlist(struct nf_usm_block *block)
{
    struct nf_usm_context *context = block->context;
    block->view = NF_USM_DEVICE_VIEW;
    block->home = host_sees(block) && !context->fine ? NF_USM_HOST_VIEW : NF_USM_DEVICE_VIEW;
    block->moving = block->doomed = false;
    block->users = block->turns = 0;
    block->seen = 0;
    if (!context->names_all) return CL_SUCCESS;
    if (block->home == NF_USM_HOST_VIEW) {
        cl_command_queue queue = own_queue(context, 0);
        cl_int error = queue ? move(block, NF_USM_HOST_VIEW, queue, true, NULL) : CL_OUT_OF_RESOURCES;
        if (error != CL_SUCCESS) return error;
        block->view = NF_USM_HOST_VIEW;
    }
    nf_cl_hold(nf_usm_lock_of(context));
    block->after = context->blocks;
    block->place = &context->blocks;
    if (block->after) block->after->place = &block->after;
    context->blocks = block;
    nf_cl_give(nf_usm_lock_of(context));
    return CL_SUCCESS;
}

bool nf_usm_block_delist(struct nf_usm_block *block)
{
    struct nf_usm_context *context = block->context;
    if (!context->names_all) return true;
    nf_cl_hold(nf_usm_lock_of(context));
    *block->place = block->after;
    if (block->after) block->after->place = block->place;
    block->doomed = block->turns > 0;
    bool now = !block->doomed;
    nf_cl_give(nf_usm_lock_of(context));
    return now;
}
