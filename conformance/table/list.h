/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.h - shared by the programs of this folder: reads the modules of a list, and writes JSON.
 */
#ifndef NONFLAT_CONFORMANCE_LIST_H
#define NONFLAT_CONFORMANCE_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Called for a module; `words` is valid until it returns. */
typedef void module_function(void *user, const char *path, const uint32_t *words, size_t size);

/* Calls `work` for the module in each file named in `list`, one per line. Files that cannot be read are reported on
 * standard error and skipped. Returns 0, or -1 if the list cannot be read. */
int for_each_module(const char *list, module_function *work, void *user);

/* Writes `text` to standard output as a JSON string. */
void put_string(const char *text);

#endif
