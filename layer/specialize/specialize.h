/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.h - specialization of SPIR-V for a profile.
 *
 * Takes a module, values of its spec constants, and a profile. Gives SPIR-V or OpenCL C, as a result of the core
 * library. The result may be shared by requests with the same input, and comes from memory, from disk, or from a new
 * run. May use: base, store, public.
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
    bool text;           /* the output is OpenCL C */
    uint32_t c_version;  /* the version of OpenCL C; 0 unless `text` */
    uint32_t c_features; /* NF_C_*: features of the compiler of the text; 0 unless `text` */
    const nf_spec_value *specs;
    size_t spec_count;
    unsigned seconds; /* time limit; 0: none. Not part of the cache key */
};

/* One result, which may be shared by requests with the same input, and is therefore read-only. */
struct nf_cl_result {
    nf_status status;
    bool timed_out;           /* refused because of the time limit; a later attempt may be faster */
    bool changed;             /* `bytes` differ from the input module */
    struct nf_cl_bytes bytes; /* the output; empty unless status is NF_OK and `changed` */
    nf_counts counts;
    char *report; /* the layer's part of the build log, "" if there is nothing to report */
};

/* Calls the core library. @return a new result, or NULL if out of memory. */
struct nf_cl_result *nf_cl_specialize(const struct nf_cl_request *request);
void nf_cl_result_free(struct nf_cl_result *special);

/* ---- cache.c: nf_cl_specialize() with a cache -------------------------------------------------------------------- */

/* As nf_cl_specialize(); sets `*hit` to whether the result comes from the cache. Thread-safe. The caller releases the
 * result, NULL if out of memory, with nf_cl_cache_put(). */
struct nf_cl_result *nf_cl_cache_get(const struct nf_cl_request *request, bool *hit);
void nf_cl_cache_put(struct nf_cl_result *special);
/* Appends everything on which the result of `request` depends, except the time limit. Returns false if out of
 * memory. */
bool nf_cl_cache_key(const struct nf_cl_request *request, struct nf_cl_bytes *key);
/* Removes all results from memory; results in use are freed when they are released. */
void nf_cl_cache_forget(void);

/* ---- summary.c: run statistics, for the setting `summary` -------------------------------------------------------- */

/* Counts a program that was created from a module with that result. */
void nf_cl_stats_count(const struct nf_cl_result *special, bool hit);
/* Counts a program that was created from an unmodified module. */
void nf_cl_stats_pass(void);
/* Count a build by the driver, and a load from the cache, which saved `saved` microseconds. */
void nf_cl_stats_build(void);
void nf_cl_stats_load(uint64_t saved);
/* Begin and end a measurement of the layer's own time, in microseconds. The clock is 0 without the setting
 * `summary`. */
uint64_t nf_cl_stats_clock(void);
void nf_cl_stats_time(uint64_t since);

/* ---- arguments.c: the arguments of a kernel ---------------------------------------------------------------------- */

/* Returns the module's facts about the arguments of a kernel, malloc'ed: a line of attributes, which is empty, and a
 * line for each argument as nonflat-cl's notes have it. NULL if the module lacks the kernel, if its ids are too large
 * for its size, or if out of memory. */
char *nf_cl_kernel_record(const struct nf_cl_bytes *module, const char *kernel);

/* ---- subgroups.c: the size of sub-groups ------------------------------------------------------------------------- */

/* Returns false if no kernel of the module depends on the size of its sub-groups; true if a kernel may. */
bool nf_cl_shows_subgroups(const struct nf_cl_bytes *module);
/* Returns the size of sub-groups that a kernel requires, 0 if it requires none, or the module lacks the kernel. */
uint32_t nf_cl_required_subgroup_size(const struct nf_cl_bytes *module, const char *kernel);

/* ---- words.c: queries of a module without the core --------------------------------------------------------------- */

/* Returns true if the module has program-scope variables that kernels may write. */
bool nf_cl_has_variables(const struct nf_cl_bytes *module);
/* Returns true if the module has a variable for which nf_cl_has_variables() returns true, and an instruction of the
 * module may write it or expose its address, or the module cannot be analyzed. */
bool nf_cl_writes_variables(const struct nf_cl_bytes *module);
/* Returns true if the module declares the capability Pipes or DeviceEnqueue. */
bool nf_cl_uses_pipes_or_enqueue(const struct nf_cl_bytes *module);
/* Returns the name of the next entry point after the instruction at `*at` (0 to begin), malloc'ed, and moves `*at` to
 * it; NULL if there is none, or if out of memory. */
char *nf_cl_next_entry(const struct nf_cl_bytes *module, size_t *at);
/* Returns the size in bytes of the spec constant with that SpecId, 0 if the module has none. */
size_t nf_cl_spec_size(const struct nf_cl_bytes *module, uint32_t id);
/* Copies a module with the given values as defaults of its spec constants; values for ids that it lacks are ignored.
 * The caller frees `copy->data`. @return false if out of memory. */
bool nf_cl_spec_apply(const struct nf_cl_bytes *module, const nf_spec_value *specs, size_t count,
                      struct nf_cl_bytes *copy);

#endif
