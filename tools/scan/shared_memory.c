/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared_memory.c - detects programs that allocate shared memory (USM), which the modules in the file do not show. Such
 * a program usually contains, uncompressed, the name of an allocation function: SYCL's, within mangled names, or
 * OpenCL's, which it looks up in the driver. A file with modules and such a name probably needs a device with shared
 * memory.
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
