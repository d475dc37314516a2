/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.h - SPIR-V in, SPIR-V for a profile out.
 *
 * In: a module, values of its spec constants, what a device takes. Out: one answer of the core library, which is shared
 * by everybody who asks the same: from memory, from disk, or made now. May use: base, store, public.
 */
#ifndef NONFLAT_LAYER_SPECIALIZE_H
#define NONFLAT_LAYER_SPECIALIZE_H

#include "layer/base/base.h"

/* ---- specialize.c: the core library ------------------------------------------------------------------------------ */

struct nf_cl_request {
    const void *module;
    size_t size;
    nf_mode mode;
    bool library;
    const nf_profile *profile;
    const nf_spec_value *specs;
    size_t spec_count;
    unsigned seconds; /* what takes longer is given up; 0: nothing is. No part of the question */
};

/* One answer; shared by everybody who asked the same, so read-only. */
struct nf_cl_special {
    nf_status status;
    bool late;                /* refused, as it took too long: it may be otherwise another time */
    bool changed;             /* `bytes` differ from the module asked about */
    struct nf_cl_bytes bytes; /* the output; empty unless status is NF_OK and `changed` */
    nf_counts counts;
    char *report; /* our part of the build log, "" when nothing is worth saying */
};

/* Ask the core library. @return a fresh answer, or NULL when memory ends. */
struct nf_cl_special *nf_cl_specialize(const struct nf_cl_request *request);
void nf_cl_special_free(struct nf_cl_special *special);

/* ---- cache.c: the same, remembered ------------------------------------------------------------------------------- */

/* As nf_cl_specialize(), remembered; `*hit` says whether it was. Give the answer back with nf_cl_cache_put(). */
struct nf_cl_special *nf_cl_cache_get(const struct nf_cl_request *request, bool *hit);
void nf_cl_cache_put(struct nf_cl_special *special);
/* Append everything that the answer to `request` depends on. */
bool nf_cl_cache_key(const struct nf_cl_request *request, struct nf_cl_bytes *key);
/* Forget all answers that nobody holds. */
void nf_cl_cache_forget(void);

/* ---- summary.c: what was done, for the setting `summary` --------------------------------------------------------- */

/* A program was made of a module with that answer. */
void nf_cl_summary_count(const struct nf_cl_special *special, bool hit);
/* A program was made of a module as it is. */
void nf_cl_summary_pass(void);
/* The driver built a program; it loaded one instead, and that took so many microseconds less. */
void nf_cl_summary_build(void);
void nf_cl_summary_load(uint64_t saved);
/* The layer's own work begins; ends. The clock is 0 when nobody wants to know. */
uint64_t nf_cl_summary_clock(void);
void nf_cl_summary_time(uint64_t since);

/* ---- words.c: what the layer reads of a module by itself --------------------------------------------------------- */

/* @return a word of a module of either byte order. `index` is inside. */
uint32_t nf_cl_word_at(const struct nf_cl_bytes *module, size_t index);
/* Has the module variables in program scope, of those that kernels may write? */
bool nf_cl_has_variables(const struct nf_cl_bytes *module);
/* Is it possible that the module by itself writes one, or gives its address away? */
bool nf_cl_writes_variables(const struct nf_cl_bytes *module);
/* Has a module pipes, or kernels that launch others? */
bool nf_cl_wants_queues(const struct nf_cl_bytes *module);
/* @return the name of the entry point behind the instruction at `*at` (0 to begin), fresh, and moves `*at` to it; NULL
 * when there is none, or when memory ends. */
char *nf_cl_next_entry(const struct nf_cl_bytes *module, size_t *at);
/* @return the size in bytes of the spec constant with that SpecId, 0 when the module has none. */
size_t nf_cl_spec_size(const struct nf_cl_bytes *module, uint32_t id);
/* Copy a module, with values as the defaults of its spec constants. @return false when memory ends. */
bool nf_cl_spec_apply(const struct nf_cl_bytes *module, const nf_spec_value *specs, size_t count,
                      struct nf_cl_bytes *copy);

#endif
