/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - time and memory of specialising, beside SPIRV-Tools' validation of the same modules in the same run. */
#ifndef NONFLAT_CONFORMANCE_COST_H
#define NONFLAT_CONFORMANCE_COST_H

#include <stddef.h>
#include <stdint.h>

/* @return the CPU time of this process so far. */
double cpu_seconds(void);

/* Validate one module; the caller's, as libspirv.h defines a variable and so fits into one file of a C program only. */
typedef void validate_function(void *user, const uint32_t *words, size_t count);

/* Measure over the files named in `list`, one a line, and print one JSON object. @return 0, or -1: no such list. */
int measure_cost(validate_function *validate, void *user, const char *list);

#endif
