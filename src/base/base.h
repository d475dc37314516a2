/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - what every folder stands on: sets of address spaces, the memory of one call, text that grows, and the one way
 * out.
 *
 * In: nothing. Out: an arena and what grows in it. May use: nothing.
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

/* How a function's arguments are checked: MinGW's own printf is the one that knows %zu. */
#if defined(__MINGW32__) && !defined(__clang__)
#define NF_PRINTF gnu_printf
#else
#define NF_PRINTF printf
#endif

/* ---- Address-space sets ---- */

/* The bits of a set. The first five are spaces; the others are evidence that nf_spaces_of() turns into spaces. */
enum {
    NF_PRIVATE = 1 << 0,
    NF_LOCAL = 1 << 1,
    NF_GLOBAL = 1 << 2,
    NF_CONSTANT = 1 << 3,
    NF_CODE = 1 << 4,
    NF_FROM_HOST = 1 << 5, /* an integer that the host wrote: null or a global address, as no other outlives a kernel */
    NF_NUMBER = 1 << 6,    /* a computed integer: any exposed address (those flow into it) or one that the host knows */
    NF_LOOSE = 1 << 7,     /* an address that a carrier may have put outside of its window, or a count */
    NF_HOLE = 1 << 8,      /* a pointer made of an integer: if nothing else is known of it, it may be anything */
    NF_PATCHED = 1 << 9,   /* an address in memory, a part of which was written that does not say its space */
    NF_SPACES = NF_PRIVATE | NF_LOCAL | NF_GLOBAL | NF_CONSTANT | NF_CODE,
    NF_TAGGED = NF_PRIVATE | NF_LOCAL | NF_GLOBAL,
    NF_SPACE_COUNT = 5
};
typedef uint16_t nf_set;

static inline bool nf_single(nf_set set)
{
    return set && !(set & (set - 1));
}
/* Spaces by number, and back. */
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

/* ---- arena.c: memory, and the way out ---- */

/* How a call ended early: what is said of which word of the module at hand, 0 when it is about none. */
struct nf_failure {
    jmp_buf back; /* set by whoever wants to go on behind it */
    nf_status status;
    uint32_t at;
    char text[1024];
};

struct nf_block;
struct nf_arena {
    nf_allocator allocator;
    struct nf_block *blocks; /* the newest first; small requests are cut from the newest small block */
    uint8_t *next, *end;
    size_t in_blocks; /* bytes of all small blocks */
    struct nf_failure failure;
};

void nf_arena_free(struct nf_arena *arena);
/* Zeroed memory for `count` elements of `size` bytes. Never returns NULL: leaves through nf_fail(). */
void *nf_new(struct nf_arena *arena, size_t count, size_t size);
/* The same as an array of its own, which nf_drop() takes. */
void *nf_new_array(struct nf_arena *arena, size_t count, size_t size);
/* An array that grows: room for `needed` elements, contents kept, new elements zeroed. `*capacity` is in elements. */
void *nf_grow(struct nf_arena *arena, void *array, uint32_t *capacity, size_t needed, size_t size);
/* The same, where nobody reads what nobody has written: new elements are anything. */
void *nf_grow_unset(struct nf_arena *arena, void *array, uint32_t *capacity, size_t needed, size_t size);
/* Give back an array made by nf_grow() or nf_new_array() before the call ends; NULL is fine. */
void nf_drop(struct nf_arena *arena, void *array);
/* The same array outlives the call: it is the arena's no more, and goes by nf_release() with the same allocator. */
void nf_hand_over(struct nf_arena *arena, void *array);
void nf_release(const nf_allocator *allocator, void *array);
#define NF_NEW(arena, type, count) ((type *)nf_new((arena), (count), sizeof(type)))
#define NF_NEW_ARRAY(arena, type, count) ((type *)nf_new_array((arena), (count), sizeof(type)))
#define NF_RESERVE(arena, array, capacity, needed)                                                                     \
    ((needed) <= (capacity) ? (void)0                                                                                  \
                            : (void)((array) = nf_grow((arena), (array), &(capacity), (needed), sizeof *(array))))

/* Leave for `failure.back`. */
_Noreturn void nf_fail(struct nf_arena *arena, nf_status status, uint32_t at, const char *format, ...)
    __attribute__((format(NF_PRINTF, 4, 5)));

/* ---- text.c: text that grows ---- */

/* A growing NUL-terminated text: the log, the report. */
struct nf_text {
    struct nf_arena *arena;
    char *at;
    uint32_t count, capacity;
};
void nf_print(struct nf_text *text, const char *format, ...) __attribute__((format(NF_PRINTF, 2, 3)));
void nf_print_json_string(struct nf_text *text, const char *string);
/* `before` as it is, and the number: most of a report is that, and printf() would take longer than some stages do. */
void nf_print_number(struct nf_text *text, const char *before, uint64_t number);

#endif
