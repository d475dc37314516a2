/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.c - all memory of one call, and the one way out when something fails.
 *
 * Small requests are cut from blocks; arrays that grow are blocks of their own, so that the old one can be given back.
 * One nf_arena_free() ends it all: no stage frees on its way out, which is what makes leaving by longjmp safe.
 */
#include <stdio.h>
#include <stdlib.h>

#include "module/module.h"

struct nf_block {
    struct nf_block *previous, *next;
    size_t size;
    max_align_t data[];
};

/* Small modules need little: blocks are a quarter of what there is already, so that little of the last one is waste. */
enum { FIRST_BLOCK = 2 * 1024, LAST_BLOCK = 64 * 1024, LARGE_REQUEST = 1024 };

static struct nf_block *add_block(struct nf_module *m, size_t size)
{
    struct nf_arena *arena = &m->arena;
    if (size > SIZE_MAX / 2) nf_fail(m, NF_OUT_OF_MEMORY, 0, "out of memory");
    struct nf_block *block = arena->allocator.allocate(arena->allocator.user, sizeof *block + size);
    if (!block) nf_fail(m, NF_OUT_OF_MEMORY, 0, "out of memory");
    block->previous = NULL;
    block->next = arena->blocks;
    block->size = size;
    if (arena->blocks) arena->blocks->previous = block;
    arena->blocks = block;
    return block;
}

void nf_arena_free(struct nf_arena *arena)
{
    for (struct nf_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        arena->allocator.release(arena->allocator.user, block);
    }
    arena->blocks = NULL;
}

void *nf_new(struct nf_module *m, size_t count, size_t size)
{
    struct nf_arena *arena = &m->arena;
    if (size && count > SIZE_MAX / 4 / size) nf_fail(m, NF_OUT_OF_MEMORY, 0, "out of memory");
    size_t bytes = (count * size + 15) & ~(size_t)15;
    if (bytes > LARGE_REQUEST) return memset(add_block(m, bytes)->data, 0, bytes);
    if ((size_t)(arena->end - arena->next) < bytes) {
        size_t quarter = arena->in_blocks / 4;
        size_t size = quarter < FIRST_BLOCK ? FIRST_BLOCK : quarter > LAST_BLOCK ? LAST_BLOCK : quarter;
        struct nf_block *block = add_block(m, size);
        arena->in_blocks += size;
        arena->next = (uint8_t *)block->data;
        arena->end = arena->next + size;
    }
    void *memory = arena->next;
    arena->next += bytes;
    return memset(memory, 0, bytes);
}

void nf_drop(struct nf_module *m, void *array)
{
    if (!array) return;
    struct nf_arena *arena = &m->arena;
    struct nf_block *block = (struct nf_block *)((uint8_t *)array - offsetof(struct nf_block, data));
    if (block->previous)
        block->previous->next = block->next;
    else
        arena->blocks = block->next;
    if (block->next) block->next->previous = block->previous;
    arena->allocator.release(arena->allocator.user, block);
}

void *nf_grow(struct nf_module *m, void *array, uint32_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return array;
    size_t count = *capacity + *capacity / 2;
    if (count < needed) count = needed;
    if (count < 8) count = 8;
    if (count > UINT32_MAX / 2 || count > SIZE_MAX / 4 / size) nf_fail(m, NF_OUT_OF_MEMORY, 0, "out of memory");
    uint8_t *larger = (uint8_t *)add_block(m, count * size)->data;
    if (*capacity) memcpy(larger, array, *capacity * size);
    memset(larger + *capacity * size, 0, (count - *capacity) * size);
    nf_drop(m, array);
    *capacity = (uint32_t)count;
    return larger;
}

void nf_put(struct nf_module *m, struct nf_words *words, uint32_t word)
{
    if (words->count == words->capacity) NF_RESERVE(m, words->at, words->capacity, (size_t)words->count + 1);
    words->at[words->count++] = word;
}

void nf_put_all(struct nf_module *m, struct nf_words *words, const uint32_t *source, size_t count)
{
    NF_RESERVE(m, words->at, words->capacity, words->count + count);
    if (count) memcpy(words->at + words->count, source, count * sizeof *source);
    words->count += (uint32_t)count;
}

const char *nf_bytes_of(struct nf_module *m, const uint32_t *words, size_t count)
{
    const uint32_t one = 1;
    if (*(const unsigned char *)&one) return (const char *)words;
    char *bytes = NF_NEW(m, char, 4 * count + 1);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (char)(words[i / 4] >> 8 * (i % 4));
    return bytes;
}

void nf_put_string(struct nf_module *m, struct nf_words *words, const char *string)
{
    size_t length = strlen(string);
    for (size_t i = 0; i <= length; i += 4) {
        uint32_t word = 0;
        for (size_t k = i; k < i + 4 && k < length; k++)
            word |= (uint32_t)(unsigned char)string[k] << 8 * (k - i);
        nf_put(m, words, word);
    }
}

static void print_list(struct nf_module *m, struct nf_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return;
    NF_RESERVE(m, text->at, text->capacity, (size_t)text->count + (size_t)length + 1);
    vsnprintf(text->at + text->count, (size_t)length + 1, format, arguments);
    text->count += (uint32_t)length;
}

void nf_print(struct nf_module *m, struct nf_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_list(m, text, format, arguments);
    va_end(arguments);
}

void nf_print_json_string(struct nf_module *m, struct nf_text *text, const char *string)
{
    nf_print(m, text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            nf_print(m, text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            nf_print(m, text, "\\u%04x", (unsigned char)*c);
        else
            nf_print(m, text, "%c", *c);
    }
    nf_print(m, text, "\"");
}

static void log_error(struct nf_module *m, uint32_t at, const char *format, va_list arguments)
{
    char message[1024];
    vsnprintf(message, sizeof message, format, arguments);
    const struct nf_function *f = at && m->status != NF_MALFORMED ? nf_function_around(m, at) : NULL;
    const char *source = f ? nf_source_of(m, f, at) : "";
    if (*source) nf_print(m, &m->log, "%s: ", source);
    if (at && m->words && at < m->count)
        nf_print(m, &m->log, "error: word %u, %s: %s\n", nf_input_word(m, at), nf_op_find(nf_opcode(m, at))->name,
                 message);
    else if (at)
        nf_print(m, &m->log, "error: word %u: %s\n", nf_input_word(m, at), message);
    else
        nf_print(m, &m->log, "error: %s\n", message);
}

_Noreturn void nf_fail(struct nf_module *m, nf_status status, uint32_t at, const char *format, ...)
{
    m->status = status;
    if (status != NF_OUT_OF_MEMORY) {
        va_list arguments;
        va_start(arguments, format);
        log_error(m, at, format, arguments);
        va_end(arguments);
    }
    longjmp(m->failed, 1);
}
