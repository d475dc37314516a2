/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry.c - the table of the layer's programs and kernels by handle, and their reference counts. A handle comes from
 * the application and may be any pointer; a handle that is not in the table is only compared, and never dereferenced.
 * One mutex guards both tables and all counts, so that a retain and a release in two threads stay consistent; no other
 * code is called while it is held. The mutex and the programs' locks are held across fork(), so that a child process
 * does not inherit them locked.
 *
 * A program lives while the application holds a reference, one of its kernels lives, or a call, build or job of the
 * layer has pinned it.
 */
#include "layer/program/program.h"

#include <limits.h>
#include <stdlib.h>

struct kernel_entry {
    struct nf_cl_kernel kernel;
    cl_uint references;
    struct kernel_entry *chain;
};

atomic_uint nf_cl_special_kernels;

enum { BUCKETS = 16384, LOCKS = 16 }; /* the system allocates a page of these tables when it is first used */

static struct nf_cl_program *programs[BUCKETS];
static struct kernel_entry *kernels[BUCKETS];
/* A watch is allocated on the heap and not on the stack of its thread: a child of fork() keeps the watches of the
 * parent's other threads in its list, while their stacks may be reused there. */
struct nf_cl_watch {
    cl_program handle;
    int more;  /* references gained since the beginning of the watch */
    bool anew; /* a build has dropped the record and has not decided yet whether to create another record */
    struct nf_cl_watch *next;
};

static struct nf_cl_watch *watches;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;
static struct nf_cl_lock program_locks[LOCKS]; /* zero initialization is valid */

static size_t hash(const void *handle)
{
    uintptr_t bits = (uintptr_t)handle >> 4;
    return (bits ^ bits >> 10) % BUCKETS;
}

/* ---- programs; these functions need the lock ---- */

static struct nf_cl_program *find_program(const void *handle)
{
    struct nf_cl_program *at = handle ? programs[hash(handle)] : NULL;
    while (at && at->handle != handle)
        at = at->chain;
    return at;
}

static bool unused(const struct nf_cl_program *program)
{
    return program->references == 0 && program->kernels == 0 && program->pins == 0;
}

static void remove_program(struct nf_cl_program *program)
{
    struct nf_cl_program **at = &programs[hash(program->handle)];
    while (*at != program)
        at = &(*at)->chain;
    *at = program->chain;
    program->listed = false;
}

/* Releases the lock, and destroys the program if its last reference has been released. */
static void settle(struct nf_cl_program *program)
{
    bool last = unused(program);
    if (last && program->listed) remove_program(program);
    nf_cl_lock_release(&lock);
    if (last) program->destroy(program);
}

/* ---- programs ---- */

struct nf_cl_lock *nf_cl_program_lock(const struct nf_cl_program *program)
{
    return &program_locks[hash(program) % LOCKS];
}

/* Removes an older record of the same handle: if two threads have built one driver program, the later record remains.
 * Needs the lock. @return the older record, pinned, or NULL. */
static struct nf_cl_program *supersede(const struct nf_cl_program *program, cl_uint *references)
{
    struct nf_cl_program *older = find_program(program->handle);
    if (!older) return NULL;
    *references = older->references;
    remove_program(older);
    older->references = 0;
    older->pins++;
    return older;
}

void nf_cl_registry_add(struct nf_cl_program *program, cl_uint references, const struct nf_cl_watch *watch,
                        void (*destroy)(struct nf_cl_program *program))
{
    struct nf_cl_program **first = &programs[hash(program->handle)];
    nf_cl_lock_acquire(&lock);
    if (watch) references += (cl_uint)watch->more;
    struct nf_cl_program *older = supersede(program, &references);
    program->references = references;
    program->destroy = destroy;
    program->listed = true;
    program->chain = *first;
    *first = program;
    nf_cl_lock_release(&lock);
    if (older) nf_cl_program_unpin(older);
}

/* ---- watches of handles ---- */

/* Adds to the count of every watch of the handle. Needs the lock. */
static void note(cl_program handle, int by)
{
    for (struct nf_cl_watch *at = watches; at; at = at->next)
        if (at->handle == handle) at->more += by;
}

bool nf_cl_registry_drop(struct nf_cl_program *program, struct nf_cl_dropped_references *held)
{
    nf_cl_lock_acquire(&lock);
    bool listed = program->listed;
    if (held) held->references = program->references;
    if (held && held->since) {
        held->since->more = 0;
        held->since->anew = listed;
    }
    if (listed) remove_program(program);
    program->references = 0;
    nf_cl_lock_release(&lock); /* the caller has it pinned, so it is not destroyed here */
    return listed;
}

void nf_cl_registry_end_building(cl_program handle)
{
    nf_cl_lock_acquire(&lock);
    for (struct nf_cl_watch *at = watches; at; at = at->next)
        if (at->handle == handle) at->anew = false;
    nf_cl_lock_release(&lock);
}

bool nf_cl_registry_is_building(cl_program handle)
{
    nf_cl_lock_acquire(&lock);
    const struct nf_cl_watch *at = watches;
    while (at && !(at->handle == handle && at->anew))
        at = at->next;
    nf_cl_lock_release(&lock);
    return at;
}

struct nf_cl_watch *nf_cl_registry_watch(cl_program handle)
{
    struct nf_cl_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    watch->handle = handle;
    nf_cl_lock_acquire(&lock);
    watch->next = watches;
    watches = watch;
    nf_cl_lock_release(&lock);
    return watch;
}

void nf_cl_registry_unwatch(struct nf_cl_watch *watch)
{
    struct nf_cl_watch **at = &watches;
    if (!watch) return;
    nf_cl_lock_acquire(&lock);
    while (*at != watch)
        at = &(*at)->next;
    *at = watch->next;
    nf_cl_lock_release(&lock);
    free(watch);
}

cl_uint nf_cl_registry_references(const struct nf_cl_dropped_references *held, struct nf_cl_watch *watch)
{
    nf_cl_lock_acquire(&lock);
    cl_uint references = held->references + (cl_uint)(held->since ? held->since->more : 0);
    if (watch) watch->more = 0;
    nf_cl_lock_release(&lock);
    return references;
}

void nf_cl_registry_adjust(cl_program handle, int by)
{
    nf_cl_lock_acquire(&lock);
    struct nf_cl_program *program = find_program(handle);
    if (!program) {
        note(handle, by);
        nf_cl_lock_release(&lock);
        return;
    }
    program->references += (cl_uint)by;
    settle(program);
}

/* ---- references to programs ---- */

struct nf_cl_program *nf_cl_program_get(cl_program handle)
{
    nf_cl_lock_acquire(&lock);
    struct nf_cl_program *program = find_program(handle);
    if (program) program->pins++;
    nf_cl_lock_release(&lock);
    return program;
}

void nf_cl_program_pin(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(&lock);
    program->pins++;
    nf_cl_lock_release(&lock);
}

void nf_cl_program_unpin(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(&lock);
    program->pins--;
    settle(program);
    nf_cl_exit_renew(); /* the call ends here, and may have entered the driver */
}

void nf_cl_program_retain(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(&lock);
    /* A build has removed an unlisted program from the table, and counts the references to its handle by a watch. */
    if (program->listed)
        program->references++;
    else
        note(program->handle, 1);
    nf_cl_lock_release(&lock);
}

bool nf_cl_program_release(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(&lock);
    bool held = !program->listed || program->references > 0;
    if (!program->listed)
        note(program->handle, -1);
    else if (held)
        program->references--;
    nf_cl_lock_release(&lock); /* the caller has it pinned, so it is not destroyed here */
    return held;
}

cl_uint nf_cl_program_references(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(&lock);
    cl_uint count = program->references;
    nf_cl_lock_release(&lock);
    return count;
}

cl_uint nf_cl_program_kernels(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(&lock);
    cl_uint count = program->kernels;
    nf_cl_lock_release(&lock);
    return count;
}

bool nf_cl_registry_empty(void)
{
    nf_cl_lock_acquire(&lock);
    bool empty = true;
    for (int i = 0; i < BUCKETS; i++)
        empty = empty && !programs[i];
    nf_cl_lock_release(&lock);
    return empty;
}

/* ---- kernels ---- */

static struct kernel_entry **find_kernel(cl_kernel handle)
{
    struct kernel_entry **at = &kernels[hash(handle)];
    while (*at && (*at)->kernel.parts[0].kernel != handle)
        at = &(*at)->chain;
    return at;
}

static bool is_special(const struct nf_cl_kernel *kernel)
{
    return kernel->program->group_count > 1 || kernel->visible != UINT_MAX;
}

bool nf_cl_kernel_add(const struct nf_cl_kernel *kernel)
{
    struct kernel_entry *entry = calloc(1, sizeof *entry);
    if (!entry) return false;
    struct kernel_entry **first = &kernels[hash(kernel->parts[0].kernel)];
    entry->kernel = *kernel;
    entry->references = 1;
    nf_cl_lock_acquire(&lock);
    entry->chain = *first;
    *first = entry;
    kernel->program->kernels++;
    nf_cl_lock_release(&lock);
    if (is_special(kernel)) atomic_fetch_add(&nf_cl_special_kernels, 1);
    return true;
}

bool nf_cl_kernel_find(cl_kernel handle, struct nf_cl_kernel *kernel)
{
    nf_cl_lock_acquire(&lock);
    const struct kernel_entry *entry = *find_kernel(handle);
    if (entry) *kernel = entry->kernel;
    nf_cl_lock_release(&lock);
    return entry != NULL;
}

void nf_cl_kernel_retain(cl_kernel handle)
{
    nf_cl_lock_acquire(&lock);
    struct kernel_entry *entry = *find_kernel(handle);
    if (entry) entry->references++;
    nf_cl_lock_release(&lock);
}

bool nf_cl_kernel_release(cl_kernel handle, struct nf_cl_kernel *kernel)
{
    nf_cl_lock_acquire(&lock);
    struct kernel_entry **at = find_kernel(handle), *entry = *at;
    bool last = entry && --entry->references == 0;
    if (last) {
        *at = entry->chain;
        *kernel = entry->kernel;
        kernel->program->kernels--;
        kernel->program->pins++;
    }
    nf_cl_lock_release(&lock);
    if (!last) return false;
    if (is_special(kernel)) atomic_fetch_sub(&nf_cl_special_kernels, 1);
    free(entry);
    return true;
}
