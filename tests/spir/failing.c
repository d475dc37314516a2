/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failing.c - a library for LD_PRELOAD that makes one allocation of the program's own code fail: the one with index
 * TEST_FAIL_AT, counted from 0. At the end it creates the file TEST_FAIL_COUNT if there were so many allocations.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static uintptr_t first, last;
static long left = -1;

/* The program itself is the first entry. */
static int note(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        if (!first) first = start;
        last = start + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

static __attribute__((constructor)) void begin(void)
{
    const char *at = getenv("TEST_FAIL_AT");
    dl_iterate_phdr(note, NULL);
    left = at ? atol(at) : -1;
}

static int fails(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    if (left < 0 || address < first || address >= last || left-- > 0) return 0;
    int file = open(getenv("TEST_FAIL_COUNT"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
