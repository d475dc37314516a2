/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutate.c - a mutator for SPIR-V, many of whose mutants are still valid: one to four small changes to a module, each
 * of which preserves types and shapes if possible. Input that is no module is left to libFuzzer's own mutator.
 */
#include "mutate.h"

#include "property.h"

#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* ---- The module that is being changed ---------------------------------------------------------------------------- */

uint32_t mutate_pick(struct mutant *m, uint32_t count)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return count ? (uint32_t)((m->random >> 11) % count) : 0;
}

/* Finds the instructions and the definition of each id. @return false if the words are no module. */
bool mutate_scan(struct mutant *m)
{
    m->instructions = m->body = 0;
    memset(m->def, 0, m->ids * sizeof *m->def);
    m->ids = 0;
    if (m->count < 5 || m->words[0] != 0x07230203) return false;
    for (uint32_t at = 5, length; at < m->count; at += length) {
        length = m->words[at] >> 16;
        if (!length || length > m->count - at || m->instructions == MAX_INSTRUCTIONS) return false;
        const struct nf_op *op = nf_op_find(m->words[at] & 0xffff);
        if (length < op->words) return false;
        uint32_t id = op->result & 2 ? m->words[at + 1 + (op->result & 1)] : 0;
        if (id < MAX_IDS && id) m->def[id] = at;
        if (id < MAX_IDS && id >= m->ids) m->ids = id + 1;
        if (op->opcode == OpFunction && !m->body) m->body = m->instructions;
        if (op->opcode == OpExtInstImport) m->ext = id;
        m->at[m->instructions++] = at;
    }
    return m->instructions > 0;
}

uint32_t mutate_type(const struct mutant *m, uint32_t id)
{
    uint32_t at = id < MAX_IDS ? m->def[id] : 0;
    return at && nf_op_find(m->words[at] & 0xffff)->result & 1 ? m->words[at + 1] : 0;
}

/* Returns the word with that index of the definition of `id`, or 0; for a pointer type, 2 is the storage class and 3
 * the pointee. */
uint32_t mutate_word(const struct mutant *m, uint32_t id, uint32_t index)
{
    uint32_t at = id < MAX_IDS ? m->def[id] : 0;
    return at && index < m->words[at] >> 16 ? m->words[at + index] : 0;
}

uint32_t mutate_opcode(const struct mutant *m, uint32_t id)
{
    return mutate_word(m, id, 0) & 0xffff;
}

/* Inserts `length` words at word `at`. @return false if there is no room. */
bool mutate_insert(struct mutant *m, uint32_t at, const uint32_t *words, uint32_t length)
{
    if (m->count + length > m->capacity || m->count + length > MAX_WORDS || at > m->count) return false;
    uint32_t copy[MAX_LENGTH];
    if (length > MAX_LENGTH) return false;
    memcpy(copy, words, length * 4);
    memmove(m->words + at + length, m->words + at, (m->count - at) * 4);
    memcpy(m->words + at, copy, length * 4);
    m->count += length;
    return true;
}

static void erase(struct mutant *m, uint32_t at, uint32_t length)
{
    memmove(m->words + at, m->words + at + length, (m->count - at - length) * 4);
    m->count -= length;
}

uint32_t mutate_new_id(struct mutant *m)
{
    return m->words[3]++;
}

/* Returns a random instruction after the first OpFunction, or of the whole module. */
static uint32_t any_instruction(struct mutant *m, bool in_body)
{
    uint32_t first = in_body ? m->body : 0;
    return m->at[first + mutate_pick(m, m->instructions - first)];
}

/* Returns another id that may replace `id`: of the same type, or defined by the same opcode. */
static uint32_t twin_of(struct mutant *m, uint32_t id)
{
    uint32_t type = mutate_type(m, id), opcode = mutate_opcode(m, id), found = id, seen = 0;
    for (uint32_t other = 1; other < m->words[3] && other < m->ids; other++) {
        bool fits = m->def[other] && other != id &&
                    (type ? mutate_type(m, other) == type && mutate_opcode(m, other) != OpFunction
                          : mutate_opcode(m, other) == opcode);
        if (fits && mutate_pick(m, ++seen) == 0) found = other;
    }
    return found;
}

/* ---- The changes ------------------------------------------------------------------------------------------------- */

static struct nf_operands walk(const struct mutant *m, uint32_t at)
{
    bool std = (m->words[at] & 0xffff) == OpExtInst && m->words[at + 3] == m->ext;
    return nf_operands_begin(m->words + at, m->words[at] >> 16, std ? NF_EXT_OPENCL_STD : NF_EXT_OTHER, 1);
}

/* Returns the position of a random operand of that kind, or 0. */
static uint32_t any_operand(struct mutant *m, uint32_t at, enum nf_operand_kind kind)
{
    uint32_t found = 0, seen = 0;
    struct nf_operands operands = walk(m, at);
    while (nf_operands_next(&operands))
        if (operands.kind == kind && mutate_pick(m, ++seen) == 0) found = at + operands.at;
    return found;
}

static void change_operand(struct mutant *m)
{
    uint32_t place = any_operand(m, any_instruction(m, mutate_pick(m, 8) > 0), NF_OPERAND_ID);
    if (!place) return;
    if (mutate_pick(m, 32))
        m->words[place] = twin_of(m, m->words[place]);
    else
        m->words[place] = 1 + mutate_pick(m, m->words[3]);
}

static void change_literal(struct mutant *m)
{
    static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 63, 64, 255, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t at = any_instruction(m, false), opcode = m->words[at] & 0xffff;
    uint32_t place = any_operand(m, at, NF_OPERAND_LITERAL);
    if (opcode == OpConstant) place = at + 3;
    if (!place || opcode == OpCapability || opcode == OpMemoryModel || opcode == OpEntryPoint) return;
    if (mutate_pick(m, 2))
        m->words[place] = values[mutate_pick(m, sizeof values / sizeof *values)];
    else
        m->words[place] ^= 1u << mutate_pick(m, 32);
}

static void change_type(struct mutant *m)
{
    uint32_t at = any_instruction(m, true);
    if (nf_op_find(m->words[at] & 0xffff)->result & 1) m->words[at + 1] = twin_of(m, m->words[at + 1]);
}

static void change_opcode(struct mutant *m)
{
    uint32_t at = any_instruction(m, mutate_pick(m, 8) > 0);
    const struct nf_op *op = nf_op_find(m->words[at] & 0xffff);
    uint16_t twins[512];
    uint32_t count = 0;
    for (uint32_t opcode = 1; opcode < 400 && count < 512; opcode++) {
        const struct nf_op *other = nf_op_find(opcode);
        if (other->opcode == opcode && other->result == op->result && !strcmp(other->operands, op->operands))
            twins[count++] = (uint16_t)opcode;
    }
    if (count) m->words[at] = (m->words[at] & 0xffff0000) | twins[mutate_pick(m, count)];
}

/* Changes the storage class of a pointer type and of its variables. */
static void change_storage(struct mutant *m)
{
    static const uint32_t classes[] = {0, 4, 5, 7, 8};
    uint32_t at = any_instruction(m, false);
    for (uint32_t i = 0; i < m->instructions && (m->words[at] & 0xffff) != OpTypePointer; i++)
        at = m->at[mutate_pick(m, m->instructions)];
    if ((m->words[at] & 0xffff) != OpTypePointer) return;
    uint32_t storage = classes[mutate_pick(m, 5)], type = m->words[at + 1];
    m->words[at + 2] = storage;
    for (uint32_t i = 0; i < m->instructions; i++)
        if ((m->words[m->at[i]] & 0xffff) == OpVariable && m->words[m->at[i] + 1] == type)
            m->words[m->at[i] + 3] = storage;
}

static void delete_instruction(struct mutant *m)
{
    uint32_t at = any_instruction(m, mutate_pick(m, 8) > 0);
    const struct nf_op *op = nf_op_find(m->words[at] & 0xffff);
    if (op->opcode == OpLabel && mutate_pick(m, 16)) return;
    if (op->result & 2) { /* the uses of a result get another value of its type */
        uint32_t id = m->words[at + 1 + (op->result & 1)], twin = twin_of(m, id);
        for (uint32_t i = 0; i < m->instructions; i++) {
            struct nf_operands operands = walk(m, m->at[i]);
            while (nf_operands_next(&operands))
                if (operands.kind == NF_OPERAND_ID && m->words[m->at[i] + operands.at] == id)
                    m->words[m->at[i] + operands.at] = twin;
        }
    }
    erase(m, at, m->words[at] >> 16);
}

/* Copies an instruction to another place, with a new result and sometimes other operands. */
static void copy_instruction(struct mutant *m)
{
    uint32_t from = any_instruction(m, true), to = any_instruction(m, true), length = m->words[from] >> 16;
    const struct nf_op *op = nf_op_find(m->words[from] & 0xffff);
    uint32_t copy[MAX_LENGTH];
    if (length > MAX_LENGTH) return;
    if (mutate_pick(m, 2)) to = from + length;
    memcpy(copy, m->words + from, length * 4);
    struct nf_operands operands = walk(m, from);
    while (nf_operands_next(&operands))
        if (operands.kind == NF_OPERAND_ID && mutate_pick(m, 3) == 0) copy[operands.at] = twin_of(m, copy[operands.at]);
    if (op->result & 2) copy[1 + (op->result & 1)] = mutate_new_id(m);
    mutate_insert(m, to, copy, length);
}

static void move_instruction(struct mutant *m)
{
    uint32_t i = m->body + mutate_pick(m, m->instructions - m->body);
    if (i + 1 >= m->instructions) return;
    uint32_t at = m->at[i], next = m->at[i + 1], length = next - at, copy[MAX_LENGTH];
    if (length > MAX_LENGTH) return;
    uint32_t other = m->words[next] >> 16;
    memcpy(copy, m->words + at, length * 4);
    memmove(m->words + at, m->words + next, other * 4);
    memcpy(m->words + at + other, copy, length * 4);
}

/* ---- The mutator ------------------------------------------------------------------------------------------------- */

static void change(struct mutant *m)
{
    switch (mutate_pick(m, 16)) {
    case 0: change_literal(m); break;
    case 1: change_type(m); break;
    case 2: change_opcode(m); break;
    case 3: change_storage(m); break;
    case 4: delete_instruction(m); break;
    case 5: copy_instruction(m); break;
    case 6: move_instruction(m); break;
    case 7:
    case 8: change_operand(m); break;
    default: mutate_grow(m); break;
    }
}

static size_t change_module(struct mutant *m, uint8_t *data, size_t size, size_t max_size)
{
    static uint32_t words[MAX_WORDS];
    if (size % 4 || size > sizeof words || mutate_pick(m, 64) == 0) return LLVMFuzzerMutate(data, size, max_size);
    m->words = words;
    m->count = (uint32_t)(size / 4);
    m->capacity = (uint32_t)(max_size / 4);
    memcpy(words, data, size);
    if (!mutate_scan(m)) return LLVMFuzzerMutate(data, size, max_size);
    for (uint32_t times = 1 + mutate_pick(m, 4); times--;) {
        change(m);
        if (!mutate_scan(m)) break;
    }
    memcpy(data, words, m->count * 4);
    return m->count * 4;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct mutant m;
    static uint8_t last[MAX_WORDS * 4];
    m.random = seed * 0x9e3779b97f4a7c15u + 1;
    mutate_pick(&m, 1);
    size_t begin = fuzz_last_module(data, size), rest = size - begin;
    if (!begin) return change_module(&m, data, size, max_size);
    if (mutate_pick(&m, 2) || rest > sizeof last)
        return begin + change_module(&m, data + begin, rest, max_size - begin);
    memcpy(last, data + begin, rest);
    size_t changed = change_module(&m, data, begin, max_size - rest);
    memcpy(data + changed, last, rest);
    return changed + rest;
}
