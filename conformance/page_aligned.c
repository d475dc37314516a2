/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_aligned.c - a preload for PoCL's server: the region of its shared memory has a fixed address, which is free in
 * almost every process. In: the alignment and the size that a driver of the server wants; out: memory with at least that
 * alignment.
 *
 * The server reports the region to the client, which maps memory at the same address to have the same pointers as the
 * server. If it cannot, because the address is in use or does not begin a page, the server adds the difference to
 * all addresses of every program, by a compiler pass that Debian's library of PoCL hides, so that no build succeeds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
static const size_t LARGE = (size_t)256 << 20;      /* a region is larger, and hardly any buffer */
static const uintptr_t PLACE = (uintptr_t)32 << 40; /* between the program and the libraries of a process on x86-64 */

void *__libc_memalign(size_t alignment, size_t size); /* glibc's own, which no header declares */
void __libc_free(void *memory);

static void *region;
static size_t region_size;

static void *allocate(size_t alignment, size_t size)
{
    if (size < LARGE || region || alignment > PAGE) return __libc_memalign(alignment, size);
    void *place = mmap((void *)PLACE, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == MAP_FAILED) return __libc_memalign(PAGE, size);
    region = place;
    region_size = size;
    return place;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return allocate(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *got = allocate(alignment, size);
    if (!got) return ENOMEM;
    *memory = got;
    return 0;
}

void free(void *memory)
{
    if (!memory || memory != region) {
        __libc_free(memory);
        return;
    }
    region = NULL;
    munmap(memory, region_size);
}
