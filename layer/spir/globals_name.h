/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals_name.h - the name of the kernel that nonflat-spir makes with --globals: it writes the first contents of the
 * program-scope variables, and its name says how many bytes of memory they need. A program that has it wants that
 * memory as the last argument of every kernel.
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

/* @return how many bytes the kernel called `name` asks for, 0 when it is another kernel. */
static inline uint64_t nf_globals_bytes(const char *name)
{
    const size_t length = sizeof NF_GLOBALS_NAME - 1;
    return strncmp(name, NF_GLOBALS_NAME, length) == 0 ? strtoull(name + length, NULL, 10) : 0;
}

#endif
