/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.c - merges equal types, constants and imported instruction sets with equal decorations.
 *
 *     module 1: %5 = OpTypeInt 32 0                      %5 = OpTypeInt 32 0
 *     module 2: %3 = OpTypeInt 32 0                      (gone: its %3 is %5 of the output)
 *
 * The hard case is an array type: compilers choose different integer types for the length, so lengths are compared by
 * value.
 *
 * needs: units, in order.  gives: the sections of imports and globals.
 */
#include "link/internal.h"

enum { ARRAY_LENGTH = 3 }; /* word index in OpTypeArray */

/* An entry of the hash table: a type, constant or imported instruction set of the output. */
struct nf_known {
    uint64_t hash;
    uint32_t id;    /* its id in the output; 0: the entry is free */
    uint32_t at;    /* word offset in its section */
    uint32_t unit;  /* index of the unit that defines it */
    uint32_t there; /* word offset in that unit */
};

/* A type or an imported set has a result without a type. So has a scope of aliases, but equal scopes of two modules are
 * different scopes. */
bool nf_can_merge(uint32_t opcode)
{
    const struct nf_op *op = nf_op_find(opcode);
    enum nf_section section = nf_section_of(opcode);
    bool type = nf_has_result(op) && !nf_has_type(op) &&
                !(opcode >= OpAliasDomainDeclINTEL && opcode <= OpAliasScopeListDeclINTEL);
    return (type && (section == NF_SECTION_IMPORTS || section == NF_SECTION_GLOBALS)) ||
           (opcode >= OpConstantTrue && opcode <= OpConstantNull);
}

void nf_merge_begin(struct nf_linker *linker)
{
    size_t globals = 0;
    for (uint32_t i = 0; i < linker->unit_count; i++) {
        const struct nf_module *m = &linker->units[i].m;
        for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
            globals += nf_can_merge(nf_opcode(m, at));
    }
    linker->known_size = 2;
    while (linker->known_size < globals * 2)
        linker->known_size *= 2;
    linker->known = NF_NEW(linker->arena, struct nf_known, linker->known_size);
}

/* ---- Decorations ---- */

static bool decorates(const struct nf_module *m, uint32_t at, uint32_t id)
{
    uint32_t opcode = nf_opcode(m, at);
    bool decoration = opcode == OpDecorate || opcode == OpMemberDecorate || opcode == OpDecorateId ||
                      opcode == OpDecorateString || opcode == OpMemberDecorateString;
    return decoration && nf_annotated_id(m, at) == id;
}

/* Returns the word offset of the first decoration of `id` at or after `at`; 0 if there is none. */
static uint32_t next_decoration(const struct nf_module *m, uint32_t at, uint32_t id)
{
    for (; at < m->body_at; at = nf_next(m, at))
        if (decorates(m, at, id)) return at;
    return 0;
}

/* Returns true if two ids have the same decorations in the same order; compilers write equal types in one order. */
static bool same_decorations(const struct nf_module *a, uint32_t a_id, const struct nf_module *b, uint32_t b_id)
{
    uint32_t at = next_decoration(a, NF_HEADER_WORDS, a_id), other = next_decoration(b, NF_HEADER_WORDS, b_id);
    while (at && other) {
        if (a->words[at] != b->words[other] ||
            memcmp(a->words + at + 2, b->words + other + 2, (nf_length(a, at) - 2) * sizeof(uint32_t)) != 0)
            return false;
        at = next_decoration(a, nf_next(a, at), a_id);
        other = next_decoration(b, nf_next(b, other), b_id);
    }
    return !at && !other;
}

/* ---- Equal instructions ---- */

/* Returns true if the type at `at` is an array whose length is an OpConstant, and then sets `*length`. */
static bool array_length(const struct nf_module *m, uint32_t at, uint64_t *length)
{
    if (nf_opcode(m, at) != OpTypeArray) return false;
    uint32_t constant = m->def[nf_array_length(m, at)];
    if (nf_opcode(m, constant) != OpConstant) return false;
    *length = nf_constant_bits(m, constant);
    return true;
}

static uint32_t result_word(const struct nf_module *m, uint32_t at)
{
    return nf_result_word(nf_op_find(nf_opcode(m, at)));
}

static uint64_t hash_words(const uint32_t *words, size_t count)
{
    uint64_t hash = 1469598103934665603ull;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 1099511628211ull;
    return hash;
}

/* Returns the hash of the instruction at `at` without its result id, and with the value of an array's length in place
 * of its id. `copy` is the instruction with the output's ids. */
static uint64_t hash_instruction(const struct nf_module *m, uint32_t at, uint32_t *copy)
{
    uint32_t result = result_word(m, at), id = copy[result], length_id = 0;
    uint64_t length;
    bool array = array_length(m, at, &length);
    copy[result] = 0;
    if (array) {
        length_id = copy[ARRAY_LENGTH];
        copy[ARRAY_LENGTH] = (uint32_t)length;
    }
    uint64_t hash = hash_words(copy, nf_length(m, at));
    copy[result] = id;
    if (array) copy[ARRAY_LENGTH] = length_id;
    return hash;
}

/* Returns true if the instruction at `at` equals `known` except for the result id, and the id of an equal array length;
 * `copy` is the instruction with the output's ids. */
static bool is_equal(const struct nf_linker *linker, const struct nf_known *known, enum nf_section section,
                     const struct nf_module *m, uint32_t at, const uint32_t *copy)
{
    const struct nf_module *owner = &linker->units[known->unit].m;
    if (nf_opcode(owner, known->there) != nf_opcode(m, at)) return false;
    const uint32_t *other = linker->sections[section].at + known->at;
    uint32_t result = result_word(m, at), skipped = result;
    uint64_t length, other_length;
    if (array_length(m, at, &length) && array_length(owner, known->there, &other_length) && length == other_length)
        skipped = ARRAY_LENGTH;
    for (uint32_t i = 0; i < nf_length(m, at); i++)
        if (i != result && i != skipped && copy[i] != other[i]) return false;
    return true;
}

void nf_merge(struct nf_linker *linker, uint32_t unit_index, uint32_t at, enum nf_section section)
{
    struct nf_unit *unit = &linker->units[unit_index];
    const struct nf_module *m = &unit->m;
    struct nf_words *words = &linker->sections[section];
    uint32_t result = result_word(m, at), old = nf_word(m, at, result), start = words->count;
    nf_append_mapped(linker, unit, at, section);
    uint32_t *copy = words->at + start;
    uint64_t hash = hash_instruction(m, at, copy);
    for (size_t i = hash & (linker->known_size - 1);; i = (i + 1) & (linker->known_size - 1)) {
        struct nf_known *known = &linker->known[i];
        if (!known->id) {
            *known = (struct nf_known){hash, copy[result], start, unit_index, at};
            return;
        }
        if (known->hash != hash || known->unit == unit_index || !is_equal(linker, known, section, m, at, copy))
            continue;
        const struct nf_module *owner = &linker->units[known->unit].m;
        if (!same_decorations(owner, nf_word(owner, known->there, result), m, old)) continue;
        words->count = start;
        unit->map[old] = known->id;
        unit->dropped[old] = true;
        return;
    }
}
