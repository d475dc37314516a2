/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_aligned.c - preloaded into PoCL's server: large aligned allocations begin at a page boundary. In: the alignment
 * that the caller requests; out: memory with at least that alignment.
 *
 * The server reports the region of its shared memory to the client, which maps memory at the same address in order to
 * have the same pointers. mmap() rounds an address down to a page; if the region does not begin at a page, the server
 * adds the difference to all addresses of every program, with a compiler pass that Debian's library of PoCL hides.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

enum { PAGE = 4096, LARGE = 1 << 20 };

void *__libc_memalign(size_t alignment, size_t size); /* glibc's function, which no header declares */

static size_t at_least(size_t alignment, size_t size)
{
    return size >= LARGE && alignment < PAGE ? PAGE : alignment;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return __libc_memalign(at_least(alignment, size), size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *got = __libc_memalign(at_least(alignment, size), size);
    if (!got) return ENOMEM;
    *memory = got;
    return 0;
}
