/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - `nonflat scan`: the modules in files, and whether a device accepts each of them after specialization.
 *
 * Takes files and folders, and a device. Prints counts, reasons and ambiguities as text or JSON; writes the modules as
 * files. May use: base, device, public, src/spirv, modules. The data flows from device/ and modules/ through assess.c
 * and tally.c to text.c or json.c; scan.c calls them in order.
 */
#ifndef NF_TOOLS_SCAN_H
#define NF_TOOLS_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "tools/device/device.h"
#include "tools/modules/modules.h"

/* ---- assess.c: one module ---------------------------------------------------------------------------------------- */

enum nf_runs { NF_RUNS_YES, NF_RUNS_DISPATCH, NF_RUNS_NO, NF_RUNS_MALFORMED };

/* An ambiguous access, from the core's report. */
struct nf_ambiguity {
    char *group; /* a text that similar accesses share: "private from OpVariable, global from the host's memory" */
    char *kernel, *function, *instruction, *source;
    char *because; /* a line for each space */
};

struct nf_assessment {
    nf_status status; /* of specializing the module for a device that supports everything */
    enum nf_runs runs;
    nf_summary summary;
    nf_counts counts;
    uint32_t generic_kernels; /* kernels that use a generic pointer in a function that they reach */
    uint32_t static_kernels;  /* generic kernels that reach only static and dead accesses */
    char *reasons;            /* why it does not run, or is malformed, a line each; NULL if it runs */
    struct nf_ambiguity *ambiguities;
    size_t ambiguity_count;
};

/* Fills `assessment` for a module; nf_assessment_free() frees it. If memory is exhausted, the verdict is
 * NF_RUNS_MALFORMED, or counts, reasons and ambiguities may be incomplete. May be called by several threads at the same
 * time. */
void nf_assess(const unsigned char *bytes, size_t size, const struct nf_device_profile *device,
               struct nf_assessment *assessment);
void nf_assessment_free(struct nf_assessment *assessment);

/* ---- tally.c: sums ----------------------------------------------------------------------------------------------- */

/* Texts with the number of their occurrences. */
struct nf_tally {
    struct nf_tally_entry {
        char *text;
        size_t count;
        const struct nf_ambiguity *example; /* or NULL */
    } * entries;
    size_t count, capacity;
};

struct nf_sums {
    size_t modules, generic_modules, malformed, bytes;
    uint64_t kernels, generic_kernels, static_kernels, refused_kernels;
    uint64_t generic, is_static, predicated, dispatched, dead, unknown;
    size_t runs[NF_RUNS_MALFORMED + 1]; /* number of modules by verdict */
    struct nf_tally reasons, ambiguities;
};

struct nf_scan {
    struct nf_files files;
    const struct nf_device_profile *device;
    const struct nf_found **modules; /* the distinct modules, in order of appearance */
    struct nf_assessment *assessments;
    size_t module_count;
    struct nf_sums total;
    bool list_modules;
};

/* Adds a module of `bytes` bytes. `assessment` must outlive the sums, which refer to its ambiguities. */
void nf_sum_up(struct nf_sums *sums, const struct nf_assessment *assessment, size_t bytes);
/* Computes the sorted sums for the modules of one file, which the caller frees by nf_sums_free(). */
void nf_scan_sum_file(const struct nf_scan *scan, const struct nf_file *file, struct nf_sums *sums);
/* Sorts reasons and ambiguities by frequency, most frequent first. */
void nf_sums_sort(struct nf_sums *sums);
void nf_sums_free(struct nf_sums *sums);

/* ---- pool.c: all cores ------------------------------------------------------------------------------------------- */

/* Calls work(user, i) for each i below `count` on `jobs` threads (0: one per core that the process may use), at most 64
 * and fewer if a thread cannot be started, and returns after all calls. Draws a progress bar with `label` if that is
 * not NULL and standard error is a terminal. */
void nf_run_on_all_cores(size_t count, size_t jobs, void (*work)(void *user, size_t index), void *user,
                         const char *label);

/* ---- shared_memory.c --------------------------------------------------------------------------------------------- */

/* Returns the name of a function of SYCL or OpenCL that allocates shared memory (USM) if it occurs in the bytes of the
 * file, or NULL. */
const char *nf_shared_memory_call(const unsigned char *bytes, size_t size);

/* ---- text.c, json.c ---------------------------------------------------------------------------------------------- */

void nf_scan_print_text(const struct nf_scan *scan);
void nf_scan_print_json(const struct nf_scan *scan);

/* ---- scan.c ------------------------------------------------------------------------------------------------------ */

int nf_command_scan(const struct nf_arguments *arguments);

#endif
