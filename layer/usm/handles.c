/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handles.c - hash tables from driver handles to records, one per kind of handle. A table is divided into parts with a
 * lock each, so that threads with different handles rarely contend.
 *
 * References are counted here, by the application's calls: a command in flight holds references to its queue and its
 * context, so the driver's reference count does not show whether the application has released them.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

enum { PARTS = 64, FIRST_BUCKETS = 16 };

/* A hash table with chaining that grows. The first buckets are part of the table, so that no operation can fail. */
struct part {
    struct nf_cl_lock lock;
    struct nf_usm_record **buckets; /* NULL: `first` */
    size_t bucket_count, count;
    struct nf_usm_record *first[FIRST_BUCKETS];
};

static struct part parts[NF_USM_KINDS][PARTS];
static atomic_size_t totals[NF_USM_KINDS];
static struct nf_cl_lock small_locks[PARTS];

static size_t hash(const void *handle)
{
    uint64_t bits = (uint64_t)(uintptr_t)handle * 0x9e3779b97f4a7c15ull;
    return (size_t)(bits >> 20);
}

static struct part *part_of(enum nf_usm_kind kind, const void *handle)
{
    return &parts[kind][hash(handle) % PARTS];
}

static struct nf_usm_record **buckets_of(struct part *part)
{
    return part->buckets ? part->buckets : part->first;
}

static size_t bucket_count(const struct part *part)
{
    return part->buckets ? part->bucket_count : FIRST_BUCKETS;
}

/* Returns the link to the record of `handle`, or the link at the end of its chain. */
static struct nf_usm_record **place_of(struct part *part, const void *handle)
{
    struct nf_usm_record **place = &buckets_of(part)[hash(handle) / PARTS % bucket_count(part)];
    while (*place && (*place)->handle != handle)
        place = &(*place)->next;
    return place;
}

/* Doubles the number of buckets. If host memory is exhausted the chains become longer instead. */
static void grow(struct part *part)
{
    size_t count = bucket_count(part) * 2;
    struct nf_usm_record **buckets = calloc(count, sizeof(struct nf_usm_record *));
    if (!buckets) return;
    for (size_t i = 0; i < bucket_count(part); i++)
        for (struct nf_usm_record *record = buckets_of(part)[i], *next; record; record = next) {
            struct nf_usm_record **place = &buckets[hash(record->handle) / PARTS % count];
            next = record->next;
            record->next = *place;
            *place = record;
        }
    free(part->buckets);
    part->buckets = buckets;
    part->bucket_count = count;
}

struct nf_usm_record *nf_usm_register(enum nf_usm_kind kind, struct nf_usm_record *record)
{
    struct part *part = part_of(kind, record->handle);
    record->held = 1;
    record->next = NULL;
    nf_cl_lock_acquire(&part->lock);
    if (part->count >= bucket_count(part)) grow(part);
    struct nf_usm_record **place = place_of(part, record->handle), *stale = *place;
    record->next = stale ? stale->next : NULL;
    *place = record;
    part->count += stale == NULL;
    atomic_fetch_add_explicit(&totals[kind], stale == NULL, memory_order_relaxed);
    nf_cl_lock_release(&part->lock);
    return stale;
}

struct nf_usm_record *nf_usm_find(enum nf_usm_kind kind, const void *handle)
{
    if (!handle || atomic_load_explicit(&totals[kind], memory_order_relaxed) == 0) return NULL;
    struct part *part = part_of(kind, handle);
    nf_cl_lock_acquire(&part->lock);
    struct nf_usm_record *found = *place_of(part, handle);
    nf_cl_lock_release(&part->lock);
    return found;
}

void nf_usm_retain(enum nf_usm_kind kind, const void *handle)
{
    if (!handle || atomic_load_explicit(&totals[kind], memory_order_relaxed) == 0) return;
    struct part *part = part_of(kind, handle);
    nf_cl_lock_acquire(&part->lock);
    struct nf_usm_record **place = place_of(part, handle);
    if (*place) (*place)->held++;
    nf_cl_lock_release(&part->lock);
}

/* Removes one reference of the handle, or all references if `for_good` is true. If none is left, removes the record
 * from the table and returns it; else returns NULL. */
static struct nf_usm_record *remove_reference(enum nf_usm_kind kind, const void *handle, bool for_good)
{
    if (!handle || atomic_load_explicit(&totals[kind], memory_order_relaxed) == 0) return NULL;
    struct part *part = part_of(kind, handle);
    nf_cl_lock_acquire(&part->lock);
    struct nf_usm_record **place = place_of(part, handle), *gone = NULL;
    if (*place && (--(*place)->held == 0 || for_good)) {
        gone = *place;
        *place = gone->next;
        part->count--;
        atomic_fetch_sub_explicit(&totals[kind], 1, memory_order_relaxed);
    }
    nf_cl_lock_release(&part->lock);
    return gone;
}

struct nf_usm_record *nf_usm_release(enum nf_usm_kind kind, const void *handle)
{
    return remove_reference(kind, handle, false);
}

struct nf_usm_record *nf_usm_drop(enum nf_usm_kind kind, const void *handle)
{
    return remove_reference(kind, handle, true);
}

struct nf_cl_lock *nf_usm_lock_of(const void *handle)
{
    return &small_locks[hash(handle) % PARTS];
}
