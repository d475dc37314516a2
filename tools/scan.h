/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - what the files of `nonflat scan` share, in the order in which the data travels:
 *
 *     collect.c  arguments -> files, and the distinct modules in them
 *     find.c     a file's bytes -> modules in it
 *     assess.c   a module -> what it needs   tally.c   modules -> sums, reasons, ambiguities
 *     scan_text.c, scan_json.c               what is printed
 *
 * pool.c runs the two slow steps on all cores; scan.c is their order.
 */
#ifndef NF_TOOLS_SCAN_H
#define NF_TOOLS_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "device_profile.h"
#include "nonflat/nonflat.h"

/* ---- find.c: the modules inside a file's bytes ---------------------------------------------------------------- */

/* How a module was packed: shown to people. */
enum nf_packing { NF_PACKED_PLAIN = 0, NF_PACKED_BUNDLE = 1, NF_PACKED_ZSTD = 2 };

typedef struct nf_found {
    const unsigned char *bytes;
    size_t size;
    uint64_t offset; /* in the file; of a compressed one: of its frame */
    uint64_t hash;
    int packing; /* enum nf_packing bits */
} nf_found;

/* What one file holds. Zero it first; nf_finds_free() gives it back. */
typedef struct nf_finds {
    nf_found *modules;
    size_t count, capacity;
    unsigned char **unpacked; /* decompressed images, which `bytes` may point into */
    size_t unpacked_count;
    size_t unread; /* compressed images that this build cannot decompress, or that are damaged */
    int short_of_memory;
} nf_finds;

/* Find every module in `bytes`, which must outlive `finds`. */
void nf_find_modules(const unsigned char *bytes, size_t size, nf_finds *finds);
void nf_finds_free(nf_finds *finds);

/* ---- collect.c: files ----------------------------------------------------------------------------------------- */

typedef struct nf_file {
    char *path;
    const unsigned char *bytes; /* mapped; NULL while it is not */
    size_t size;
    int is_named; /* on the command line itself, not found in a folder */
    int failed;   /* could not be read: errno */
    nf_finds finds;
    size_t *modules; /* by index in finds: index of the distinct module */
    size_t fresh;    /* of them: not in an earlier file */
} nf_file;

typedef struct nf_files {
    nf_file *list;
    size_t count, capacity;
} nf_files;

/* Add `path`, or everything below it that may hold modules when it is a folder. @return 0, or -1 after a complaint. */
int nf_collect(nf_files *files, const char *path);
/* Map the file's bytes, once. Sets `failed`. */
void nf_file_map(nf_file *file);
/* Give each module of each file, all of which have been looked into, the index of the first one with the same bytes.
 * @return the distinct ones in order of appearance, to be freed, `*count` of them; NULL: no memory. */
const nf_found **nf_files_distinct(nf_files *files, size_t *count);
/* Say that there is no module in `paths`, which `files` came of, and what a single file is instead.
 * @return NF_EXIT_TROUBLE. */
int nf_complain_of_no_module(const char *subcommand, const nf_files *files, char *const *paths);
void nf_files_free(nf_files *files);

/* ---- assess.c: one module ------------------------------------------------------------------------------------- */

typedef enum nf_runs { NF_RUNS_YES, NF_RUNS_DISPATCH, NF_RUNS_NO, NF_RUNS_MALFORMED } nf_runs;

/* One ambiguous access, as the core's report has it. */
typedef struct nf_ambiguity {
    char *group; /* what it has in common with others: "private from OpVariable, global from the host's memory" */
    char *kernel, *function, *instruction, *source;
    char *because; /* a line for each space */
} nf_ambiguity;

typedef struct nf_assessment {
    nf_status status; /* of specialising for any device */
    nf_runs runs;
    nf_summary summary;
    nf_counts counts;
    uint32_t generic_kernels; /* that mention a generic pointer in a function they reach */
    uint32_t static_kernels;  /* of them: nothing is left to decide at run time */
    char *reasons;            /* why it does not run, a line each; NULL when it does */
    nf_ambiguity *ambiguities;
    size_t ambiguity_count;
} nf_assessment;

void nf_assess(const unsigned char *bytes, size_t size, const nf_device_profile *device, nf_assessment *assessment);
void nf_assessment_free(nf_assessment *assessment);

/* ---- tally.c: sums -------------------------------------------------------------------------------------------- */

/* Things that were said several times, with how often. */
typedef struct nf_tally {
    struct nf_tally_entry {
        char *text;
        size_t count;
        const nf_ambiguity *example; /* or NULL */
    } * entries;
    size_t count, capacity;
} nf_tally;

typedef struct nf_sums {
    size_t modules, generic_modules, malformed, bytes;
    uint64_t kernels, generic_kernels, static_kernels, refused_kernels;
    uint64_t generic, is_static, predicated, dispatched, dead, unknown;
    size_t runs[NF_RUNS_MALFORMED + 1]; /* modules by verdict */
    nf_tally reasons, ambiguities;
} nf_sums;

void nf_sum_up(nf_sums *sums, const nf_assessment *assessment, size_t bytes);
/* The most frequent first. */
void nf_sums_sort(nf_sums *sums);
void nf_sums_free(nf_sums *sums);

/* ---- pool.c: all cores ---------------------------------------------------------------------------------------- */

/* Call work(user, i) for each i below `count` on `jobs` threads (0: one for each core). A bar that is called `label` is
 * drawn when standard error is a terminal and `label` is not NULL. */
void nf_run_on_all_cores(size_t count, size_t jobs, void (*work)(void *user, size_t index), void *user,
                         const char *label);

/* ---- scan_text.c, scan_json.c --------------------------------------------------------------------------------- */

typedef struct nf_scan {
    nf_files files;
    const nf_device_profile *device;
    const nf_found **modules; /* the distinct ones, in order of appearance */
    nf_assessment *assessments;
    size_t module_count;
    nf_sums total;
    int list_modules;
} nf_scan;

/* Sums of one file's modules. */
void nf_scan_sum_file(const nf_scan *scan, const nf_file *file, nf_sums *sums);
void nf_scan_print_text(const nf_scan *scan);
void nf_scan_print_json(const nf_scan *scan);

#endif
