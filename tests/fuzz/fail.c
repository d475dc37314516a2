/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail.c - ends the process if a property is violated, and provides memory for inputs. Separate from property.c, so
 * that targets without the specializer are small: libFuzzer examines all counters after each input.
 */
#define _GNU_SOURCE
#include "property.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

unsigned long long fuzz_taken;

_Noreturn void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("property does not hold: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

/* One block for the whole process, followed by an inaccessible page. */
const uint8_t *fuzz_at_an_edge(const void *data, size_t size)
{
    enum { PAGE = 4096 };
    static uint8_t *end;
    if (size > FUZZ_EDGE_MAX) return NULL;
    if (!end) {
        uint8_t *block = mmap(NULL, FUZZ_EDGE_MAX + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED || mprotect(block + FUZZ_EDGE_MAX, PAGE, PROT_NONE)) abort();
        end = block + FUZZ_EDGE_MAX;
    }
    if (size) memcpy(end - size, data, size);
    return end - size;
}

size_t fuzz_last_module(const uint8_t *data, size_t size)
{
    static const uint8_t magic[] = {0x03, 0x02, 0x23, 0x07};
    for (size_t at = size / 4 * 4; at >= 4; at -= 4)
        if (size - at >= sizeof magic && memcmp(data + at, magic, sizeof magic) == 0) return at;
    return 0;
}
