/* SPDX-License-Identifier: Apache-2.0 */
/*
 * property.h - declarations for the fuzz targets: runs of the specializer with resource checks, and a verdict on
 * modules.
 *
 * A violated property ends the process by abort(), as libFuzzer expects.
 */
#ifndef FUZZ_PROPERTY_H
#define FUZZ_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nonflat/nonflat.h"

/* The entry point of every target, also for the replay. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Number of inputs that were accepted: specialized, linked, found. */
extern unsigned long long fuzz_taken;

enum { FUZZ_EDGE_MAX = 1 << 20 };
/* @return a copy that is valid until the next call, and ends at an inaccessible page: a read beyond it ends the
 * process, also without sanitizers. NULL if it is longer than FUZZ_EDGE_MAX. */
const uint8_t *fuzz_at_an_edge(const void *data, size_t size);
/* An input may consist of several modules, one after the other. @return the offset at which the last one begins. */
size_t fuzz_last_module(const uint8_t *data, size_t size);

/* A call of nf_specialize() or nf_link() with checks: memory at most 64 times the input, one second for 100 kB, results
 * that are consistent with the status. Small inputs may use as much as one of 64 kB. */
struct fuzz_run {
    nf_status status;
    nf_result *result;
    size_t live, peak, limit; /* bytes */
    const char *what;
};
void fuzz_start(struct fuzz_run *run, const void *data, size_t size, nf_mode mode, int library);
/* As fuzz_start(), with any options except an allocator. */
void fuzz_start_with(struct fuzz_run *run, const void *data, size_t size, const nf_options *like);
void fuzz_start_link(struct fuzz_run *run, const nf_link_input *inputs, size_t count, int library);
/* Frees the result; afterwards all allocations must have been freed. */
void fuzz_finish(struct fuzz_run *run);

const char *fuzz_mode_name(nf_mode mode);
/* @return true if SPIRV-Tools' validator reports nothing; its message about an output is printed to stderr. */
bool fuzz_is_valid(const void *module, size_t size, bool is_output);
/* @return true if the module has the capability, a type or an operation of generic pointers. */
bool fuzz_has_generic(const void *module, size_t size);

#endif
