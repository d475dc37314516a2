/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - what every folder stands on: sets of address spaces, the memory of one call, words and texts that grow, and
 * the one way out.
 *
 * In: nothing. Out: an arena and what grows in it. Uses no folder.
 *
 * Everything is allocated from one arena and lives until the call ends. Failure of any kind (no memory, malformed
 * input, a refusal) leaves through nf_fail(), which jumps back to nf_specialize(); no stage checks for it.
 */
#ifndef NF_BASE_H
#define NF_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nonflat/nonflat.h"

/* ---- Address-space sets ---- */

/* The bits of a set. The first five are spaces; the others are evidence that nf_spaces_of() turns into spaces. */
enum {
    NF_PRIVATE = 1 << 0,
    NF_LOCAL = 1 << 1,
    NF_GLOBAL = 1 << 2,
    NF_CONSTANT = 1 << 3,
    NF_CODE = 1 << 4,
    NF_WEAK = 1 << 5, /* bits from the host, as wide as an address: null or global, as nothing else outlives a kernel */
    NF_NARROW = 1 << 6, /* bits from the host too narrow for an address: an offset, unless they are put together */
    NF_HOLE = 1 << 7,   /* a pointer made of an integer: if nothing else is known of it, it may be anything */
    NF_LOST = 1 << 8,   /* made of an integer whose top bits were masked off: a tag in memory may be gone */
    NF_PIECES = 1 << 9, /* of one node only: memory that is accessed in pieces, which puts narrow bits together */
    NF_SHED = 1 << 10,  /* made of an integer whose top bits may be gone: shifted out, cut off */
    NF_SPACES = NF_PRIVATE | NF_LOCAL | NF_GLOBAL | NF_CONSTANT | NF_CODE,
    NF_TAGGED = NF_PRIVATE | NF_LOCAL | NF_GLOBAL,
    NF_SPACE_COUNT = 5
};
typedef uint16_t nf_set;

static inline bool nf_single(nf_set set)
{
    return set && !(set & (set - 1));
}
static inline unsigned nf_number(nf_set space)
{
    return (unsigned)__builtin_ctz(space);
}

/* ---- arena.c: memory ---- */

struct nf_block;
struct nf_arena {
    nf_allocator allocator;
    struct nf_block *blocks; /* the newest first; small requests are cut from the newest small block */
    uint8_t *next, *end;
    size_t in_blocks; /* bytes of all small blocks */
};

struct nf_module;
void nf_arena_free(struct nf_arena *arena);
/* Zeroed memory for `count` elements of `size` bytes. Never returns NULL: leaves through nf_fail(). */
void *nf_new(struct nf_module *m, size_t count, size_t size);
/* An array that grows: room for `needed` elements, contents kept, new elements zeroed. `*capacity` is in elements. */
void *nf_grow(struct nf_module *m, void *array, uint32_t *capacity, size_t needed, size_t size);
/* Give back an array made by nf_grow() before the call ends; NULL is fine. */
void nf_drop(struct nf_module *m, void *array);
#define NF_NEW(m, type, count) ((type *)nf_new((m), (count), sizeof(type)))
#define NF_RESERVE(m, array, capacity, needed) ((array) = nf_grow((m), (array), &(capacity), (needed), sizeof *(array)))

/* ---- words that grow ---- */

/* A growing run of words: the output, and its sections. */
struct nf_words {
    uint32_t *at;
    uint32_t count, capacity;
};
void nf_put(struct nf_module *m, struct nf_words *words, uint32_t word);
void nf_put_all(struct nf_module *m, struct nf_words *words, const uint32_t *source, size_t count);

/* The bytes of `words` with a literal string's first character in the first byte: SPIR-V has it in the low-order byte
 * of a word. It is `words` itself, or a copy on hosts that have that byte last. */
const char *nf_bytes_of(struct nf_module *m, const uint32_t *words, size_t count);
/* Append a literal string and the zeros that fill its last word. */
void nf_put_string(struct nf_module *m, struct nf_words *words, const char *string);

/* ---- text that grows ---- */

/* A growing NUL-terminated text: the log, the report. */
struct nf_text {
    char *at;
    uint32_t count, capacity;
};
void nf_print(struct nf_module *m, struct nf_text *text, const char *format, ...) __attribute__((format(printf, 3, 4)));
void nf_print_json_string(struct nf_module *m, struct nf_text *text, const char *string);

/* ---- arena.c: the way out ---- */

/* Leave the pipeline: `at` is the word offset that the message is about, 0 when there is none. */
_Noreturn void nf_fail(struct nf_module *m, nf_status status, uint32_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
