/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.h - the two halves of `nonflat cache`: cache.c looks at the folder, cache_warm.c fills it.
 */
#ifndef NF_TOOLS_CACHE_H
#define NF_TOOLS_CACHE_H

#include "command.h"

/* `nonflat cache warm FILE...`. @return the exit status. */
int nf_cache_warm(const nf_arguments *arguments);

#endif
