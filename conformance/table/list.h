/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.h - what the programs of this folder share: a list of modules comes in, JSON goes out.
 */
#ifndef NONFLAT_CONFORMANCE_LIST_H
#define NONFLAT_CONFORMANCE_LIST_H

#include <stddef.h>
#include <stdint.h>

/* `words` live until it returns. */
typedef void module_function(void *user, const char *path, const uint32_t *words, size_t size);

/* Call `work` for the module in each file named in `list`, one a line; those that cannot be read are named on standard
 * error and left out. @return 0, or -1: no such list. */
int for_each_module(const char *list, module_function *work, void *user);

/* Write `text` to standard output as a JSON string. */
void put_string(const char *text);

#endif
