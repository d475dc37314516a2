/* SPDX-License-Identifier: Apache-2.0 */
/*
 * windows.c - two windows of this process's address space in which no object can lie, for devices whose global
 * addresses are the host's: an address in one of them is a private or a local address for certain. Takes nothing;
 * gives the base of the first, the same in nearly every process, so that what was made for it is found in the cache again.
 *
 *     0x200000000000  private     PROT_NONE: neither memory nor swap space is spent on them, and an access of the
 *     0x200100000000  local       host's ends as one to any other address without memory
 *
 * Each has 4 GB, half of which lie below its base.
 *
 * The windows stay reserved until the process ends: kernels that hold their addresses may outlive the layer's records.
 * A child of fork() has inherited them. Another copy of the layer finds them taken and reserves the next ones.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <sys/mman.h>
#include <sys/resource.h>

/* Below 2^46, where neither the loader, the heap nor mmap() itself puts anything on a 48-bit or 47-bit system. */
static const uint64_t candidates[] = {UINT64_C(0x200000000000), UINT64_C(0x300000000000), UINT64_C(0x280000000000),
                                      UINT64_C(0x180000000000)};

static uint64_t reserved;
static pthread_once_t reserved_once = PTHREAD_ONCE_INIT;

/* A wish, not MAP_FIXED_NOREPLACE: ThreadSanitizer makes address 0 of a fixed one that lies in its shadow, and ends the
 * process when root gets that. */
static bool reserve_at(uint64_t base)
{
    const size_t size = (size_t)(2 * NF_CL_WINDOW_BYTES);
    void *wanted = (void *)(uintptr_t)(base - NF_CL_WINDOW_BYTES / 2);
    void *got = mmap(wanted, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return false;
    if (got != wanted) munmap(got, size);
    return got == wanted;
}

/* A limit on the address space is the application's to spend: of 16 GB a reservation would leave it half. */
static bool is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

static void reserve(void)
{
    if (sizeof(void *) < sizeof(uint64_t) || is_limited()) return;
    for (size_t i = 0; !reserved && i < sizeof candidates / sizeof *candidates; i++)
        if (reserve_at(candidates[i])) reserved = candidates[i];
}

uint64_t nf_cl_reserve_windows(void)
{
    pthread_once(&reserved_once, reserve);
    return reserved;
}
