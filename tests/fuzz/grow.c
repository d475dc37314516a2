/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grow.c - adds instructions that are typical for pointers: casts, stores, loads, selects and phis, calls, conversions
 * to integers.
 *
 * Operands are earlier values of the same function or values at module scope, with the right type, so most results are
 * valid (not those whose operands do not dominate them).
 */
#include "mutate.h"

#include <string.h>

enum { MAX_NEAR = 4096, CREATED = 4 };

/* The position of the new instruction: before the instruction with that index, inside the function that begins at
 * `function`. */
struct place {
    struct mutant *m;
    uint32_t index, function;
    uint32_t near[MAX_NEAR], near_count; /* ids of earlier values */
};

static bool is_pointer(const struct mutant *m, uint32_t type)
{
    return mutate_opcode(m, type) == OpTypePointer;
}

static bool may_stand_before(const struct mutant *m, uint32_t index)
{
    switch (m->words[m->at[index]] & 0xffff) {
    case OpFunction:
    case OpFunctionEnd:
    case OpFunctionParameter:
    case OpLabel:
    case OpVariable:
    case OpPhi: return false;
    default: break;
    }
    uint32_t before = m->words[m->at[index - 1]] & 0xffff;
    return before != OpLoopMerge && before != OpSelectionMerge;
}

static void find_near(struct place *p)
{
    const struct mutant *m = p->m;
    p->near_count = 0;
    for (uint32_t i = 0; i < p->index && p->near_count < MAX_NEAR; i++) {
        if (i == m->body) i = p->function;
        const uint32_t *w = m->words + m->at[i];
        if (nf_op_find(w[0] & 0xffff)->result == 3 && (w[0] & 0xffff) != OpFunction) p->near[p->near_count++] = w[2];
    }
}

static bool choose_place(struct place *p)
{
    struct mutant *m = p->m;
    for (int tries = 0; tries < 16; tries++) {
        p->index = m->body + mutate_pick(m, m->instructions - m->body);
        if (!m->body || !may_stand_before(m, p->index)) continue;
        p->function = p->index;
        while (p->function > m->body && (m->words[m->at[p->function]] & 0xffff) != OpFunction)
            p->function--;
        find_near(p);
        return p->near_count > 0;
    }
    return false;
}

/* ---- Values and types -------------------------------------------------------------------------------------------- */

static uint32_t value_of_type(struct place *p, uint32_t type)
{
    uint32_t found = 0, seen = 0;
    for (uint32_t i = 0; i < p->near_count; i++)
        if (mutate_type(p->m, p->near[i]) == type && mutate_pick(p->m, ++seen) == 0) found = p->near[i];
    return found;
}

static uint32_t any_pointer(struct place *p)
{
    uint32_t found = 0, seen = 0;
    for (uint32_t i = 0; i < p->near_count; i++)
        if (is_pointer(p->m, mutate_type(p->m, p->near[i])) && mutate_pick(p->m, ++seen) == 0) found = p->near[i];
    return found;
}

/* Returns a random type that `opcode` can produce; of integers, one of `bits`. */
static uint32_t any_type(struct place *p, uint32_t opcode, uint32_t bits)
{
    struct mutant *m = p->m;
    uint32_t found = 0, seen = 0;
    for (uint32_t i = 0; i < m->body; i++) {
        const uint32_t *w = m->words + m->at[i];
        if ((w[0] & 0xffff) != opcode || (bits && w[2] != bits)) continue;
        if (mutate_pick(m, ++seen) == 0) found = w[1];
    }
    return found;
}

/* Returns the pointer type, which it creates if it does not exist. */
static uint32_t pointer_type(struct place *p, uint32_t storage, uint32_t pointee)
{
    struct mutant *m = p->m;
    for (uint32_t i = 0; i < m->body; i++) {
        const uint32_t *w = m->words + m->at[i];
        if ((w[0] & 0xffff) == OpTypePointer && w[2] == storage && w[3] == pointee) return w[1];
    }
    uint32_t id = m->words[3], words[CREATED] = {CREATED << 16 | OpTypePointer, id, storage, pointee};
    if (!pointee || !mutate_insert(m, m->at[m->body], words, CREATED)) return 0;
    mutate_new_id(m);
    if (!mutate_scan(m)) return 0;
    p->index++;
    p->function++;
    return id;
}

static uint32_t storage_of(const struct mutant *m, uint32_t value)
{
    return mutate_word(m, mutate_type(m, value), 2);
}

static uint32_t pointee_of(const struct mutant *m, uint32_t value)
{
    return mutate_word(m, mutate_type(m, value), 3);
}

/* Writes an instruction with a result of that type and up to four operands; the first operand that is 0 ends the
 * list. */
static void put(struct place *p, uint32_t opcode, uint32_t type, const uint32_t operands[4])
{
    uint32_t words[7] = {opcode, type, p->m->words[3]}, count = type ? 3 : 1, first = count;
    for (; count - first < 4 && operands[count - first]; count++)
        words[count] = operands[count - first];
    words[0] |= count << 16;
    if (mutate_insert(p->m, p->m->at[p->index], words, count) && type) mutate_new_id(p->m);
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static void grow_select(struct place *p)
{
    uint32_t a = any_pointer(p), type = mutate_type(p->m, a), b = value_of_type(p, type);
    uint32_t condition = value_of_type(p, any_type(p, OpTypeBool, 0));
    if (a && b && condition) put(p, OpSelect, type, (uint32_t[4]){condition, a, b});
}

static void grow_load(struct place *p)
{
    uint32_t pointer = any_pointer(p);
    if (pointer) put(p, OpLoad, pointee_of(p->m, pointer), (uint32_t[4]){pointer});
}

static void grow_store(struct place *p)
{
    uint32_t pointer = any_pointer(p);
    uint32_t value = pointer ? value_of_type(p, pointee_of(p->m, pointer)) : 0;
    if (value) put(p, OpStore, 0, (uint32_t[4]){pointer, value});
}

static void grow_cast(struct place *p)
{
    static const uint32_t concrete[] = {NF_STORAGE_FUNCTION, NF_STORAGE_WORKGROUP, NF_STORAGE_CROSS_WORKGROUP};
    struct mutant *m = p->m;
    uint32_t pointer = any_pointer(p), storage = storage_of(m, pointer), pointee = pointee_of(m, pointer);
    if (!pointer) return;
    if (storage != NF_STORAGE_GENERIC) {
        put(p, OpPtrCastToGeneric, pointer_type(p, NF_STORAGE_GENERIC, pointee), (uint32_t[4]){pointer});
        return;
    }
    uint32_t to = concrete[mutate_pick(m, 3)], type = pointer_type(p, to, pointee);
    if (mutate_pick(m, 2))
        put(p, OpGenericCastToPtr, type, (uint32_t[4]){pointer});
    else
        put(p, OpGenericCastToPtrExplicit, type, (uint32_t[4]){pointer, to});
}

static void grow_bitcast(struct place *p)
{
    uint32_t pointer = any_pointer(p), storage = storage_of(p->m, pointer);
    static const uint32_t kinds[] = {OpTypeInt, OpTypePointer, OpTypePointer, OpTypeStruct, OpTypeArray, OpTypeVector};
    uint32_t pointee = any_type(p, kinds[mutate_pick(p->m, 6)], 0);
    if (!pointer || !pointee) return;
    uint32_t type = pointer_type(p, storage, pointee);
    if (type != mutate_type(p->m, pointer)) put(p, OpBitcast, type, (uint32_t[4]){pointer});
}

static void grow_integer(struct place *p)
{
    uint32_t type = any_type(p, OpTypeInt, mutate_pick(p->m, 4) ? 64 : 32), pointer = any_pointer(p);
    if (type && pointer) put(p, OpConvertPtrToU, type, (uint32_t[4]){pointer});
}

static void grow_from_integer(struct place *p)
{
    uint32_t value = value_of_type(p, any_type(p, OpTypeInt, 64)), type = any_type(p, OpTypePointer, 0);
    if (value && type) put(p, OpConvertUToPtr, type, (uint32_t[4]){value});
}

static void grow_chain(struct place *p)
{
    uint32_t pointer = any_pointer(p), index = value_of_type(p, any_type(p, OpTypeInt, 0));
    if (!pointer || !index) return;
    uint32_t opcode = mutate_pick(p->m, 2) ? OpPtrAccessChain : OpInBoundsPtrAccessChain;
    put(p, opcode, mutate_type(p->m, pointer), (uint32_t[4]){pointer, index});
}

static void grow_copy(struct place *p)
{
    uint32_t from = any_pointer(p), to = any_pointer(p);
    uint32_t bytes = value_of_type(p, any_type(p, OpTypeInt, 0));
    if (!from || !to) return;
    if (pointee_of(p->m, from) == pointee_of(p->m, to) && mutate_pick(p->m, 2))
        put(p, OpCopyMemory, 0, (uint32_t[4]){to, from});
    else if (bytes)
        put(p, OpCopyMemorySized, 0, (uint32_t[4]){to, from, bytes});
}

static void grow_atomic(struct place *p)
{
    uint32_t pointer = any_pointer(p), type = pointee_of(p->m, pointer), value = value_of_type(p, type);
    uint32_t scope = value_of_type(p, any_type(p, OpTypeInt, 32));
    if (!pointer || !value || !scope || mutate_opcode(p->m, type) != OpTypeInt) return;
    put(p, mutate_pick(p->m, 2) ? OpAtomicExchange : OpAtomicIAdd, type, (uint32_t[4]){pointer, scope, scope, value});
}

static void grow_semantics(struct place *p)
{
    uint32_t pointer = any_pointer(p), type = any_type(p, OpTypeInt, 32);
    if (!pointer || !type || storage_of(p->m, pointer) != NF_STORAGE_GENERIC) return;
    put(p, OpGenericPtrMemSemantics, type, (uint32_t[4]){pointer});
}

/* Creates a private variable for a pointer, at the beginning of the function. */
static void grow_slot(struct place *p)
{
    struct mutant *m = p->m;
    uint32_t holds = any_type(p, mutate_pick(m, 4) ? OpTypePointer : OpTypeStruct, 0);
    uint32_t type = holds ? pointer_type(p, NF_STORAGE_FUNCTION, holds) : 0;
    if (!type) return;
    for (p->index = p->function; p->index + 1 < m->instructions; p->index++)
        if ((m->words[m->at[p->index]] & 0xffff) == OpLabel) break;
    p->index++;
    put(p, OpVariable, type, (uint32_t[4]){NF_STORAGE_FUNCTION});
}

static void grow_call(struct place *p)
{
    struct mutant *m = p->m;
    uint32_t callee = 0, seen = 0, words[MAX_LENGTH], count = 4;
    for (uint32_t i = m->body; i < m->instructions; i++)
        if ((m->words[m->at[i]] & 0xffff) == OpFunction && mutate_pick(m, ++seen) == 0) callee = i;
    for (uint32_t i = callee + 1; i < m->instructions && count < MAX_LENGTH; i++) {
        const uint32_t *w = m->words + m->at[i];
        if ((w[0] & 0xffff) != OpFunctionParameter) break;
        words[count] = value_of_type(p, w[1]);
        if (!words[count++]) return;
    }
    words[0] = count << 16 | OpFunctionCall;
    words[1] = m->words[m->at[callee] + 1];
    words[2] = m->words[3];
    words[3] = m->words[m->at[callee] + 2];
    if (mutate_insert(m, m->at[p->index], words, count)) mutate_new_id(m);
}

static bool goes_to(const uint32_t *branch, uint32_t label)
{
    uint32_t opcode = branch[0] & 0xffff;
    if (opcode == OpBranch) return branch[1] == label;
    return opcode == OpBranchConditional && (branch[2] == label || branch[3] == label);
}

/* Creates a phi of pointers at the beginning of the block that contains the position. */
static void grow_phi(struct place *p)
{
    struct mutant *m = p->m;
    uint32_t type = mutate_type(m, any_pointer(p)), words[MAX_LENGTH] = {0, type, m->words[3]}, count = 3, from = 0;
    while (p->index > p->function && (m->words[m->at[p->index]] & 0xffff) != OpLabel)
        p->index--;
    uint32_t label = m->words[m->at[p->index] + 1];
    for (uint32_t i = p->function; i < m->instructions && count + 2 <= MAX_LENGTH; i++) {
        const uint32_t *w = m->words + m->at[i];
        if ((w[0] & 0xffff) == OpFunctionEnd) break;
        if ((w[0] & 0xffff) == OpLabel) from = w[1];
        if (!goes_to(w, label)) continue;
        words[count] = mutate_pick(m, 8) ? value_of_type(p, type) : words[2];
        words[count + 1] = from;
        count += 2;
    }
    words[0] = count << 16 | OpPhi;
    if (type && count > 3 && mutate_insert(m, m->at[p->index + 1], words, count)) mutate_new_id(m);
}

void mutate_grow(struct mutant *m)
{
    static void (*const kinds[])(struct place *) = {
        grow_select, grow_load,    grow_load,  grow_store,   grow_store,       grow_cast,
        grow_cast,   grow_bitcast, grow_phi,   grow_atomic,  grow_semantics,   grow_slot,
        grow_call,   grow_copy,    grow_chain, grow_integer, grow_from_integer};
    static struct place p;
    p.m = m;
    if (choose_place(&p)) kinds[mutate_pick(m, sizeof kinds / sizeof *kinds)](&p);
}
