/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared_memory.c - does a program allocate shared memory (USM)? Nothing in its modules says so: a pointer is a pointer.
 * But it calls the allocation by name: SYCL's, whose names are parts of the mangled ones, or OpenCL's, which it asks a
 * driver for. So a file that has modules and such a name needs a device with shared memory.
 */
#define _GNU_SOURCE
#include <string.h>

#include "tools/scan/scan.h"

const char *nf_shared_memory_call(const unsigned char *bytes, size_t size)
{
    static const char *const names[] = {
        "malloc_shared",           "malloc_device",         "malloc_host",
        "aligned_alloc_shared",    "aligned_alloc_device",  "aligned_alloc_host",
        "sycl3_V113aligned_alloc", "clSharedMemAllocINTEL", "clHostMemAllocINTEL",
        "clDeviceMemAllocINTEL",
    };
    for (size_t i = 0; bytes && i < sizeof names / sizeof names[0]; i++)
        if (memmem(bytes, size, names[i], strlen(names[i])))
            return strncmp(names[i], "sycl3", 5) == 0 ? "aligned_alloc" : names[i];
    return NULL;
}
