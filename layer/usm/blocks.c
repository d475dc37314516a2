/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.c - from a pointer to the allocation that it points into. A tree over the numbers of pages, as processors have:
 * a step for each 13 bits, four at most, with no lock, while other threads add and take away pages. It works because no
 * page belongs to two: what comes from the driver begins and ends at pages (memory.c).
 *
 *     page number  ->  node -> node -> node -> leaf entry: a block's record, or a slab's with a mark in the lowest bit
 *
 * Nodes stay until the library goes: a process uses few regions of its addresses. So do records of blocks, which are used
 * again: whoever looks up a pointer while another thread frees it, which is the application's mistake, must find memory.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

enum { STEP_BITS = 13, STEPS = 4, FAN = 1 << STEP_BITS, PAGE_BITS = 12, SLAB_MARK = 1, STORE_BLOCKS = 64 };

struct node {
    _Atomic(void *) entries[FAN];
};

static struct node root;

static unsigned step(uintptr_t page, int level)
{
    return (unsigned)((uint64_t)page >> (STEP_BITS * (STEPS - 1 - level))) % FAN;
}

/* @return the node with the entry of a page; NULL when there is none, and none can be made. */
static struct node *leaf_of(uintptr_t page, bool make)
{
    struct node *node = &root;
    for (int level = 0; level < STEPS - 1; level++) {
        _Atomic(void *) *entry = &node->entries[step(page, level)];
        void *child = atomic_load_explicit(entry, memory_order_acquire);
        if (!child) {
            void *fresh = make ? calloc(1, sizeof(struct node)) : NULL;
            if (!fresh) return NULL;
            if (atomic_compare_exchange_strong(entry, &child, fresh))
                child = fresh;
            else
                free(fresh);
        }
        node = child;
    }
    return node;
}

static void *mark(struct nf_usm_slab *slab)
{
    return (void *)((uintptr_t)slab | SLAB_MARK);
}

/* Put `value` into the entries of pages. @return the first page that was not reached, as memory ended. */
static uintptr_t set_pages(uintptr_t first, uintptr_t end, void *value)
{
    while (first < end) {
        struct node *leaf = leaf_of(first, value != NULL);
        uintptr_t stop = (first | (FAN - 1)) + 1;
        if (!leaf && value) return first;
        if (stop > end) stop = end;
        for (; leaf && first < stop; first++)
            atomic_store_explicit(&leaf->entries[first % FAN], value, memory_order_release);
        first = stop;
    }
    return end;
}

static uintptr_t end_of(const char *base, size_t size)
{
    return (((uintptr_t)base + size - 1) >> PAGE_BITS) + 1;
}

bool nf_usm_pages_set(char *base, size_t size, struct nf_usm_block *block, struct nf_usm_slab *slab)
{
    uintptr_t first = (uintptr_t)base >> PAGE_BITS, end = end_of(base, size);
    uintptr_t reached = set_pages(first, end, slab ? mark(slab) : block);
    if (reached == end) return true;
    set_pages(first, reached, NULL);
    return false;
}

void nf_usm_pages_clear(char *base, size_t size)
{
    set_pages((uintptr_t)base >> PAGE_BITS, end_of(base, size), NULL);
}

static struct nf_usm_block *slot_of(struct nf_usm_slab *slab, const char *pointer)
{
    size_t index = (size_t)(pointer - slab->base) / slab->slot;
    return index < slab->count ? &slab->blocks[index] : NULL;
}

struct nf_usm_block *nf_usm_block_find(const void *pointer)
{
    uintptr_t page = (uintptr_t)pointer >> PAGE_BITS, value = 0;
    struct node *leaf = pointer ? leaf_of(page, false) : NULL;
    if (leaf) value = (uintptr_t)atomic_load_explicit(&leaf->entries[page % FAN], memory_order_acquire);
    if (!value) return NULL;
    struct nf_usm_block *block =
        value & SLAB_MARK ? slot_of((struct nf_usm_slab *)(value - SLAB_MARK), pointer) : (struct nf_usm_block *)value;
    if (!block || !atomic_load_explicit(&block->live, memory_order_acquire)) return NULL;
    return (uintptr_t)pointer - (uintptr_t)block->base < block->size ? block : NULL;
}

/* ---- the store of records ---- */

static struct nf_usm_block *store;
static struct store_part {
    struct store_part *next;
    struct nf_usm_block blocks[STORE_BLOCKS];
} * store_parts;
static struct nf_cl_lock store_lock = NF_CL_LOCK_INIT;

/* needs: the lock. */
static void fill_store(void)
{
    struct store_part *part = calloc(1, sizeof *part);
    if (!part) return;
    part->next = store_parts;
    store_parts = part;
    for (int i = 0; i < STORE_BLOCKS; i++) {
        part->blocks[i].next = store;
        store = &part->blocks[i];
    }
}

struct nf_usm_block *nf_usm_block_new(void)
{
    nf_cl_hold(&store_lock);
    if (!store) fill_store();
    struct nf_usm_block *block = store;
    if (block) store = block->next;
    nf_cl_give(&store_lock);
    return block;
}

void nf_usm_block_give(struct nf_usm_block *block)
{
    nf_cl_hold(&store_lock);
    block->next = store;
    store = block;
    nf_cl_give(&store_lock);
}
