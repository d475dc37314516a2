/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.h - `nonflat cache`.
 *
 * In: the layer's cache on disk, and files with modules to fill it. Out: lists, results of checks, removed or added
 * entries. May use: base, layer/store, modules.
 */
#ifndef NF_TOOLS_CACHE_H
#define NF_TOOLS_CACHE_H

#include "tools/base/base.h"

/* ---- warm.c ------------------------------------------------------------------------------------------------------ */

/* Runs `nonflat cache warm FILE...`. Returns the exit status. */
int nf_cache_warm(const struct nf_arguments *arguments);

/* ---- cache.c ----------------------------------------------------------------------------------------------------- */

int nf_command_cache(const struct nf_arguments *arguments);

#endif
