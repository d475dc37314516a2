/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ways.h - the ways in which a module is specialized to compare two builds: modes times devices.
 */
#ifndef NONFLAT_COMPARE_WAYS_H
#define NONFLAT_COMPARE_WAYS_H

#include <nonflat/nonflat.h>

struct way {
    char name[64]; /* for example "dynamic, SPIR-V 1.0" */
    nf_options options;
};

/* @return the number of ways; `index` must be below that. The profile of a way is static data. */
unsigned way_count(void);
struct way way_at(unsigned index);

#endif
