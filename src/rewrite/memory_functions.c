/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_functions.c - replaces memory functions that compilers leave as imports.
 *
 * `llvm.memmove.p4.p4.i64` and similar functions are declared with generic pointers and have no body, and no driver
 * provides them for other spaces under that name. A call becomes calls of helpers that copy bytes, one for each pair of
 * spaces:
 *
 *     for (i = 0; i < size; i++) target[i] = source[i];          backwards if target > source
 *
 * needs: the pointers' parts.  gives: helpers, and the calls.
 */
#include "rewrite/internal.h"

uint32_t nf_byte_pointer(struct nf_output *o, nf_set space)
{
    return nf_pointer_type(o, nf_storage_of_space(o->m, space), nf_byte_type(o));
}

struct loop {
    uint32_t target, source, value, size, size_type; /* ids */
    nf_set spaces[2];
    bool backwards;
};

static void emit_byte(struct nf_output *o, const struct loop *l, uint32_t index)
{
    uint32_t byte = l->value;
    uint32_t to = NF_EMIT_NEW(o, OpInBoundsPtrAccessChain, nf_byte_pointer(o, l->spaces[0]), l->target, index);
    if (!byte) {
        uint32_t from = NF_EMIT_NEW(o, OpInBoundsPtrAccessChain, nf_byte_pointer(o, l->spaces[1]), l->source, index);
        byte = NF_EMIT_NEW(o, OpLoad, nf_byte_type(o), from);
    }
    NF_EMIT(o, OpStore, to, byte);
}

/* Emits a loop over all bytes and a return; `before` is the label of the block that the loop is entered from. */
static void emit_loop(struct nf_output *o, const struct loop *l, uint32_t before)
{
    uint32_t head = nf_new_id(o), body = nf_new_id(o), end = nf_new_id(o), count = nf_new_id(o), next = nf_new_id(o);
    uint32_t one = nf_integer(o, l->size_type, 1), zero = nf_integer(o, l->size_type, 0);
    NF_EMIT(o, OpBranch, head);
    NF_EMIT(o, OpLabel, head);
    NF_EMIT(o, OpPhi, l->size_type, count, zero, before, next, body);
    uint32_t more = NF_EMIT_NEW(o, OpULessThan, nf_bool_type(o), count, l->size);
    NF_EMIT(o, OpBranchConditional, more, body, end);
    NF_EMIT(o, OpLabel, body);
    uint32_t index = count;
    if (l->backwards) {
        uint32_t left = NF_EMIT_NEW(o, OpISub, l->size_type, l->size, one);
        index = NF_EMIT_NEW(o, OpISub, l->size_type, left, count);
    }
    emit_byte(o, l, index);
    NF_EMIT(o, OpIAdd, l->size_type, next, count, one);
    NF_EMIT(o, OpBranch, head);
    NF_EMIT(o, OpLabel, end);
    nf_emit(o, OpReturn, NULL, 0);
}

/* Emits the loop, or one for each direction if source and target are in one space, where they may overlap. */
static void emit_move(struct nf_output *o, struct loop l, uint32_t before)
{
    if (l.value || l.spaces[0] != l.spaces[1]) {
        emit_loop(o, &l, before);
        return;
    }
    uint32_t down = nf_new_id(o), up = nf_new_id(o);
    uint32_t target = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, l.target);
    uint32_t source = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, l.source);
    uint32_t behind = NF_EMIT_NEW(o, OpUGreaterThan, nf_bool_type(o), target, source);
    NF_EMIT(o, OpBranchConditional, behind, down, up);
    NF_EMIT(o, OpLabel, down);
    l.backwards = true;
    emit_loop(o, &l, down);
    NF_EMIT(o, OpLabel, up);
    l.backwards = false;
    emit_loop(o, &l, up);
}

/* Returns the helper for a pair of spaces (`from` 0: memset), with the parameters target, source or value, size. */
static uint32_t make_mover(struct nf_output *o, nf_set to, nf_set from, uint32_t size_type)
{
    uint32_t key[4] = {NF_MEMORY_KEY, to, from, size_type}, id = nf_find_made(&o->build, key, 4);
    if (id) return id;
    struct nf_words bodies = o->bodies;
    o->bodies = (struct nf_words){.arena = o->m->arena};
    uint32_t second = from ? nf_byte_pointer(o, from) : nf_byte_type(o), label = nf_new_id(o);
    struct loop l = {.size_type = size_type, .spaces = {to, from}};
    uint32_t types[4] = {nf_void_type(o), nf_byte_pointer(o, to), second, size_type};
    id = nf_new_id(o);
    NF_EMIT(o, OpFunction, types[0], id, 0, nf_global(o, OpTypeFunction, 0, types, 4));
    l.target = nf_emit_new(o, OpFunctionParameter, &types[1], 1);
    uint32_t other = nf_emit_new(o, OpFunctionParameter, &types[2], 1);
    l.size = nf_emit_new(o, OpFunctionParameter, &types[3], 1);
    l.source = from ? other : 0;
    l.value = from ? 0 : other;
    NF_EMIT(o, OpLabel, label);
    emit_move(o, l, label);
    nf_end_helper(o, bodies, id, from ? "memmove" : "memset");
    nf_note_made(&o->build, key, 4, id);
    return id;
}

uint32_t nf_as_byte_pointer(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t type)
{
    bool generic = nf_is_generic(o->m, type);
    uint32_t pointer = generic ? nf_part_as(o, tuple, space, type) : tuple->part[nf_number(space)];
    uint32_t has = generic ? nf_part_type(o, type, space) : nf_memory_type(o, type), wanted = nf_byte_pointer(o, space);
    return has == wanted ? pointer : NF_EMIT_NEW(o, OpBitcast, wanted, pointer);
}

/* Emits the size for one pair of spaces: 0 unless the tags select the pair. */
static uint32_t chosen_size(struct nf_output *o, const struct nf_tuple *tuples, nf_set to, nf_set from, uint32_t size,
                            uint32_t size_type)
{
    const nf_set spaces[2] = {to, from};
    for (int i = 0; i < 2; i++) {
        if (!spaces[i] || nf_single(tuples[i].set)) continue;
        uint32_t chosen = nf_has_tag(o, &tuples[i], spaces[i]);
        size = NF_EMIT_NEW(o, OpSelect, size_type, chosen, size, nf_integer(o, size_type, 0));
    }
    return size;
}

void nf_memory_call(struct nf_output *o, const struct nf_tuple *tuples, const uint32_t *types, uint32_t value,
                    uint32_t size, uint32_t size_type)
{
    for (nf_set to = 1; to < NF_CONSTANT; to = (nf_set)(to << 1)) { /* nothing writes constant memory */
        if (!(tuples[0].set & to)) continue;
        for (nf_set from = 1; from <= NF_CONSTANT; from = (nf_set)(from << 1)) {
            if (value ? from != 1 : !(tuples[1].set & from)) continue;
            nf_set pair = value ? 0 : from;
            uint32_t helper = make_mover(o, to, pair, size_type),
                     bytes = chosen_size(o, tuples, to, pair, size, size_type);
            uint32_t target = nf_as_byte_pointer(o, &tuples[0], to, types[0]);
            uint32_t second = value ? value : nf_as_byte_pointer(o, &tuples[1], from, types[1]);
            NF_EMIT_NEW(o, OpFunctionCall, nf_void_type(o), helper, target, second, bytes);
        }
    }
}
