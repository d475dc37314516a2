/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.c - maps a pointer to its allocation. A radix tree over page numbers holds the first page of each allocation
 * or slab, whatever its size. The entry with the greatest page number that is not above the pointer's page is the only
 * entry that can contain the pointer. This search requires that no two entries begin in one page: driver memory begins
 * and ends at page boundaries (memory.c). The longest allocations are exceptions, so another block may end in the page
 * in which such an allocation begins.
 *
 *     page number  ->  one node per 6 bits of it, with a bitmask of the entries that are not empty
 *                  ->  the record of a block, or of a slab with SLAB_MARK in the lowest bit
 *
 * A lookup takes no lock while other threads insert and remove. Hazard: it may read a bit that is set or cleared at the
 * same time. An allocation that exists during the whole lookup has its bits set throughout, and no other allocation
 * begins within it. So a changing bit can only lead the lookup to an empty subtree, from which the lookup continues at
 * lower addresses; it never misses the right entry.
 *
 * Nodes are never freed: a process uses few regions of its address space. The records of blocks and slabs are not freed
 * either, but reused: a lookup may read the record of the allocation before its pointer, which another thread may free
 * at any time. The record's generation, which changes with each allocation and each free, shows whether the record has
 * changed.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

enum {
    STEP_BITS = 6,
    STEPS = 9,
    USUAL = 3,
    LEAF = STEPS - 1,
    FAN = 1 << STEP_BITS,
    PAGE_BITS = 12,
    SLAB_MARK = 1,
    STORE_BLOCKS = 64
};

struct node {
    _Atomic(uint64_t) bits;
    _Atomic(void *) entries[FAN];
};

/* Addresses of at most 48 bits have a tree of their own, which is three levels lower. No allocation is in both
 * trees. */
static struct node root, usual_root;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT; /* held to change the tree or the pool of records */

static unsigned step(uint64_t page, int level)
{
    return (unsigned)(page >> (STEP_BITS * (LEAF - level))) % FAN;
}

static uint64_t page_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer >> PAGE_BITS;
}

/* Returns the root of the tree for a page, and its level in `*level`. */
static struct node *root_of(uint64_t page, int *level)
{
    *level = page >> (STEP_BITS * (STEPS - USUAL)) ? 0 : USUAL;
    return *level ? &usual_root : &root;
}

/* ---- lookup ---- */

/* Returns the entry with the greatest page number in a subtree, NULL if there is none. `is_on_way`: `node` is on the
 * path from the root to `page`, and only entries up to `page` count; otherwise all of the subtree is below `page`. */
static void *last_below(struct node *node, int level, uint64_t page, bool is_on_way)
{
    const unsigned most = is_on_way ? step(page, level) : FAN - 1;
    uint64_t bits = atomic_load_explicit(&node->bits, memory_order_acquire) & (~(uint64_t)0 >> (FAN - 1 - most));
    void *found = NULL;
    while (bits && !found) {
        unsigned index = FAN - 1 - (unsigned)__builtin_clzll(bits);
        void *entry = atomic_load_explicit(&node->entries[index], memory_order_acquire);
        found = level == LEAF || !entry ? entry : last_below(entry, level + 1, page, is_on_way && index == most);
        bits &= ~((uint64_t)1 << index);
    }
    return found;
}

static struct nf_usm_block *slot_of(struct nf_usm_slab *slab, const char *pointer)
{
    size_t index = (size_t)(pointer - slab->base) / slab->slot;
    return index < slab->count ? &slab->blocks[index] : NULL;
}

/* Returns the block that the last entry up to `page` has for `pointer`, or NULL. The block may still end before
 * `pointer`. */
static struct nf_usm_block *last_up_to(uint64_t page, const void *pointer)
{
    int level;
    struct node *top = root_of(page, &level);
    uintptr_t value = (uintptr_t)last_below(top, level, page, true);
    return value & SLAB_MARK ? slot_of((struct nf_usm_slab *)(value - SLAB_MARK), pointer)
                             : (struct nf_usm_block *)value;
}

/* Returns true if the block is allocated and contains `pointer`. Returns false if another thread has freed the block or
 * reused its record during the read: then the start and the size that were read may belong to two allocations. */
static bool contains(struct nf_usm_block *block, const void *pointer)
{
    unsigned generation = atomic_load_explicit(&block->generation, memory_order_acquire);
    bool is_inside = (uintptr_t)pointer - (uintptr_t)block->base < block->size;
    return generation % 2 && is_inside && atomic_load(&block->generation) == generation;
}

struct nf_usm_block *nf_usm_block_find(const void *pointer)
{
    const uint64_t page = page_of(pointer);
    for (uint64_t last = page; last && last + 1 >= page; last--) { /* the pointer's page, and the page before it */
        struct nf_usm_block *block = last_up_to(last, pointer);
        if (block && contains(block, pointer)) return block;
    }
    return NULL;
}

/* ---- insert and remove ---- */

/* Sets `path` to the nodes from the root of a page, at level `*first`, to its leaf. Returns false if a node is missing
 * and must not or cannot be created. needs: the lock. */
static bool find_path(uint64_t page, bool make, struct node *path[STEPS], int *first)
{
    struct node *top = root_of(page, first);
    path[*first] = top;
    for (int level = *first; level < LEAF; level++) {
        _Atomic(void *) *entry = &path[level]->entries[step(page, level)];
        void *child = atomic_load_explicit(entry, memory_order_relaxed);
        if (!child && make) child = calloc(1, sizeof(struct node));
        if (!child) return false;
        atomic_store_explicit(entry, child, memory_order_release);
        path[level + 1] = child;
    }
    return true;
}

bool nf_usm_page_map_set(const char *base, struct nf_usm_block *block, struct nf_usm_slab *slab)
{
    const uint64_t page = page_of(base);
    void *const value = slab ? (void *)((uintptr_t)slab | SLAB_MARK) : block;
    struct node *path[STEPS];
    int first;
    nf_cl_lock_acquire(&lock);
    bool good = find_path(page, true, path, &first);
    if (good) atomic_store_explicit(&path[LEAF]->entries[step(page, LEAF)], value, memory_order_release);
    for (int level = LEAF; good && level >= first; level--)
        atomic_fetch_or_explicit(&path[level]->bits, (uint64_t)1 << step(page, level), memory_order_release);
    nf_cl_lock_release(&lock);
    return good;
}

void nf_usm_page_map_clear(const char *base)
{
    const uint64_t page = page_of(base);
    struct node *path[STEPS];
    int first;
    nf_cl_lock_acquire(&lock);
    bool empty = find_path(page, false, path, &first);
    if (empty) atomic_store_explicit(&path[LEAF]->entries[step(page, LEAF)], NULL, memory_order_release);
    for (int level = LEAF; empty && level >= first; level--) {
        const uint64_t bit = (uint64_t)1 << step(page, level);
        empty = atomic_fetch_and_explicit(&path[level]->bits, ~bit, memory_order_release) == bit;
    }
    nf_cl_lock_release(&lock);
}

/* ---- the pool of block records ---- */

static struct nf_usm_block *store;
static struct store_part {
    struct store_part *next;
    struct nf_usm_block blocks[STORE_BLOCKS];
} * store_parts;

/* Adds STORE_BLOCKS records to the pool; leaves it empty if host memory is exhausted. needs: the lock. */
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
    nf_cl_lock_acquire(&lock);
    if (!store) fill_store();
    struct nf_usm_block *block = store;
    if (block) store = block->next;
    nf_cl_lock_release(&lock);
    return block;
}

void nf_usm_block_recycle(struct nf_usm_block *block)
{
    nf_cl_lock_acquire(&lock);
    block->next = store;
    store = block;
    nf_cl_lock_release(&lock);
}
