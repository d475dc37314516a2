/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_words.h - access to the words of a module for the files of this folder that read it without the core. The
 * module may be in either byte order, and is not validated: callers check positions.
 */
#ifndef NONFLAT_LAYER_MODULE_WORDS_H
#define NONFLAT_LAYER_MODULE_WORDS_H

#include "layer/base/base.h"

#include <string.h>

enum { NF_CL_HEADER_WORDS = 5 };

/* Returns the length of an instruction in words: the high 16 bits of its first word. */
static inline uint32_t nf_cl_length_of(uint32_t first)
{
    return first >> 16;
}

static inline uint32_t nf_cl_opcode_of(uint32_t first)
{
    return first & 0xffff;
}

/* Returns a word of a module in either byte order. `index` must be within the module. */
static inline uint32_t nf_cl_word_at(const struct nf_cl_bytes *module, size_t index)
{
    uint32_t magic, word;
    memcpy(&magic, module->data, sizeof magic);
    memcpy(&word, (const char *)module->data + index * sizeof word, sizeof word);
    return magic == 0x07230203u ? word : __builtin_bswap32(word);
}

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

/* Returns the string literal from word `first` of the instruction at `at`, malloc'ed; NULL if out of memory. */
char *nf_cl_string_at(const struct nf_cl_bytes *module, size_t at, uint32_t first);

#endif
