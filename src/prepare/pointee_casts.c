/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointee_casts.c - casts operands of selects, phis and pointer comparisons that have another pointee type than
 * required.
 *
 *                                                            %a2 = OpBitcast %_ptr_Generic_uchar %a
 *     %p = OpSelect %_ptr_Generic_uchar %c %a %b             %p = OpSelect %_ptr_Generic_uchar %c %a2 %b
 *
 * LLVM's pointers have no pointee type. LLVM's SPIR-V back end derives a pointee type for each value, and sometimes
 * derives different types for the operands of a select, a phi or a comparison of pointers. Such a module is invalid,
 * but consumers that ignore pointee types execute it correctly. Rewriting replaces a select by one of its operands if
 * the address space is known, and an access chain from an operand with another pointee type would compute another
 * address.
 *
 * The hard case is a phi, whose operand is cast at the end of the parent block, which may precede or follow the phi:
 * these casts are collected before the module is written.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

/* A cast of an operand of a phi at the end of a block. */
struct cast {
    uint32_t type, result, value;
    uint32_t next; /* the next cast of the same block, as an index + 1 */
};

struct pass {
    struct cast *casts; /* in the order of the operands in the module */
    uint32_t count, capacity;
    uint32_t *of_block; /* by id of a label: the first cast of the block, as an index + 1 */
    uint32_t reached;   /* the number of casts whose phi has been written */
    uint32_t block;     /* the label of the block that is being written; 0 after its casts */
};

/* The words of an instruction whose pointers must have the same type, `type`. */
struct places {
    uint32_t first, step; /* 0, 0: there are none */
    uint32_t type;
};

static struct places places_of(const struct nf_module *m, uint32_t at)
{
    switch (nf_opcode(m, at)) {
    case OpSelect: return (struct places){4, 1, nf_value_type(m, at)};
    case OpPhi: return (struct places){3, 2, nf_value_type(m, at)};
    case OpPtrEqual:
    case OpPtrNotEqual: return (struct places){4, 1, nf_defined_type(m, nf_value_operand(m, at, 0))};
    default: return (struct places){0, 0, 0};
    }
}

static bool is_pointer_type(const struct nf_module *m, uint32_t type)
{
    return type && nf_is_pointer_type_at(m, m->def[type]);
}

/* Returns true if `id` is a pointer in the address space of the pointer type `type`, with another pointee type. */
static bool needs_cast(const struct nf_module *m, uint32_t id, uint32_t type)
{
    uint32_t own = nf_defined_type(m, id);
    if (own == type || !is_pointer_type(m, own) || !is_pointer_type(m, type)) return false;
    return nf_word(m, m->def[own], 2) == nf_word(m, m->def[type], 2);
}

static bool lacks_cast(const struct nf_module *m, uint32_t at)
{
    struct places places = places_of(m, at);
    for (uint32_t i = places.first; i && i < nf_length(m, at); i += places.step)
        if (needs_cast(m, nf_word(m, at, i), places.type)) return true;
    return false;
}

/* Collects the casts of a phi's operands, by the blocks in which they will be emitted. */
static void collect(struct pass *p, struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t type = nf_value_type(m, at);
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++) {
        uint32_t value = nf_phi_value(m, at, i), *first = &p->of_block[nf_phi_parent(m, at, i)];
        if (!needs_cast(m, value, type)) continue;
        NF_RESERVE(m->arena, p->casts, p->capacity, (size_t)p->count + 1);
        p->casts[p->count] = (struct cast){type, nf_build_id(&e->build), value, *first};
        *first = ++p->count;
    }
}

static void emit_casts_of_block(struct pass *p, struct nf_edit *e)
{
    for (uint32_t i = p->of_block[p->block]; i; i = p->casts[i - 1].next)
        nf_edit_emit(e, OpBitcast, (uint32_t[]){p->casts[i - 1].type, p->casts[i - 1].result, p->casts[i - 1].value},
                     3);
    p->block = 0;
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    struct pass *p = data;
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at), length = nf_length(m, at);
    if (opcode == OpLabel) p->block = nf_declared_id(m, at);
    if (nf_begins_block_end(m, at)) emit_casts_of_block(p, e);
    if (!lacks_cast(m, at)) return false;
    struct places places = places_of(m, at);
    uint32_t *words = NF_NEW(m->arena, uint32_t, length);
    memcpy(words, m->words + at, length * sizeof *words);
    for (uint32_t i = places.first; i < length; i += places.step) {
        if (!needs_cast(m, words[i], places.type)) continue;
        words[i] =
            opcode == OpPhi ? p->casts[p->reached++].result : nf_edit_value(e, OpBitcast, places.type, words[i], 0);
    }
    nf_edit_emit(e, opcode, words + 1, length - 1);
    return true;
}

bool nf_lower_pointee_casts(struct nf_module *m, struct nf_words *lowered)
{
    struct pass p = {0};
    uint32_t at = m->body_at;
    while (at < m->count && !lacks_cast(m, at))
        at = nf_next(m, at);
    if (at >= m->count) return false;
    struct nf_edit e = nf_edit_begin(m);
    p.of_block = NF_NEW(m->arena, uint32_t, m->bound);
    for (; at < m->count; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpPhi) collect(&p, &e, at);
    *lowered = nf_edit_functions(&e, put, &p);
    return true;
}
