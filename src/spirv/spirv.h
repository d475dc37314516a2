/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv.h - what is known of SPIR-V: of every instruction the grammar's operand layout and our one column of roles, the
 * numbers that the core names (numbers.h), and what every capability is called.
 *
 * In: the words of one instruction. Out: its row, its operands one by one; words that grow. May use: base.
 *
 * Everything that walks instructions reads this table: the reader (bounds), the constraints (roles), the rewriting
 * (which words are ids). The rows are generated: see generate.py, which also explains the operand letters.
 */
#ifndef NF_SPIRV_H
#define NF_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "spirv/numbers.h"

/* One name per role; roles.txt says which instruction has which. */
#define NF_ROLES(X)                                                                                                    \
    X(unknown)                                                                                                         \
    X(nothing)                                                                                                         \
    X(pass)                                                                                                            \
    X(null)                                                                                                            \
    X(construct)                                                                                                       \
    X(copy)                                                                                                            \
    X(variable)                                                                                                        \
    X(load)                                                                                                            \
    X(store)                                                                                                           \
    X(copy_memory)                                                                                                     \
    X(touch)                                                                                                           \
    X(chain)                                                                                                           \
    X(semantics)                                                                                                       \
    X(compare)                                                                                                         \
    X(compare_bits)                                                                                                    \
    X(parameter)                                                                                                       \
    X(call)                                                                                                            \
    X(call_indirect)                                                                                                   \
    X(function_address)                                                                                                \
    X(to_integer)                                                                                                      \
    X(to_pointer)                                                                                                      \
    X(cast)                                                                                                            \
    X(cast_explicit)                                                                                                   \
    X(bitcast)                                                                                                         \
    X(extract_dynamic)                                                                                                 \
    X(shuffle)                                                                                                         \
    X(extract)                                                                                                         \
    X(insert)                                                                                                          \
    X(add)                                                                                                             \
    X(mask)                                                                                                            \
    X(combine)                                                                                                         \
    X(choose)                                                                                                          \
    X(subtract)                                                                                                        \
    X(number)                                                                                                          \
    X(expose)                                                                                                          \
    X(convert)                                                                                                         \
    X(select)                                                                                                          \
    X(phi)                                                                                                             \
    X(return )                                                                                                         \
    X(atomic)                                                                                                          \
    X(send)                                                                                                            \
    X(receive)                                                                                                         \
    X(async_copy)                                                                                                      \
    X(block_read)                                                                                                      \
    X(gather)                                                                                                          \
    X(scatter)                                                                                                         \
    X(prefetch)                                                                                                        \
    X(out)                                                                                                             \
    X(vload)                                                                                                           \
    X(vstore)                                                                                                          \
    X(printf)

enum nf_role {
#define X(name) NF_ROLE_##name,
    NF_ROLES(X)
#undef X
};

/* ---- opcodes.c: the table of instructions, and the walk over one ------------------------------------------------- */

struct nf_op {
    const char *name;     /* "OpLoad", or "fract" for an extended instruction */
    const char *operands; /* one letter per operand after result type and result */
    uint16_t opcode;      /* NF_UNKNOWN_OPCODE in the row of the unknown instruction */
    uint8_t result;       /* bit 0: has a result type, bit 1: has a result */
    uint8_t words;        /* fewest words of a well-formed instruction, the first one included */
    uint8_t role;         /* enum nf_role */
    uint8_t ids;          /* how many of the operands that come first are ids; NF_ALL_IDS: they all are */
    uint8_t more;         /* whether others may come behind those: enum nf_more_ids */
    uint8_t first;        /* the word behind result type and result */
};

/* Of its ids besides those that come first: none, all other words are, only those of memory operands, any. */
enum nf_more_ids { NF_NO_MORE, NF_PAIRS, NF_MORE_IN_MEMORY, NF_MORE };

enum { NF_UNKNOWN_OPCODE = 0xffff, NF_ALL_IDS = 0xff };

static inline bool nf_is_unknown(const struct nf_op *op)
{
    return op->opcode == NF_UNKNOWN_OPCODE;
}
static inline bool nf_has_type(const struct nf_op *op)
{
    return op->result & 1;
}
static inline bool nf_has_result(const struct nf_op *op)
{
    return op->result & 2;
}
/* The word of the result, if there is one. */
static inline uint32_t nf_result_word(const struct nf_op *op)
{
    return 1 + (op->result & 1);
}
/* The word behind result type and result. */
static inline uint32_t nf_first_operand(const struct nf_op *op)
{
    return op->first;
}

/* The word behind the ids that come first in an instruction of `length` words. */
static inline uint32_t nf_leading_ids_end(const struct nf_op *op, uint32_t length)
{
    uint32_t end = nf_first_operand(op) + op->ids;
    return op->ids == NF_ALL_IDS || end > length ? length : end;
}

/* The ids of memory operands whose mask is at word `at`, when they are the last words of an instruction of `length`: the
 * first of them, or `length` when there is none. 0: more comes behind them, or too little. */
static inline uint32_t nf_last_memory_ids(const uint32_t *words, uint32_t at, uint32_t length)
{
    uint32_t mask = words[at], first = at + 1 + !!(mask & NF_MEMORY_ALIGNED);
    return first + (uint32_t)__builtin_popcount(mask & NF_MEMORY_IDS) == length ? first : 0;
}

/* The first word of an instruction: its opcode, and how many words it has. */
static inline uint32_t nf_first_word(uint32_t opcode, size_t length)
{
    return (uint32_t)length << 16 | opcode;
}
static inline uint32_t nf_opcode_of(uint32_t first_word)
{
    return first_word & 0xffff;
}
static inline uint32_t nf_length_of(uint32_t first_word)
{
    return first_word >> 16;
}

/* The row of a core instruction; of "unknown" for an opcode that the table lacks. Never NULL. */
enum { NF_OPCODES_KNOWN = 6532 }; /* the table's are below it */
extern const struct nf_op nf_op_rows[];
extern const uint16_t nf_op_lookup[NF_OPCODES_KNOWN];
static inline const struct nf_op *nf_op_find(uint32_t opcode)
{
    return &nf_op_rows[opcode < NF_OPCODES_KNOWN ? nf_op_lookup[opcode] : 0];
}
/* The row of an OpenCL.std or an OpenCL.DebugInfo.100 instruction, or NULL. */
const struct nf_op *nf_op_find_std(uint32_t number);
const struct nf_op *nf_op_find_debug(uint32_t number);

struct nf_capability_row {
    const char *name; /* without "Capability" */
    uint32_t number;
};

/* @return the capability's name, or its number as text in `text` when the table lacks it. */
const char *nf_capability_name(uint32_t number, char text[16]);
/* Look up the name of `length` bytes. @return whether there is one; then its number is in `*number`. */
bool nf_capability_find(const char *name, size_t length, uint32_t *number);

/* Which kind of extended-instruction set an OpExtInst belongs to: its operands are laid out differently. */
enum nf_ext_set {
    NF_EXT_OTHER, /* all operands are ids: so it is in non-semantic sets */
    NF_EXT_OPENCL_STD,
    NF_EXT_DEBUG_INFO,
    NF_EXT_LITERALS /* nobody knows what is what: words are passed on as they are */
};

enum nf_operand_kind { NF_OPERAND_ID, NF_OPERAND_LITERAL };

/*
 * A walk over the operand words of one instruction, result type and result left out.
 *     struct nf_operands walk = nf_operands_begin(words, count, set, selector_words);
 *     while (nf_operands_next(&walk))
 *         ... words[walk.at] is of kind walk.kind ...
 * Strings are one literal of walk.length words. The walk never leaves the instruction; `broken` is set when the words
 * do not fit the grammar. `selector_words` is the width of an OpSwitch literal in words (1 or 2).
 */
struct nf_operands {
    const uint32_t *words;
    const char *letters; /* of what comes behind the leading ids */
    uint32_t count, at, length;
    uint32_t ids_end; /* the words before it, from the first operand on, are ids */
    uint32_t pending; /* parameters of a memory-access mask still to come: bit i set when parameter i is an id */
    uint8_t pending_count, selector_words, set;
    bool flip, broken;
    enum nf_operand_kind kind;
};
static inline struct nf_operands nf_operands_begin(const uint32_t *words, uint32_t count, enum nf_ext_set set,
                                                   unsigned selector_words)
{
    const struct nf_op *op = nf_op_find(nf_opcode_of(words[0]));
    uint32_t first = nf_first_operand(op);
    bool all_ids = op->ids == NF_ALL_IDS, is_broken = count < op->words;
    uint32_t ids_end = nf_leading_ids_end(op, count);
    return (struct nf_operands){.words = words,
                                .letters = all_ids ? op->operands : op->operands + op->ids,
                                .count = count,
                                .at = first - 1,
                                .length = 1,
                                .ids_end = is_broken ? 0 : ids_end,
                                .selector_words = (uint8_t)selector_words,
                                .set = (uint8_t)set,
                                .broken = is_broken,
                                .kind = NF_OPERAND_ID};
}
/* The step to an operand that is not one of the leading ids, or to the end. */
bool nf_operands_step(struct nf_operands *walk);
static inline bool nf_operands_next(struct nf_operands *walk)
{
    if (walk->at + 1 >= walk->ids_end) return walk->ids_end < walk->count && nf_operands_step(walk);
    walk->at++;
    return true;
}

/*
 * The same walk over the ids alone of an instruction that was checked. Nearly all have them in one run, which needs no
 * look at the letters:
 *     struct nf_ids ids = nf_ids_begin(words, set, selector_words);
 *     while (nf_ids_next(&ids))
 *         ... words[ids.at] is an id ...
 */
struct nf_ids {
    const uint32_t *words;
    uint32_t at, end; /* of the run */
    uint8_t selector_words, set;
    bool more;  /* there may be ids behind the run */
    bool walks; /* those are being walked to by `rest`, which is not set before */
    struct nf_operands rest;
};
static inline struct nf_ids nf_ids_begin(const uint32_t *words, enum nf_ext_set set, unsigned selector_words)
{
    const struct nf_op *op = nf_op_find(nf_opcode_of(words[0]));
    uint32_t first = nf_first_operand(op), count = nf_length_of(words[0]), end = nf_leading_ids_end(op, count);
    struct nf_ids ids;
    ids.words = words;
    ids.at = first - 1;
    ids.end = op->more == NF_PAIRS ? count : end;
    ids.selector_words = (uint8_t)selector_words;
    ids.set = (uint8_t)set;
    ids.more = op->more > NF_PAIRS;
    ids.walks = false;
    /* Loads and stores: nearly all say how they are aligned, and name nothing. */
    if (op->more == NF_MORE_IN_MEMORY) ids.more = end < count && words[end] & NF_MEMORY_IDS;
    return ids;
}
/* The step to an id behind the run, or to the end. */
bool nf_ids_go_on(struct nf_ids *ids);
static inline bool nf_ids_next(struct nf_ids *ids)
{
    return ++ids->at < ids->end || (ids->more && nf_ids_go_on(ids));
}

/* The word of an instruction's (first) memory operands, whether they are there or not; 0: it never has any. */
uint32_t nf_memory_operands_word(const struct nf_op *op);
/* The memory operands at word `at` of an instruction of `length` words, and the word behind them; nothing at its end. */
struct nf_memory_operands {
    uint32_t mask, align, end;
};
struct nf_memory_operands nf_memory_operands(const uint32_t *words, uint32_t length, uint32_t at);

/* ---- words.c: words that grow ---- */

/* A growing run of words: the output, and its sections. */
struct nf_words {
    struct nf_arena *arena;
    uint32_t *at;
    uint32_t count, capacity;
};
/* Make room for so many in all. */
void nf_reserve_words(struct nf_words *words, size_t count);
void nf_put(struct nf_words *words, uint32_t word);
/* So many more, which the caller sets. */
static inline uint32_t *nf_put_unset(struct nf_words *words, size_t count)
{
    if (count > words->capacity - words->count) nf_reserve_words(words, words->count + count);
    words->count += (uint32_t)count;
    return words->at + words->count - count;
}
static inline void nf_put_all(struct nf_words *words, const uint32_t *source, size_t count)
{
    if (count)
        memcpy(nf_put_unset(words, count), source, count * sizeof *source); /* without any, there may be no memory */
}
/* Append a literal string and the zeros that fill its last word. */
void nf_put_string(struct nf_words *words, const char *string);

/* ---- build.c: a module that is made ---- */

/* New ids, definitions that come once, and whatever else is made once for a key. */
struct nf_builder {
    struct nf_arena *arena;
    uint32_t next_id;
    struct nf_words definitions;
    struct nf_words keys; /* of all that is made */
    struct nf_made {
        uint32_t key, length, id; /* key: where in `keys` it begins */
        uint32_t next;
    } * made;
    uint32_t made_count, made_capacity, *buckets, bucket_count;
};
/* Nothing is made yet; ids from `first_id` on are free. */
static inline struct nf_builder nf_build_begin(struct nf_arena *arena, uint32_t first_id)
{
    return (struct nf_builder){
        .arena = arena, .next_id = first_id, .definitions = {.arena = arena}, .keys = {.arena = arena}};
}
uint32_t nf_build_id(struct nf_builder *b);
/* Append an instruction of `count` operand words, result type and result among them. */
void nf_build(struct nf_words *to, uint32_t opcode, const uint32_t *operands, uint32_t count);
/* An id for `opcode type? operands`: what is known, was made before, or is made. `type` 0: none. */
uint32_t nf_build_definition(struct nf_builder *b, uint32_t opcode, uint32_t type, const uint32_t *operands,
                             uint32_t count);
/* The types, and the constants, if `last_opcode` is behind these, that the words define need no second definition. */
void nf_build_know(struct nf_builder *b, const uint32_t *words, uint32_t from, uint32_t to, uint32_t last_opcode);
/* Nothing is asked for any more; the definitions are left. */
void nf_build_end(struct nf_builder *b);
/* Look for what has been made of `key`, or note that it is `id`. Definitions have the key {opcode, type, operands}. */
uint32_t nf_find_made(const struct nf_builder *b, const uint32_t *key, uint32_t length);
void nf_note_made(struct nf_builder *b, const uint32_t *key, uint32_t length, uint32_t id);

/* ---- words.c: bytes ---- */
/* The word with its bytes the other way round: of a module that a host of the other byte order wrote. */
static inline uint32_t nf_swapped(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}
/* The bytes of `words` with a literal string's first character in the first byte: SPIR-V has it in the low-order byte
 * of a word. It is `words` itself, or a copy on hosts that have that byte last. */
const char *nf_bytes_of(struct nf_arena *arena, const uint32_t *words, size_t count);

#endif
