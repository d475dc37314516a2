/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses.c - tracks the commands in flight and the memory that each may access, for the calls that free memory. Takes the
 * event and the access set of each command; gives the commands that are not complete. Room for a command is reserved
 * before it is enqueued. A context has one list. Complete commands are removed when the list is twice as long as
 * after the last removal, so it has at most about twice as many entries as there are commands in flight, whatever they
 * wait for. A status query takes Mesa a microsecond, so the status of a command is not queried if the status of a later
 * command in the same in-order queue implies it.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

enum { AT_LEAST = 16, AT_ONCE = 64 };

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (const void *const *)a, y = (uintptr_t) * (const void *const *)b;
    return (x > y) - (x < y);
}

struct nf_usm_access_set *nf_usm_access_set_new(unsigned types, size_t count, const void *const *pointers)
{
    struct nf_usm_access_set *accesses = malloc(sizeof *accesses + count * sizeof(void *));
    if (!accesses) return NULL;
    atomic_init(&accesses->users, 1);
    accesses->types = types;
    accesses->count = count;
    if (count) memcpy((void *)accesses->pointers, (const void *)pointers, count * sizeof(void *));
    if (count) qsort((void *)accesses->pointers, count, sizeof(void *), by_address);
    return accesses;
}

cl_int nf_usm_access_set_of(const void *one, const void *two, struct nf_usm_access_set **accesses)
{
    const void *pointers[2];
    size_t count = 0;
    if (one) pointers[count++] = one;
    if (two) pointers[count++] = two;
    *accesses = count ? nf_usm_access_set_new(0, count, pointers) : NULL;
    return count && !*accesses ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

void nf_usm_access_set_put(struct nf_usm_access_set *accesses)
{
    if (accesses && atomic_fetch_sub(&accesses->users, 1) == 1) free(accesses);
}

static bool may_access(const struct nf_usm_access_set *accesses, const struct nf_usm_block *block)
{
    size_t low = 0, high = accesses->count; /* the first pointer at or above block->base lies in [low, high] */
    if (accesses->types & NF_USM_TYPE_BIT(block->type)) return true;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)accesses->pointers[middle] < (uintptr_t)block->base)
            low = middle + 1;
        else
            high = middle;
    }
    return low < accesses->count && (uintptr_t)accesses->pointers[low] - (uintptr_t)block->base < block->size;
}

/* A complete command of an in-order queue, and when its enqueue call began. */
struct passed {
    uint64_t queue, begin;
};

/* Returns true if the command is complete or has failed, by its status or because `*passed` implies it. Sets `*passed`
 * to the command if its status is complete, its queue is in-order, and `*passed` is not a later command of that queue.
 * A complete command of an in-order queue implies that all commands whose enqueue call ended before its own began have
 * ended, too. A failed command implies nothing: later commands may fail together with it, while earlier commands still
 * run. Two commands that threads enqueue at the same time may be in either order. */
static bool has_ended(const struct nf_usm_use *use, struct passed *passed)
{
    if (use->queue && use->queue == passed->queue && use->end < passed->begin) return true;
    cl_int status = nf_usm_status_of(use->event);
    if (status == CL_COMPLETE && use->queue && (use->queue != passed->queue || use->begin > passed->begin))
        *passed = (struct passed){use->queue, use->begin};
    return status <= CL_COMPLETE;
}

static void drop(struct nf_usm_use use)
{
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, use.event);
    nf_usm_access_set_put(use.accesses);
}

/* Makes room for one command more than the list has reserved. Returns false if host memory is exhausted. */
static bool make_room(struct nf_usm_in_flight *uses)
{
    if (uses->count + uses->reserved < uses->room) return true;
    size_t room = uses->room ? uses->room * 2 : 16;
    struct nf_usm_use *list = realloc(uses->list, room * sizeof *list);
    if (!list) return false;
    uses->list = list;
    uses->room = room;
    return true;
}

static bool append(struct nf_usm_in_flight *uses, struct nf_usm_use use)
{
    if (!make_room(uses)) return false;
    uses->list[uses->count++] = use;
    return true;
}

/* Moves at most AT_ONCE ended commands from the list to `ended`, and returns their number. Begins with the newest
 * commands, whose status implies most about others. */
static size_t take_ended(struct nf_usm_in_flight *uses, struct nf_usm_use *ended)
{
    struct passed passed = {0, 0};
    size_t count = 0;
    for (size_t i = uses->count; i-- > 0 && count < AT_ONCE;) {
        if (!has_ended(&uses->list[i], &passed)) continue;
        ended[count++] = uses->list[i];
        uses->list[i].event = NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < uses->count; i++)
        if (uses->list[i].event) uses->list[kept++] = uses->list[i];
    uses->count = kept;
    return count;
}

/* Moves ended commands to `ended` if the list is long enough, and returns their number. needs: the context's lock. */
static size_t prune(struct nf_usm_in_flight *uses, struct nf_usm_use *ended)
{
    if (uses->count < uses->prune_at || uses->count < AT_LEAST) return 0;
    size_t count = take_ended(uses, ended);
    uses->prune_at = count < AT_ONCE ? 2 * uses->count : uses->count; /* if AT_ONCE were moved, more may have ended */
    return count;
}

bool nf_usm_in_flight_reserve(struct nf_usm_context *context)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    bool good = make_room(&context->uses);
    context->uses.reserved += good;
    nf_cl_lock_release(lock);
    return good;
}

void nf_usm_in_flight_cancel(struct nf_usm_context *context)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    context->uses.reserved--;
    nf_cl_lock_release(lock);
}

void nf_usm_in_flight_add(struct nf_usm_context *context, struct nf_usm_use use)
{
    struct nf_usm_use ended[AT_ONCE];
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    size_t count = prune(&context->uses, ended);
    context->uses.reserved--;
    context->uses.list[context->uses.count++] = use;
    nf_cl_lock_release(lock);
    for (size_t i = 0; i < count; i++)
        drop(ended[i]);
}

/* Reverses a list that has the newest command first, because commands are waited for from the oldest on. */
static void reverse(struct nf_usm_in_flight *uses)
{
    for (size_t i = 0; i < uses->count / 2; i++) {
        struct nf_usm_use *one = &uses->list[i], *other = &uses->list[uses->count - 1 - i], kept = *one;
        *one = *other;
        *other = kept;
    }
}

cl_int nf_usm_in_flight_of(const struct nf_usm_block *block, struct nf_usm_in_flight **uses)
{
    struct nf_usm_context *context = block->context;
    struct nf_usm_in_flight *found = calloc(1, sizeof *found);
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    struct passed passed = {0, 0};
    bool good = found != NULL;
    nf_cl_lock_acquire(lock);
    for (size_t i = context->uses.count; good && i-- > 0;) {
        struct nf_usm_use use = context->uses.list[i];
        if (!may_access(use.accesses, block) || has_ended(&use, &passed)) continue;
        good = append(found, use);
        if (!good) break;
        NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, use.event);
        atomic_fetch_add(&use.accesses->users, 1);
    }
    nf_cl_lock_release(lock);
    if (good) reverse(found);
    *uses = good && found->count ? found : NULL;
    if (!*uses) nf_usm_in_flight_free(found);
    return good ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

bool nf_usm_in_flight_lists(struct nf_usm_context *context, const void *pointer)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    struct passed passed = {0, 0};
    bool any = false;
    nf_cl_lock_acquire(lock);
    for (size_t i = context->uses.count; !any && i-- > 0;) {
        const struct nf_usm_use *use = &context->uses.list[i];
        any = use->accesses->count && use->accesses->pointers[0] == pointer && !has_ended(use, &passed);
    }
    nf_cl_lock_release(lock);
    return any;
}

bool nf_usm_in_flight_prune(struct nf_usm_in_flight *uses)
{
    struct passed none = {0, 0};
    while (uses->count > 0 && has_ended(&uses->list[0], &none)) { /* until the first has not ended */
        drop(uses->list[0]);
        uses->list[0] = uses->list[--uses->count];
    }
    return uses->count == 0;
}

void nf_usm_in_flight_wait(struct nf_usm_in_flight *uses, bool all)
{
    for (size_t i = 0; i < uses->count; i++)
        if (all || nf_usm_status_of(uses->list[i].event) == CL_RUNNING)
            NF_CL_CALL(clWaitForEvents, CL_INVALID_EVENT, 1, &uses->list[i].event);
}

void nf_usm_in_flight_free(struct nf_usm_in_flight *uses)
{
    if (!uses) return;
    for (size_t i = 0; i < uses->count; i++)
        drop(uses->list[i]);
    free(uses->list);
    free(uses);
}
