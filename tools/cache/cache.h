/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.h - `nonflat cache`.
 *
 * In: the layer's cache on disk, files with modules to fill it, and archives of caches. Out: lists, results of checks,
 * removed or added entries, archives. May use: base, layer/store, modules.
 */
#ifndef NF_TOOLS_CACHE_H
#define NF_TOOLS_CACHE_H

#include "layer/store/store.h"
#include "tools/base/base.h"

/* An open cache folder and its entries. */
struct nf_cache_folder {
    const char *path;
    int handle;                  /* -1: it does not exist yet */
    bool others;                 /* it belongs to another user, and is only read */
    struct nf_cl_found *entries; /* sorted, longest unused first */
    size_t count;
    uint64_t total;
};

/* ---- entry.c ------------------------------------------------------------------------------------------------------ */

/* Reads all of an entry, which the caller frees. Returns false if it is not to be trusted, or cannot be read. */
bool nf_cache_read_entry(const struct nf_cache_folder *f, const struct nf_cl_found *found, struct nf_cl_bytes *entry);

/* ---- archive.c ---------------------------------------------------------------------------------------------------- */

/* Run `nonflat cache export FILE` and `import FILE`. Each returns the exit status. */
int nf_cache_export(const struct nf_cache_folder *f, const char *path);
int nf_cache_import(struct nf_cache_folder *f, const char *path);

/* ---- warm.c ------------------------------------------------------------------------------------------------------ */

/* Runs `nonflat cache warm FILE...`. Returns the exit status. */
int nf_cache_warm(const struct nf_arguments *arguments);

/* ---- cache.c ----------------------------------------------------------------------------------------------------- */

int nf_command_cache(const struct nf_arguments *arguments);

#endif
