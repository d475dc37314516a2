/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - the foundation of all folders: sets of address spaces, the memory of one call, growing text, and failure.
 *
 * Takes nothing. Gives an arena, and arrays and texts allocated from it. May use: nothing.
 *
 * All memory is allocated from one arena, and lives until the call ends unless nf_arena_drop() frees it earlier or
 * nf_arena_detach() takes it out. A failure of any kind (no memory, malformed input, a refusal) leaves by nf_fail(),
 * which jumps back to the public function, such as nf_specialize(); so the stages do not check for errors.
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

/* Selects the format check of printf-like functions: on Windows only MinGW's own printf supports %zu. */
#if defined(__MINGW32__) && !defined(__clang__)
#define NF_PRINTF gnu_printf
#else
#define NF_PRINTF printf
#endif

/* ---- Address-space sets ---- */

/* The bits of a set. The first five are spaces; the others are evidence, which nf_spaces_of() turns into spaces. */
enum {
    NF_PRIVATE = 1 << 0,
    NF_LOCAL = 1 << 1,
    NF_GLOBAL = 1 << 2,
    NF_CONSTANT = 1 << 3,
    NF_CODE = 1 << 4,
    NF_FROM_HOST = 1 << 5, /* an integer that the host wrote: null or a global address (no other outlives a kernel) */
    NF_NUMBER = 1 << 6,    /* an integer that may be any address that is exposed (nf_evidence()) or known to the host */
    NF_LOOSE = 1 << 7,     /* may be outside of the window of its address, or device address 0: after arithmetic, or
                            * after a store to a part of it, or as a constant that is converted to a pointer */
    NF_UNKNOWN = 1 << 8,   /* a pointer converted from an integer: without other evidence it may point to any space */
    NF_COUNT = 1 << 9,     /* a count other than 0, or an address with an integer in the bits above it */
    NF_NULL = 1 << 10,     /* a pointer that may be null, or an integer that may be 0: see NF_NODE_CHANGED, _DISTANCE */
    NF_ANY_VALUE =
        NF_NUMBER | NF_LOOSE | NF_COUNT, /* evidence: the integer may be outside of all windows, or device address 0 */
    NF_SPACES = NF_PRIVATE | NF_LOCAL | NF_GLOBAL | NF_CONSTANT | NF_CODE,
    NF_TAGGED = NF_PRIVATE | NF_LOCAL | NF_GLOBAL,
    NF_SPACE_COUNT = 5
};
typedef uint16_t nf_set;

static inline bool nf_single(nf_set set)
{
    return set && !(set & (set - 1));
}
/* Return the space whose bit has that number, the number of the bit of a space, and whether the set has that bit. */
static inline nf_set nf_space(unsigned number)
{
    return (nf_set)(1u << number);
}
static inline unsigned nf_number(nf_set space)
{
    return (unsigned)__builtin_ctz(space);
}
static inline bool nf_has(nf_set set, unsigned number)
{
    return set >> number & 1;
}

/* ---- arena.c: memory and failure ---- */

/* The cause of a failure: the message, and the word of the current module to which it refers, 0 for none. */
struct nf_failure {
    jmp_buf back; /* set by the function to which nf_fail() returns */
    nf_status status;
    uint32_t at;
    char text[1024];
};

struct nf_block;
struct nf_arena {
    nf_allocator allocator;
    struct nf_block *blocks; /* newest first; small requests are allocated from the newest small block */
    uint8_t *next, *end;
    size_t in_blocks; /* total bytes of the small blocks */
    struct nf_failure failure;
};

void nf_arena_free(struct nf_arena *arena);
/* Returns zeroed memory for `count` elements of `size` bytes, never NULL: failure leaves by nf_fail(). */
void *nf_arena_new(struct nf_arena *arena, size_t count, size_t size);
/* As nf_arena_new(), with a block for the array alone, so that nf_arena_drop() can free it. */
void *nf_arena_array(struct nf_arena *arena, size_t count, size_t size);
/* Makes room for `needed` elements in a growing array, keeps its contents and zeroes the new elements. `*capacity` is
 * in elements. Returns the array, which may have moved. */
void *nf_grow(struct nf_arena *arena, void *array, uint32_t *capacity, size_t needed, size_t size);
/* As nf_grow(), without zeroing the new elements, for arrays that are written before they are read. */
void *nf_grow_unset(struct nf_arena *arena, void *array, uint32_t *capacity, size_t needed, size_t size);
/* Frees an array made by nf_grow() or nf_arena_array() before the call ends. NULL is allowed. */
void nf_arena_drop(struct nf_arena *arena, void *array);
/* Takes an array made by nf_grow() or nf_arena_array() out of the arena, so that it outlives the call; nf_release()
 * frees it, with the same allocator. */
void nf_arena_detach(struct nf_arena *arena, void *array);
void nf_release(const nf_allocator *allocator, void *array);
#define NF_NEW(arena, type, count) ((type *)nf_arena_new((arena), (count), sizeof(type)))
#define NF_NEW_ARRAY(arena, type, count) ((type *)nf_arena_array((arena), (count), sizeof(type)))
#define NF_RESERVE(arena, array, capacity, needed)                                                                     \
    ((needed) <= (capacity) ? (void)0                                                                                  \
                            : (void)((array) = nf_grow((arena), (array), &(capacity), (needed), sizeof *(array))))

/* Records the status, the word `at` and the message in `arena->failure`, and jumps to `failure.back`. */
_Noreturn void nf_fail(struct nf_arena *arena, nf_status status, uint32_t at, const char *format, ...)
    __attribute__((format(NF_PRINTF, 4, 5)));

/* ---- text.c: growing text ---- */

/* A growing NUL-terminated text: the log, the report. */
struct nf_text {
    struct nf_arena *arena;
    char *at;
    uint32_t count, capacity;
};
void nf_print(struct nf_text *text, const char *format, ...) __attribute__((format(NF_PRINTF, 2, 3)));
void nf_print_json_string(struct nf_text *text, const char *string);
/* Appends `before` unchanged, and then the number in decimal. Faster than nf_print(); a report has many numbers. */
void nf_print_number(struct nf_text *text, const char *before, uint64_t number);

#endif
