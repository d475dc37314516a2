/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocate.c - out-of-memory handling in the programs' own C code. A pass that runs out of memory would report a
 * failure, which the layer would take for a refusal of the input and cache permanently. So the program ends with a
 * message when an allocation fails, as LLVM's code does. The linker substitutes these functions for the C library's.
 */
#include "layer/helper/helper.h"

#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

static void *require_memory(void *memory)
{
    if (!memory) nf_helper_out_of_memory();
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return require_memory(__real_malloc(size ? size : 1));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return require_memory(__real_calloc(count ? count : 1, size ? size : 1));
}

void *__wrap_realloc(void *old, size_t size)
{
    return require_memory(__real_realloc(old, size ? size : 1));
}

char *__wrap_strdup(const char *text)
{
    return require_memory(__real_strdup(text));
}
