/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_layer.h - declarations for test layers: the dispatch table of the next layer, and the functions that the loader
 * calls. A test layer consists of one file, which defines its dispatch table and its name, and of test_layer.c.
 *
 * All its symbols are hidden, because one process may contain several test layers.
 */
#ifndef NONFLAT_TEST_LAYER_H
#define NONFLAT_TEST_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* The functions of the next layer or the driver. */
extern cl_icd_dispatch next;

/* Defined by each layer: the calls that it intercepts, and its name. */
extern const cl_icd_dispatch test_layer_calls;
extern const char test_layer_name[];

/* Answers a query by the rules of every clGet...Info. */
cl_int give(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret);
/* Returns true if the name of a function ends with INTEL, as those of Intel's extensions do. */
bool is_of_intel(const char *function);
/* Appends a line with the verdict on a module of that size to the file that the environment variable names, if it is
 * set. */
void note_verdict(const char *variable, const char *verdict, size_t size);

#pragma GCC visibility pop

#endif
