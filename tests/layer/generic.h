/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generic.h - finds generic pointers in a module. In these tests a module with generic pointers is a module of the
 * application, possibly linked, because the layer's modules have none.
 */
#ifndef NONFLAT_TEST_GENERIC_H
#define NONFLAT_TEST_GENERIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool has_generic(const void *il, size_t size)
{
    const uint32_t *words = il;
    for (size_t at = 5; at < size / 4 && words[at] >> 16; at += words[at] >> 16)
        if (words[at] == (4u << 16 | 32) && words[at + 2] == 8) return true;
    return false;
}

#endif
