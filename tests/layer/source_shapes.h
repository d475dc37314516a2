/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_shapes.h - the devices that source_only.c imitates: their answers to queries, and the identifiers of OpenCL C
 * that their compilers do not know.
 */
#ifndef NONFLAT_SOURCE_SHAPES_H
#define NONFLAT_SOURCE_SHAPES_H

#include "test_layer.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct shape;

/* Returns the device of that name, "nvidia" or "embedded"; NULL if there is none. */
const struct shape *shape_find(const char *name);
/* Answers a query with the properties of the imitated device. @return false if the driver has to answer. */
bool shape_answer(const struct shape *shape, cl_device_info name, size_t size, void *value, size_t *size_ret,
                  cl_int *error);
/* Returns an identifier in the text that the device's compiler lacks; NULL if there is none. */
const char *shape_unknown_word(const struct shape *shape, const char *text);

#pragma GCC visibility pop

#endif
