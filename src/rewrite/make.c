/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make.c - ids, instructions, types and constants of the output.
 *
 * Non-aggregate types must not be declared twice, so everything at module scope is made through one table: asking again
 * for what is there already, in the input or made before, gives the same id.
 */
#include "rewrite/parts.h"

uint32_t nf_new_id(struct nf_output *o)
{
    if (o->next_id > NF_MAX_BOUND)
        nf_fail(o->m->arena, NF_REFUSED, 0, "the output would need more than %u ids", NF_MAX_BOUND);
    return o->next_id++;
}

static void emit_to(struct nf_output *o, struct nf_words *words, uint32_t opcode, const uint32_t *operands,
                    uint32_t count)
{
    if (count > 0xfffe) nf_fail(o->m->arena, NF_REFUSED, 0, "an instruction would need %u words", count + 1);
    nf_put(words, nf_first_word(opcode, count + 1));
    nf_put_all(words, operands, count);
}

void nf_emit(struct nf_output *o, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    emit_to(o, &o->bodies, opcode, operands, count);
}

uint32_t nf_emit_new(struct nf_output *o, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t id = nf_new_id(o);
    nf_put(&o->bodies, nf_first_word(opcode, count + 3));
    nf_put(&o->bodies, type);
    nf_put(&o->bodies, id);
    nf_put_all(&o->bodies, operands, count);
    return id;
}

/* ---- The table of what has been made ---- */

static uint32_t hash_key(const uint32_t *key, uint32_t length)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ key[i]) * 16777619u ^ (hash >> 15);
    return hash;
}

uint32_t nf_find_made(struct nf_output *o, const uint32_t *key, uint32_t length)
{
    if (!o->made.bucket_count) return 0;
    for (uint32_t i = o->made.buckets[hash_key(key, length) & (o->made.bucket_count - 1)]; i; i = o->made.at[i].next)
        if (o->made.at[i].length == length && !memcmp(o->made.at[i].key, key, length * sizeof *key))
            return o->made.at[i].id;
    return 0;
}

static void rehash(struct nf_output *o)
{
    o->made.bucket_count = o->made.bucket_count ? 2 * o->made.bucket_count : 64;
    o->made.buckets = NF_NEW(o->m->arena, uint32_t, o->made.bucket_count);
    for (uint32_t i = 1; i < o->made.count; i++) {
        uint32_t *bucket =
            &o->made.buckets[hash_key(o->made.at[i].key, o->made.at[i].length) & (o->made.bucket_count - 1)];
        o->made.at[i].next = *bucket;
        *bucket = i;
    }
}

void nf_note_made(struct nf_output *o, const uint32_t *key, uint32_t length, uint32_t id)
{
    struct nf_module *m = o->m;
    if (!o->made.count) o->made.count = 1;
    NF_RESERVE(m->arena, o->made.at, o->made.capacity, (size_t)o->made.count + 1);
    uint32_t *copy = NF_NEW(m->arena, uint32_t, length);
    memcpy(copy, key, length * sizeof *key);
    o->made.at[o->made.count] = (struct nf_made){copy, length, id, 0};
    uint32_t index = o->made.count++;
    if (o->made.count > o->made.bucket_count) {
        rehash(o);
        return;
    }
    uint32_t *bucket = &o->made.buckets[hash_key(key, length) & (o->made.bucket_count - 1)];
    o->made.at[index].next = *bucket;
    *bucket = index;
}

enum { SHORT_KEY = 64 };

uint32_t nf_global(struct nf_output *o, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t near[SHORT_KEY], *key = count + 2 > SHORT_KEY ? NF_NEW(o->m->arena, uint32_t, count + 2) : near;
    key[0] = opcode;
    key[1] = type;
    if (count) memcpy(key + 2, operands, count * sizeof *operands);
    uint32_t id = nf_find_made(o, key, count + 2);
    if (id) {
        if (id < o->m->bound && !o->used[id]) o->used[id] = 1;
        return id;
    }
    id = nf_new_id(o);
    nf_put(&o->globals, nf_first_word(opcode, count + 2 + !!type));
    if (type) nf_put(&o->globals, type);
    nf_put(&o->globals, id);
    nf_put_all(&o->globals, operands, count);
    nf_note_made(o, key, count + 2, id);
    return id;
}

/* ---- Types ---- */

uint32_t nf_uint_type(struct nf_output *o)
{
    return nf_global(o, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
}

uint32_t nf_bool_type(struct nf_output *o)
{
    return nf_global(o, OpTypeBool, 0, NULL, 0);
}

uint32_t nf_void_type(struct nf_output *o)
{
    return nf_global(o, OpTypeVoid, 0, NULL, 0);
}

uint32_t nf_memory_type(struct nf_output *o, uint32_t type)
{
    uint32_t same = o->type_of_type[type];
    uint32_t id = same ? same : type;
    if (id < o->m->bound && !o->used[id]) o->used[id] = 1;
    return id;
}

uint32_t nf_pointer_type(struct nf_output *o, uint32_t storage, uint32_t pointee)
{
    return nf_global(o, OpTypePointer, 0, (uint32_t[]){storage, pointee}, 2);
}

uint32_t nf_part_type(struct nf_output *o, uint32_t generic_type, nf_set space)
{
    const struct nf_type *type = nf_type(o->m, generic_type);
    if (space == NF_GENERIC) return nf_memory_type(o, generic_type);
    uint32_t storage = nf_storage_of_space(o->m, space);
    if (!type->element) return nf_global(o, OpTypeUntypedPointerKHR, 0, &storage, 1);
    return nf_pointer_type(o, storage, nf_memory_type(o, type->element));
}

/* ---- Constants ---- */

uint32_t nf_uint(struct nf_output *o, uint32_t value)
{
    return nf_global(o, OpConstant, nf_uint_type(o), &value, 1);
}

uint32_t nf_address_constant(struct nf_output *o, uint64_t value)
{
    uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> 32)};
    return nf_global(o, OpConstant, o->address_type, words, o->m->address_bits == 32 ? 1 : 2);
}

uint32_t nf_null(struct nf_output *o, uint32_t type)
{
    return nf_global(o, OpConstantNull, type, NULL, 0);
}
