/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.h - a build's libnonflat.so, loaded together with another one: the functions of nonflat/nonflat.h as
 * pointers.
 */
#ifndef NONFLAT_COMPARE_LIBRARY_H
#define NONFLAT_COMPARE_LIBRARY_H

#include <nonflat/nonflat.h>

#include <stdbool.h>

#define LIBRARY_FUNCTIONS(X)                                                                                           \
    X(nf_specialize)                                                                                                   \
    X(nf_result_outcome)                                                                                               \
    X(nf_result_bytes)                                                                                                 \
    X(nf_result_size)                                                                                                  \
    X(nf_result_log)                                                                                                   \
    X(nf_result_report)                                                                                                \
    X(nf_result_counts)                                                                                                \
    X(nf_result_ambiguities)                                                                                           \
    X(nf_result_instance_count)                                                                                        \
    X(nf_result_instance)                                                                                              \
    X(nf_result_pointers)                                                                                              \
    X(nf_result_calls)                                                                                                 \
    X(nf_result_accesses)                                                                                              \
    X(nf_result_free)                                                                                                  \
    X(nf_summarize)

struct library {
#define X(name) __typeof__(name) *name;
    LIBRARY_FUNCTIONS(X)
#undef X
    __typeof__(nf_link) *nf_link; /* NULL: the build is older than the function */
};

/* @return false, with the reason on standard error, if it cannot be loaded or lacks a function. */
bool library_open(struct library *library, const char *path);

#endif
