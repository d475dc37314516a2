/* SPDX-License-Identifier: Apache-2.0 */
/*
 * property.h - what the fuzz targets share: runs of the specialiser that are watched, and a verdict on a module.
 *
 * A property that does not hold ends the process by abort(), as libFuzzer wants it.
 */
#ifndef FUZZ_PROPERTY_H
#define FUZZ_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nonflat/nonflat.h"

/* The entry point of every target, and of the replay. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many inputs were not turned away: specialised, linked, found. */
extern unsigned long long fuzz_taken;

enum { FUZZ_EDGE_MAX = 1 << 20 };
/* @return a copy that lasts until the next call, and whose end is the end of memory: without sanitizers, too, a read
 * past it ends the process. NULL when it is longer than FUZZ_EDGE_MAX. */
const uint8_t *fuzz_at_an_edge(const void *data, size_t size);
/* An input may be several modules, one behind the other. @return where the last one begins. */
size_t fuzz_last_module(const uint8_t *data, size_t size);

/* A call of nf_specialize() or nf_link() under a watch: memory at most 64 times the input, one second for 100 kB,
 * results that agree with the status. Small inputs have the allowance of one of 64 kB. */
struct fuzz_run {
    nf_status status;
    nf_result *result;
    size_t live, peak, limit; /* bytes */
    const char *what;
};
void fuzz_start(struct fuzz_run *run, const void *data, size_t size, nf_mode mode, int library);
/* The same with any options but an allocator. */
void fuzz_start_with(struct fuzz_run *run, const void *data, size_t size, const nf_options *like);
void fuzz_start_link(struct fuzz_run *run, const nf_link_input *inputs, size_t count, int library);
/* Free the result; everything that was allocated must be gone. */
void fuzz_finish(struct fuzz_run *run);

const char *fuzz_mode_name(nf_mode mode);
/* @return whether SPIRV-Tools' validator has nothing to say; of an output, what it says goes to stderr. */
bool fuzz_is_valid(const void *module, size_t size, bool is_output);
/* @return whether the module has the capability, a type or an operation of generic pointers. */
bool fuzz_has_generic(const void *module, size_t size);

#endif
