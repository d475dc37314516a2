/* SPDX-License-Identifier: Apache-2.0 */
/*
 * windows.c - reserves two windows of this process's address space, for devices whose global addresses are host
 * addresses: no object can lie there, so an address inside a window is private or local. Gives the base of the first
 * window, which is the same in nearly every process, so that cached results that depend on it can be reused.
 *
 *     0x200000000000  private     PROT_NONE: no memory or swap space is used, and an access by the host faults like an
 *     0x220000000000  local       access to any unmapped address
 *
 * Each window has 4 GB; half of the window lies below its base. The difference of a private and a local address has 41
 * or 42 bits, more than a count of the core (40 bits), so it is never mistaken for a count.
 *
 * The windows stay reserved until the process ends, because kernels with their addresses may outlive the layer's
 * records. A child of fork() inherits them. Another copy of the layer in the process cannot reserve the same windows,
 * and takes the next candidates.
 */
#include "layer/base/base.h"

/* Addresses below 2^46, where neither the loader nor the heap nor mmap() allocates by default with 47-bit or 48-bit
 * addresses. */
static const uint64_t candidates[] = {UINT64_C(0x200000000000), UINT64_C(0x280000000000), UINT64_C(0x180000000000),
                                      UINT64_C(0x080000000000)};

static bool long_reserved;
static uint64_t reserved;
static pthread_once_t reserved_once = PTHREAD_ONCE_INIT, long_reserved_once = PTHREAD_ONCE_INIT;

/* Reserves both windows, with the private window at that base, and returns true; or none, and returns false. */
static bool reserve_at(uint64_t base)
{
    const uint64_t start = base - NF_CL_WINDOW_BYTES / 2;
    if (!nf_cl_reserve_range(start, NF_CL_WINDOW_BYTES)) return false;
    if (nf_cl_reserve_range(start + NF_CL_WINDOW_DISTANCE, NF_CL_WINDOW_BYTES)) return true;
    nf_cl_release_range(start, NF_CL_WINDOW_BYTES);
    return false;
}

static void reserve(void)
{
    for (size_t i = 0; !reserved && i < sizeof candidates / sizeof *candidates; i++)
        if (reserve_at(candidates[i])) reserved = candidates[i];
}

static void reserve_long(void)
{
    long_reserved = nf_cl_reserve_range(NF_CL_LONG_WINDOWS, 2 * NF_CL_LONG_WINDOW_BYTES);
}

bool nf_cl_reserve_long_windows(void)
{
    pthread_once(&long_reserved_once, reserve_long);
    return long_reserved;
}

uint64_t nf_cl_reserve_windows(void)
{
    pthread_once(&reserved_once, reserve);
    return reserved;
}
