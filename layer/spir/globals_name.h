/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals_name.h - the name of the kernel that nonflat-spir and the core create for program-scope variables in a
 * buffer. The kernel initializes the variables, and its name states their size in bytes. If a program has it, every
 * kernel of the program takes the buffer as its last argument.
 */
#ifndef NF_GLOBALS_NAME_H
#define NF_GLOBALS_NAME_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NF_GLOBALS_NAME "nonflat_globals_"
enum { NF_GLOBALS_NAME_SIZE = sizeof NF_GLOBALS_NAME + 20 };

static inline void nf_globals_name(uint64_t bytes, char name[NF_GLOBALS_NAME_SIZE])
{
    snprintf(name, NF_GLOBALS_NAME_SIZE, NF_GLOBALS_NAME "%llu", (unsigned long long)bytes);
}

/* Returns the size of the buffer in bytes if `name` is such a kernel, else 0. */
static inline uint64_t nf_globals_bytes(const char *name)
{
    const size_t length = sizeof NF_GLOBALS_NAME - 1;
    return strncmp(name, NF_GLOBALS_NAME, length) == 0 ? strtoull(name + length, NULL, 10) : 0;
}

#endif
