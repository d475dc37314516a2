/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.c - makes new ids, instructions, and definitions that must be unique.
 *
 *     nf_build_definition(b, OpTypeInt, 0, {32, 0}, 2)     %7 = OpTypeInt 32 0
 *     nf_build_definition(b, OpTypeInt, 0, {32, 0}, 2)     (nothing: it is %7)
 *
 * SPIR-V forbids two declarations of the same non-aggregate type, and a second equal constant is redundant. So the
 * stages that make modules (prepare, rewrite, supply, workarounds, fit) define types and constants here, where equal
 * definitions get one id. The hard case is a definition of the input: nf_build_note() registers the definitions in a
 * range of words, and nf_note_made() a single one.
 *
 * needs: an arena, the first free id.  gives: ids, and the words of the definitions.
 */
#include "spirv/spirv.h"

uint32_t nf_build_id(struct nf_builder *b)
{
    if (b->next_id > NF_MAX_BOUND)
        nf_fail(b->arena, NF_REFUSED, 0, "the output would need more than %u ids", NF_MAX_BOUND);
    return b->next_id++;
}

void nf_build(struct nf_words *to, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    if (count >= NF_MAX_LENGTH) nf_fail(to->arena, NF_REFUSED, 0, "an instruction would need %u words", count + 1);
    nf_append_word(to, nf_first_word(opcode, count + 1));
    nf_append_words(to, operands, count);
}

/* ---- Hash table of definitions ---- */

static uint32_t hash_key(const uint32_t *key, uint32_t length)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ key[i]) * 16777619u ^ (hash >> 15);
    return hash;
}

static uint32_t *bucket_of(const struct nf_builder *b, const uint32_t *key, uint32_t length)
{
    return &b->buckets[hash_key(key, length) & (b->bucket_count - 1)];
}

uint32_t nf_find_made(const struct nf_builder *b, const uint32_t *key, uint32_t length)
{
    if (!b->bucket_count) return 0;
    for (uint32_t i = *bucket_of(b, key, length); i; i = b->made[i].next)
        if (b->made[i].length == length && !memcmp(b->keys.at + b->made[i].key, key, length * sizeof *key))
            return b->made[i].id;
    return 0;
}

static void chain_in(struct nf_builder *b, uint32_t index)
{
    uint32_t *bucket = bucket_of(b, b->keys.at + b->made[index].key, b->made[index].length);
    b->made[index].next = *bucket;
    *bucket = index;
}

static void rehash(struct nf_builder *b)
{
    b->bucket_count = b->bucket_count ? 2 * b->bucket_count : 64;
    nf_arena_drop(b->arena, b->buckets);
    b->buckets = NF_NEW_ARRAY(b->arena, uint32_t, b->bucket_count);
    for (uint32_t i = 1; i < b->made_count; i++)
        chain_in(b, i);
}

void nf_note_made(struct nf_builder *b, const uint32_t *key, uint32_t length, uint32_t id)
{
    if (!b->made_count) b->made_count = 1;
    NF_RESERVE(b->arena, b->made, b->made_capacity, (size_t)b->made_count + 1);
    b->made[b->made_count++] = (struct nf_made){b->keys.count, length, id, 0};
    nf_append_words(&b->keys, key, length);
    if (b->made_count > b->bucket_count)
        rehash(b);
    else
        chain_in(b, b->made_count - 1);
}

void nf_build_end(struct nf_builder *b)
{
    nf_arena_drop(b->arena, b->made);
    nf_arena_drop(b->arena, b->buckets);
    nf_arena_drop(b->arena, b->keys.at);
    b->made = NULL;
    b->buckets = b->keys.at = NULL;
    b->made_count = b->made_capacity = b->bucket_count = b->keys.count = b->keys.capacity = 0;
}

/* ---- Definitions ---- */

enum { SHORT_KEY = 64, LONGEST_KNOWN = 64 };

uint32_t nf_build_definition(struct nf_builder *b, uint32_t opcode, uint32_t type, const uint32_t *operands,
                             uint32_t count)
{
    uint32_t near[SHORT_KEY], *key = count + 2 > SHORT_KEY ? NF_NEW(b->arena, uint32_t, count + 2) : near;
    key[0] = opcode;
    key[1] = type;
    if (count) memcpy(key + 2, operands, count * sizeof *operands);
    uint32_t id = nf_find_made(b, key, count + 2);
    if (id) return id;
    id = nf_build_id(b);
    nf_append_word(&b->definitions, nf_first_word(opcode, count + 2 + !!type));
    if (type) nf_append_word(&b->definitions, type);
    nf_append_word(&b->definitions, id);
    nf_append_words(&b->definitions, operands, count);
    nf_note_made(b, key, count + 2, id);
    return id;
}

void nf_build_note(struct nf_builder *b, const uint32_t *words, uint32_t from, uint32_t to, uint32_t last_opcode)
{
    for (uint32_t at = from; at < to; at += nf_length_of(words[at])) {
        const struct nf_op *op = nf_op_find(nf_opcode_of(words[at]));
        uint32_t key[LONGEST_KNOWN], first = nf_first_operand(op), count = nf_length_of(words[at]) - first;
        if (op->opcode < OpTypeVoid || op->opcode > last_opcode || !nf_has_result(op)) continue;
        if (count + 2 > LONGEST_KNOWN) continue;
        key[0] = op->opcode;
        key[1] = nf_has_type(op) ? words[at + 1] : 0;
        memcpy(key + 2, words + at + first, count * sizeof *key);
        if (!nf_find_made(b, key, count + 2)) nf_note_made(b, key, count + 2, words[at + nf_result_word(op)]);
    }
}
