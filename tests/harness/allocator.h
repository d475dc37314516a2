/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocator.h - the C library's memory as an allocator, for tests that give stages of the core an arena of their own.
 */
#ifndef NF_TESTS_ALLOCATOR_H
#define NF_TESTS_ALLOCATOR_H

#include <stdlib.h>

#include "nonflat/nonflat.h"

static void *allocate_by_malloc(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void release_by_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static const nf_allocator malloc_allocator = {allocate_by_malloc, release_by_free, NULL};

#endif
