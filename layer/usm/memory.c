/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - placement of allocations in driver memory. Takes sizes and alignments; gives blocks. Small blocks are
 * slots of slabs, because drivers may be slow with many allocations (PoCL 3.1 walks a list to free one: 60 us with
 * 5,000 alive) and align to 128 bytes at most. A large block has driver memory of its own, longer than the block by one
 * page, or by the requested alignment if that is larger, and begins at the first such boundary in it: so no page
 * belongs to two allocations, as blocks.c requires. If the extra bytes would exceed the driver's maximum allocation,
 * the block lies exactly where the driver allocates it.
 *
 *     class 0: slots of 64 bytes ... class 12: slots of 256 KiB; a slab has 64 KiB to 2 MiB, and its slots are aligned
 *     to their size, up to a page
 *
 * A freed large block of at most 32 MiB is retained for the next allocation of about its size, up to 16 blocks and 64
 * MiB per context. malloc() retains as much, and CPU drivers allocate with malloc(), so the application takes as much
 * time and memory as without this library.
 *
 * On coarse-grained devices the view of a block changes at each launch that may access it, so each block there has
 * driver memory of its own. So has each block on devices whose kernels access only listed pointers, and each block of
 * the driver's own types of memory; these blocks are not retained either.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOT_BITS_MIN = 6,
    SLAB_BYTES_MIN = 1 << 16,
    SLOTS_MIN = 8,
    REUSE_BLOCK_MAX = 32 << 20,
    REUSE_TOTAL_MAX = 64 << 20
};

static size_t slot_size(unsigned class)
{
    return (size_t)1 << (class + SLOT_BITS_MIN);
}

/* Returns true if memory of the context may be reused for other allocations without a call to the driver: it is
 * fine-grained, needs no listing, and has no type of the driver's own. */
static bool is_pooled(const struct nf_usm_context *context)
{
    return context->fine && !context->needs_listing && !context->calls.alloc_of_type;
}

/* Returns the smallest class whose slots have that size and alignment, NF_USM_CLASSES if none has. */
static unsigned class_of(const struct nf_usm_context *context, size_t size, size_t alignment)
{
    unsigned class = 0;
    if (!is_pooled(context) || alignment > NF_USM_PAGE) return NF_USM_CLASSES;
    while (class < NF_USM_CLASSES && (slot_size(class) < size || slot_size(class) < alignment))
        class ++;
    return class;
}

static size_t round_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

static cl_context handle_of(const struct nf_usm_context *context)
{
    return (cl_context)(uintptr_t)context->record.handle;
}

/* Allocates memory of one of the driver's own types. A type that must be associated with a device is associated with
 * the first device if the allocation has none. */
static void *driver_memory_of_type(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size)
{
    const cl_device_id device = placement.device ? placement.device : context->devices[0];
    const struct nf_usm_device *known = nf_usm_device_find(device);
    const cl_svm_alloc_properties_khr properties[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                      (cl_svm_alloc_properties_khr)(uintptr_t)device, 0};
    cl_int error;
    if (!known) return NULL;
    const struct nf_usm_native_type *type = &known->native[NF_USM_TYPE_NUMBER(placement.type)];
    bool is_free = type->capabilities & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
    return context->calls.alloc_of_type(handle_of(context), is_free ? NULL : properties, type->index, size, &error);
}

static void *driver_memory(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size)
{
    if (context->calls.alloc_of_type) return driver_memory_of_type(context, placement, size);
    return context->calls.alloc(handle_of(context), context->flags, size, 0);
}

static void *take_memory(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size)
{
    void *memory = driver_memory(context, placement, size);
    if (memory) atomic_fetch_add(&context->users, 1);
    return memory;
}

/* Allocates `size` bytes and room for the alignment, which is a page at least. Sets `*memory` to the pointer that the
 * driver must free. Returns the aligned start, or NULL. */
static char *take_pages(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size,
                        size_t alignment, void **memory)
{
    if (alignment < NF_USM_PAGE) alignment = NF_USM_PAGE;
    if (size > SIZE_MAX - 2 * alignment) return NULL;
    *memory = take_memory(context, placement, size + alignment);
    if (!*memory) return NULL;
    return (char *)*memory + (round_up((uintptr_t)*memory, alignment) - (uintptr_t)*memory);
}

static void free_memory(struct nf_usm_context *context, void *memory)
{
    context->calls.free(handle_of(context), memory);
    nf_usm_context_put(context);
}

/* ---- slabs ---- */

/* Inserts a slab at the head of a list. needs: the context's lock. */
static void link_slab(struct nf_usm_slab **list, struct nf_usm_slab *slab)
{
    slab->next = *list;
    slab->place = list;
    if (*list) (*list)->place = &slab->next;
    *list = slab;
}

/* Removes a slab from its list, which has only slabs with a free slot. needs: the context's lock. */
static void unlink_slab(struct nf_usm_slab *slab)
{
    *slab->place = slab->next;
    if (slab->next) slab->next->place = slab->place;
    slab->next = NULL;
    slab->place = NULL;
}

/* The records of destroyed slabs, by class. These records are reused and never freed, because a lookup may read the
 * record of any slab that begins below its pointer, even if the pointer is in no allocation (blocks.c). */
static struct nf_usm_slab *spare_slabs[NF_USM_CLASSES];
static struct nf_cl_lock spare_lock = NF_CL_LOCK_INIT;

static struct nf_usm_slab *make_slab_record(unsigned class)
{
    size_t slot = slot_size(class), count = SLAB_BYTES_MIN / slot;
    if (count < SLOTS_MIN) count = SLOTS_MIN;
    struct nf_usm_slab *slab = calloc(1, sizeof *slab + count * (sizeof slab->blocks[0] + sizeof *slab->next_free));
    if (!slab) return NULL;
    slab->slot = slot;
    slab->class = class;
    slab->count = (unsigned)count;
    slab->next_free = (unsigned *)&slab->blocks[count];
    return slab;
}

/* Returns the record of a slab with free slots only, which has no driver memory yet; NULL if host memory is
 * exhausted. */
static struct nf_usm_slab *take_slab_record(unsigned class)
{
    nf_cl_lock_acquire(&spare_lock);
    struct nf_usm_slab *slab = spare_slabs[class];
    if (slab) spare_slabs[class] = slab->next;
    nf_cl_lock_release(&spare_lock);
    if (!slab) slab = make_slab_record(class);
    if (!slab) return NULL;
    slab->free = 1;
    slab->next = NULL;
    for (unsigned i = 0; i < slab->count; i++)
        slab->next_free[i] = i + 1 < slab->count ? i + 2 : 0;
    return slab;
}

static void free_slab_record(struct nf_usm_slab *slab)
{
    nf_cl_lock_acquire(&spare_lock);
    slab->next = spare_slabs[slab->class];
    spare_slabs[slab->class] = slab;
    nf_cl_lock_release(&spare_lock);
}

static void destroy_slab(struct nf_usm_context *context, struct nf_usm_slab *slab)
{
    nf_usm_page_map_clear(slab->base);
    free_memory(context, slab->memory);
    free_slab_record(slab);
}

static struct nf_usm_slab *make_slab(struct nf_usm_context *context, unsigned class)
{
    struct nf_usm_slab *slab = take_slab_record(class);
    if (!slab) return NULL;
    slab->base = take_pages(context, NF_USM_ANYWHERE, slab->slot * slab->count, NF_USM_PAGE, &slab->memory);
    if (slab->base && nf_usm_page_map_set(slab->base, NULL, slab)) return slab;
    if (slab->base) free_memory(context, slab->memory);
    free_slab_record(slab);
    return NULL;
}

/* Takes a free slot of a slab that is in a list. needs: the context's lock. */
static struct nf_usm_block *take_slot(struct nf_usm_slab *slab)
{
    unsigned index = slab->free - 1;
    struct nf_usm_block *block = &slab->blocks[index];
    slab->free = slab->next_free[index];
    slab->used++;
    if (!slab->free) unlink_slab(slab);
    block->base = slab->base + index * slab->slot;
    block->slab = slab;
    return block;
}

static struct nf_usm_block *take_from_slab(struct nf_usm_context *context, unsigned class)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    nf_cl_lock_acquire(lock);
    struct nf_usm_slab *slab = context->slabs[class];
    struct nf_usm_block *block = slab ? take_slot(slab) : NULL;
    nf_cl_lock_release(lock);
    if (block) return block;
    slab = make_slab(context, class); /* without the lock, as it calls the driver */
    if (!slab) return NULL;
    nf_cl_lock_acquire(lock);
    link_slab(&context->slabs[class], slab);
    block = take_slot(slab);
    nf_cl_lock_release(lock);
    return block;
}

/* Frees a slot, and its slab if the slab is empty. An empty slab is retained for the next allocation if no other slab
 * of its class has a free slot, and the application has not released the context. */
static void free_slot(struct nf_usm_context *context, struct nf_usm_block *block)
{
    struct nf_usm_slab *slab = block->slab;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    unsigned index = (unsigned)(block - slab->blocks);
    nf_cl_lock_acquire(lock);
    if (!slab->free) link_slab(&context->slabs[slab->class], slab);
    slab->next_free[index] = slab->free;
    slab->free = index + 1;
    bool last =
        --slab->used == 0 && (context->record.held == 0 || slab->next || slab->place != &context->slabs[slab->class]);
    if (last) unlink_slab(slab);
    nf_cl_lock_release(lock);
    if (last) destroy_slab(context, slab);
}

/* ---- blocks with driver memory of their own ---- */

/* Returns true if size and alignment together exceed the driver's maximum allocation, so that there is no extra page
 * for alignment. */
static bool exceeds_largest_allocation(const struct nf_usm_context *context, size_t size, size_t alignment)
{
    if (alignment < NF_USM_PAGE) alignment = NF_USM_PAGE;
    return alignment > context->largest || round_up(size, NF_USM_PAGE) > context->largest - alignment;
}

/* Allocates exactly `size` bytes. Returns NULL if the driver fails or its memory does not have the alignment. */
static char *take_longest(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size,
                          size_t alignment, void **memory)
{
    *memory = take_memory(context, placement, size);
    if (!*memory || !alignment || (uintptr_t)*memory % alignment == 0) return *memory;
    free_memory(context, *memory);
    return NULL;
}

static struct nf_usm_block *make_own(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size,
                                     size_t alignment)
{
    const bool longest = exceeds_largest_allocation(context, size, alignment);
    struct nf_usm_block *block = nf_usm_block_new();
    if (!block) return NULL;
    block->slab = NULL;
    block->room = longest ? size : round_up(size, NF_USM_PAGE);
    block->base = longest ? take_longest(context, placement, size, alignment, &block->memory)
                          : take_pages(context, placement, block->room, alignment, &block->memory);
    if (block->base && nf_usm_page_map_set(block->base, block, NULL)) return block;
    if (block->base) free_memory(context, block->memory);
    nf_usm_block_recycle(block);
    return NULL;
}

static void destroy_own(struct nf_usm_context *context, struct nf_usm_block *block)
{
    nf_usm_page_map_clear(block->base);
    void *memory = block->memory;
    nf_usm_block_recycle(block);
    free_memory(context, memory);
}

/* Removes and returns the retained block at `index`. needs: the context's lock. */
static struct nf_usm_block *take_reusable(struct nf_usm_reusable *reusable, unsigned index)
{
    struct nf_usm_block *block = reusable->blocks[index];
    reusable->count--;
    reusable->bytes -= block->room;
    memmove(&reusable->blocks[index], &reusable->blocks[index + 1],
            (reusable->count - index) * sizeof reusable->blocks[0]);
    return block;
}

/* Returns true if a retained block serves the request with at most a fifth of it unused. */
static bool fits(const struct nf_usm_block *block, size_t size, size_t alignment)
{
    if (alignment && ((uintptr_t)block->base & (alignment - 1))) return false;
    return block->room >= size && block->room - size <= size / 4;
}

static struct nf_usm_block *take_own(struct nf_usm_context *context, struct nf_usm_placement placement, size_t size,
                                     size_t alignment)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    struct nf_usm_block *block = NULL;
    nf_cl_lock_acquire(lock);
    for (unsigned i = context->reusable.count; i-- > 0 && !block;)
        if (fits(context->reusable.blocks[i], size, alignment)) block = take_reusable(&context->reusable, i);
    nf_cl_lock_release(lock);
    return block ? block : make_own(context, placement, size, alignment);
}

/* Retains the block for a later allocation, if its size allows that and the application has not released the context.
 * Returns a list of the blocks that must be freed instead: this block, or older blocks. */
static struct nf_usm_block *keep(struct nf_usm_context *context, struct nf_usm_block *block)
{
    struct nf_usm_reusable *reusable = &context->reusable;
    struct nf_usm_block *gone = NULL, *oldest;
    block->next = NULL;
    if (!is_pooled(context) || block->room > REUSE_BLOCK_MAX) return block;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    bool keeps = context->record.held > 0;
    while (keeps && (reusable->count == NF_USM_REUSABLE_MAX || reusable->bytes + block->room > REUSE_TOTAL_MAX)) {
        oldest = take_reusable(reusable, 0);
        oldest->next = gone;
        gone = oldest;
    }
    if (keeps) reusable->blocks[reusable->count++] = block;
    if (keeps) reusable->bytes += block->room;
    nf_cl_lock_release(nf_usm_lock_of(context));
    return keeps ? gone : block;
}

static void keep_or_destroy(struct nf_usm_context *context, struct nf_usm_block *block)
{
    struct nf_usm_block *next;
    for (block = keep(context, block); block; block = next) {
        next = block->next;
        destroy_own(context, block);
    }
}

void nf_usm_memory_free_reusable(struct nf_usm_context *context)
{
    struct nf_usm_block *block;
    do {
        nf_cl_lock_acquire(nf_usm_lock_of(context));
        block = context->reusable.count ? take_reusable(&context->reusable, 0) : NULL;
        nf_cl_lock_release(nf_usm_lock_of(context));
        if (block) destroy_own(context, block);
    } while (block);
}

struct nf_usm_block *nf_usm_memory_allocate(struct nf_usm_context *context, struct nf_usm_placement placement,
                                            size_t size, size_t alignment)
{
    if (size > SIZE_MAX - NF_USM_PAGE) return NULL;
    unsigned class = class_of(context, size, alignment);
    struct nf_usm_block *block =
        class < NF_USM_CLASSES ? take_from_slab(context, class) : take_own(context, placement, size, alignment);
    if (!block) return NULL;
    block->size = size;
    block->context = context;
    block->type = placement.type;
    return block;
}

void nf_usm_memory_release(struct nf_usm_block *block)
{
    if (block->slab)
        free_slot(block->context, block);
    else
        keep_or_destroy(block->context, block);
}

/* Returns an empty slab, removed from its list, or NULL. */
static struct nf_usm_slab *take_empty(struct nf_usm_context *context)
{
    struct nf_usm_slab *empty = NULL;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    for (unsigned class = 0; class < NF_USM_CLASSES && !empty; class ++)
        for (struct nf_usm_slab *slab = context->slabs[class]; slab && !empty; slab = slab->next)
            if (slab->used == 0) empty = slab;
    if (empty) unlink_slab(empty);
    nf_cl_lock_release(nf_usm_lock_of(context));
    return empty;
}

char *nf_usm_scratch(struct nf_usm_context *context)
{
    char *scratch = atomic_load(&context->scratch), *none = NULL;
    if (scratch) return scratch;
    scratch = driver_memory(context, NF_USM_ANYWHERE, 2);
    if (!scratch || atomic_compare_exchange_strong(&context->scratch, &none, scratch)) return scratch;
    context->calls.free(handle_of(context), scratch);
    return none;
}

void nf_usm_memory_free_unused(struct nf_usm_context *context)
{
    struct nf_usm_slab *slab;
    nf_usm_memory_free_reusable(context);
    while ((slab = take_empty(context)) != NULL)
        destroy_slab(context, slab);
    if (context->scratch) context->calls.free(handle_of(context), context->scratch);
    context->scratch = NULL;
}
