/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.c - the time for waits and measurements. Takes nothing; gives microseconds of a monotonic clock whose origin
 * differs between machines, so only differences of two calls in one process have a meaning. The computation uses
 * integers: a host may have enabled floating-point exceptions for inexact results.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <time.h>

uint64_t nf_cl_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}
