/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overlapping_copies.c - replaces copies inside one object, in modules of LLVM's SPIR-V back end, by loads of all
 * pieces, followed by stores of all pieces.
 *
 *                                                             %x = OpLoad %uint %a0 Aligned 4
 *     OpCopyMemorySized %a1 %a0 %ulong_8 Aligned 4            %y = OpLoad %uint %a1 Aligned 4
 *                                                             OpStore %a1 %x Aligned 4
 *                                                             OpStore %a2 %y Aligned 4
 *
 * LLVM's SPIR-V back end writes llvm.memmove as OpCopyMemorySized, for which drivers assume that target and source do
 * not overlap: a loop that moves the elements of an array by one becomes such a copy. Mesa's rusticl then copies the
 * first element to all others; other drivers compute a wrong result if the copy is dispatched over several memories.
 *
 * The hard case is the size of the pieces: a piece is as large as the alignment allows, at most 8 bytes, so that a
 * whole address stays in one piece. The back end writes the alignment of the target only, so the alignment of the
 * source follows from the distance of source and target if that is constant, and is 1 otherwise. A copy of more than
 * MOST_PIECES pieces, or of a size that is not constant, does not change.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

enum { MOST_PIECES = 256 };

/* The pieces of a copy. */
struct pieces {
    uint32_t count, size;  /* the size of one in bytes, which is its alignment in the target */
    uint32_t source_align; /* the alignment of a piece in the source */
    uint32_t mask;         /* memory operands: Aligned, and Volatile if the copy is volatile */
};

/* Sets `*value` to the value of an integer constant. Returns false for any other id. */
static bool take_constant(const struct nf_module *m, uint32_t id, uint64_t *value)
{
    uint32_t def = m->def[id];
    if (nf_opcode(m, def) != OpConstant) return false;
    *value = nf_word(m, def, 3) | (nf_length(m, def) > 4 ? (uint64_t)nf_word(m, def, 4) << 32 : 0);
    return true;
}

/* Returns the size of an integer type in bytes, 0 for any other type. */
static uint32_t integer_size(const struct nf_module *m, uint32_t type)
{
    uint32_t def = m->def[type];
    return nf_opcode(m, def) == OpTypeInt ? nf_word(m, def, 2) / 8 : 0;
}

/* Adds to `*offset` the distance in bytes by which the access chain at `at` moves its base, if it has one constant
 * index that counts integers. Returns false for any other chain. */
static bool add_chain(const struct nf_module *m, uint32_t at, uint64_t *offset)
{
    uint32_t base = m->def[nf_defined_type(m, nf_base_pointer(m, at))];
    uint32_t size = nf_opcode(m, base) == OpTypePointer ? integer_size(m, nf_word(m, base, 3)) : 0;
    bool has_element = nf_opcode(m, at) == OpPtrAccessChain || nf_opcode(m, at) == OpInBoundsPtrAccessChain;
    uint64_t index;
    if (!has_element || nf_length(m, at) != 5 || !size || !take_constant(m, nf_chain_index(m, at, 0), &index))
        return false;
    *offset += index * size;
    return true;
}

/* Sets `*offset` to the distance in bytes of a pointer from its origin. Returns false if it is not constant, or more
 * than MOST_STEPS instructions lie between. */
static bool find_offset(const struct nf_module *m, uint32_t id, uint64_t *offset)
{
    enum { MOST_STEPS = 64 };
    *offset = 0;
    for (uint32_t i = 0; i < MOST_STEPS; i++) {
        uint32_t at = m->def[id];
        if (!at || !nf_derives_pointer(nf_role_at(m, at))) return true;
        if (nf_role_at(m, at) == NF_ROLE_chain && !add_chain(m, at, offset)) return false;
        id = nf_value_operand(m, at, 0);
    }
    return false;
}

/* Returns the pieces of the copy at `at` if it must be replaced; a count of 0 otherwise. */
static struct pieces find_pieces(const struct nf_module *m, uint32_t at)
{
    const struct pieces none = {0, 0, 0, 0};
    if (nf_opcode(m, at) != OpCopyMemorySized || nf_length(m, at) != 6) return none; /* one set of memory operands */
    if (!nf_is_move_inside_object(m, at)) return none;
    uint64_t bytes, to, from;
    uint32_t mask = nf_word(m, at, 4);
    if (!take_constant(m, nf_effect_operand(m, at, 2), &bytes) || !bytes || !nf_word(m, at, 5)) return none;
    if (mask & ~(uint32_t)(NF_MEMORY_ALIGNED | NF_MEMORY_VOLATILE)) return none;
    bool known = find_offset(m, nf_copy_target(m, at), &to) && find_offset(m, nf_copy_source(m, at), &from);
    uint64_t all = nf_word(m, at, 5) | bytes | sizeof(uint64_t) | (known ? to - from : 0);
    uint32_t size = (uint32_t)(all & (0 - all));
    if (bytes / size > MOST_PIECES) return none;
    return (struct pieces){(uint32_t)(bytes / size), size, known ? size : 1, mask};
}

static bool is_replaced(const struct nf_module *m, uint32_t at)
{
    return find_pieces(m, at).count;
}

/* Returns a pointer to the first piece, and sets `*type` to its type. */
static uint32_t first_piece(struct nf_edit *e, uint32_t pointer, uint32_t piece, uint32_t *type)
{
    const struct nf_module *m = e->m;
    uint32_t own = nf_defined_type(m, pointer), storage = nf_word(m, m->def[own], 2);
    *type = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, piece}, 2);
    return *type == own ? pointer : nf_edit_value(e, OpBitcast, *type, pointer, 0);
}

static uint32_t next_piece(struct nf_edit *e, uint32_t type, uint32_t first, uint32_t index)
{
    return index ? nf_edit_value(e, OpInBoundsPtrAccessChain, type, first, nf_edit_number(e, index)) : first;
}

static bool replace(struct nf_edit *e, uint32_t at, void *unused)
{
    const struct nf_module *m = e->m;
    const struct pieces pieces = find_pieces(m, at);
    uint32_t values[MOST_PIECES], to_type, from_type;
    (void)unused;
    if (!pieces.count) return false;
    uint32_t type = nf_edit_int_type(e, 8 * pieces.size);
    uint32_t to = first_piece(e, nf_copy_target(m, at), type, &to_type);
    uint32_t from = first_piece(e, nf_copy_source(m, at), type, &from_type);
    for (uint32_t i = 0; i < pieces.count; i++) {
        uint32_t pointer = next_piece(e, from_type, from, i);
        values[i] = nf_build_id(&e->build);
        nf_edit_emit(e, OpLoad, (uint32_t[]){type, values[i], pointer, pieces.mask, pieces.source_align}, 5);
    }
    for (uint32_t i = 0; i < pieces.count; i++)
        nf_edit_emit(e, OpStore, (uint32_t[]){next_piece(e, to_type, to, i), values[i], pieces.mask, pieces.size}, 4);
    return true;
}

bool nf_lower_overlapping_copies(struct nf_module *m, struct nf_words *lowered)
{
    return nf_edit_where(m, is_replaced, replace, lowered);
}
