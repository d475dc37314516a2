/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - time and memory of specialization, compared with SPIRV-Tools' validation of the same modules in one run. */
#ifndef NONFLAT_CONFORMANCE_COST_H
#define NONFLAT_CONFORMANCE_COST_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CPU time of this process so far, in seconds. */
double cpu_seconds(void);

/* Validates one module. The caller passes it, because libspirv.h defines a variable, so that only one C file of a
 * program can include it. */
typedef void validate_function(void *user, const uint32_t *words, size_t count);

/* Measures the time and memory of specialization, and the time of `validate`, for the modules in the files that `list`
 * names, one per line, and prints one JSON object. Returns 0, or -1 if the list cannot be read. */
int measure_cost(validate_function *validate, void *user, const char *list);

#endif
