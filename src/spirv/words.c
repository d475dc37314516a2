/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.c - growing arrays of words: modules that are being made, and their sections.
 */
#include <string.h>

#include "spirv/spirv.h"

void nf_reserve_words(struct nf_words *words, size_t count)
{
    if (count <= words->capacity) return;
    words->at = nf_grow_unset(words->arena, words->at, &words->capacity, count, sizeof *words->at);
}

void nf_append_word(struct nf_words *words, uint32_t word)
{
    if (words->count == words->capacity) nf_reserve_words(words, (size_t)words->count + 1);
    words->at[words->count++] = word;
}

const char *nf_bytes_of(struct nf_arena *arena, const uint32_t *words, size_t count)
{
    const uint32_t one = 1;
    if (*(const unsigned char *)&one) return (const char *)words;
    char *bytes = NF_NEW(arena, char, 4 * count + 1);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (char)(words[i / 4] >> 8 * (i % 4));
    return bytes;
}

void nf_append_string(struct nf_words *words, const char *string)
{
    size_t length = strlen(string);
    for (size_t i = 0; i <= length; i += 4) {
        uint32_t word = 0;
        for (size_t k = i; k < i + 4 && k < length; k++)
            word |= (uint32_t)(unsigned char)string[k] << 8 * (k - i);
        nf_append_word(words, word);
    }
}
