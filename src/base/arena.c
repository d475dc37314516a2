/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.c - all memory of one call, and the non-local exit of a stage that fails.
 *
 * Small requests are allocated from shared blocks; a growing array is a block of its own, so that the old array can be
 * freed. nf_arena_free() frees all blocks: no stage frees memory when it fails, which makes leaving by longjmp() safe.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

struct nf_block {
    struct nf_block *previous, *next;
    max_align_t data[];
};

/* A new block for small requests has a quarter of the size of all earlier ones, but at least FIRST_BLOCK and at most
 * LAST_BLOCK bytes: small modules need little memory, and little of the last block remains unused. An array of SOME
 * bytes and more grows by a quarter, because the old and the new one exist at the same time. */
enum { FIRST_BLOCK = 1024, LAST_BLOCK = 64 * 1024, LARGE_REQUEST = 256, SMALLEST_ARRAY = 64, SOME = 1024 };

static struct nf_block *add_block(struct nf_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) nf_fail(arena, NF_OUT_OF_MEMORY, 0, "out of memory");
    struct nf_block *block = arena->allocator.allocate(arena->allocator.user, sizeof *block + size);
    if (!block) nf_fail(arena, NF_OUT_OF_MEMORY, 0, "out of memory");
    block->previous = NULL;
    block->next = arena->blocks;
    if (arena->blocks) arena->blocks->previous = block;
    arena->blocks = block;
    return block;
}

void nf_arena_free(struct nf_arena *arena)
{
    for (struct nf_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        arena->allocator.release(arena->allocator.user, block);
    }
    arena->blocks = NULL;
}

void *nf_arena_array(struct nf_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size) nf_fail(arena, NF_OUT_OF_MEMORY, 0, "out of memory");
    return memset(add_block(arena, count * size)->data, 0, count * size);
}

void *nf_arena_new(struct nf_arena *arena, size_t count, size_t size)
{
    if (count * size > LARGE_REQUEST || count > LARGE_REQUEST) return nf_arena_array(arena, count, size);
    size_t bytes = (count * size + 15) & ~(size_t)15;
    if (!arena->next || (size_t)(arena->end - arena->next) < bytes) {
        size_t quarter = arena->in_blocks / 4;
        size_t size = quarter < FIRST_BLOCK ? FIRST_BLOCK : quarter > LAST_BLOCK ? LAST_BLOCK : quarter;
        struct nf_block *block = add_block(arena, size);
        arena->in_blocks += size;
        arena->next = (uint8_t *)block->data;
        arena->end = arena->next + size;
    }
    void *memory = arena->next;
    arena->next += bytes;
    return memset(memory, 0, bytes);
}

static struct nf_block *block_of(void *array)
{
    return (struct nf_block *)((uint8_t *)array - offsetof(struct nf_block, data));
}

void nf_arena_detach(struct nf_arena *arena, void *array)
{
    struct nf_block *block = block_of(array);
    if (block->previous)
        block->previous->next = block->next;
    else
        arena->blocks = block->next;
    if (block->next) block->next->previous = block->previous;
}

void nf_release(const nf_allocator *allocator, void *array)
{
    if (array) allocator->release(allocator->user, block_of(array));
}

void nf_arena_drop(struct nf_arena *arena, void *array)
{
    if (!array) return;
    nf_arena_detach(arena, array);
    nf_release(&arena->allocator, array);
}

#ifdef NF_MOVES_ARRAYS /* tests/oom/moves.sh: an array moves whenever it grows, and its former bytes are overwritten */
enum { MOVES_ARRAYS = 1 };
#else
enum { MOVES_ARRAYS = 0 };
#endif

void *nf_grow_unset(struct nf_arena *arena, void *array, uint32_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return array;
    size_t count = *capacity + (*capacity * size < SOME ? *capacity : *capacity / 4);
    if (count < needed || MOVES_ARRAYS) count = needed;
    if (count * size < SMALLEST_ARRAY && !MOVES_ARRAYS) count = SMALLEST_ARRAY / size;
    if (count > UINT32_MAX / 2 || count > SIZE_MAX / 4 / size) nf_fail(arena, NF_OUT_OF_MEMORY, 0, "out of memory");
    uint8_t *larger = (uint8_t *)add_block(arena, count * size)->data;
    if (*capacity) memcpy(larger, array, *capacity * size);
    if (*capacity && MOVES_ARRAYS) memset(array, 0x5a, *capacity * size);
    nf_arena_drop(arena, array);
    *capacity = (uint32_t)count;
    return larger;
}

void *nf_grow(struct nf_arena *arena, void *array, uint32_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return array;
    size_t before = *capacity;
    uint8_t *larger = nf_grow_unset(arena, array, capacity, needed, size);
    memset(larger + before * size, 0, (*capacity - before) * size);
    return larger;
}

_Noreturn void nf_fail(struct nf_arena *arena, nf_status status, uint32_t at, const char *format, ...)
{
    struct nf_failure *failure = &arena->failure;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    failure->status = status;
    failure->at = at;
    longjmp(failure->back, 1);
}
