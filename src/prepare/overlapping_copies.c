/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overlapping_copies.c - replaces copies inside one object by loads of all pieces, followed by stores of all pieces.
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
 * The hard case is the size of the pieces: a piece is as large as the alignment allows, at most 8 bytes, so that a whole
 * address stays in one piece. A copy of more than MOST_PIECES pieces, or of a size that is not constant, does not change.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

enum { MOST_PIECES = 256 };

/* The pieces of a copy. */
struct pieces {
    uint32_t count, size; /* the size of one in bytes, which is its alignment */
    uint32_t mask;        /* memory operands: Aligned, and Volatile if the copy is volatile */
};

/* Returns the pieces of the copy at `at` if it must be replaced; a count of 0 otherwise. */
static struct pieces find_pieces(const struct nf_module *m, uint32_t at)
{
    const struct pieces none = {0, 0, 0};
    if (nf_opcode(m, at) != OpCopyMemorySized || nf_length(m, at) != 6) return none; /* one set of memory operands */
    if (!nf_is_move_inside_object(m, at)) return none;
    uint32_t def = m->def[nf_effect_operand(m, at, 2)], mask = nf_word(m, at, 4);
    uint32_t align = nf_word(m, at, 5) & (0u - nf_word(m, at, 5));
    bool constant = nf_opcode(m, def) == OpConstant && (nf_length(m, def) == 4 || nf_word(m, def, 4) == 0);
    if (!constant || !align || mask & ~(uint32_t)(NF_MEMORY_ALIGNED | NF_MEMORY_VOLATILE)) return none;
    uint32_t bytes = nf_word(m, def, 3), size = align < sizeof(uint64_t) ? align : (uint32_t)sizeof(uint64_t);
    while (bytes % size)
        size /= 2;
    if (!bytes || bytes / size > MOST_PIECES) return none;
    return (struct pieces){bytes / size, size, mask};
}

static bool is_replaced(const struct nf_module *m, uint32_t at)
{
    return find_pieces(m, at).count;
}

static uint32_t piece_type(struct nf_edit *e, uint32_t size)
{
    static const uint32_t needed[] = {[1] = NF_CAPABILITY_INT8, [2] = NF_CAPABILITY_INT16, [8] = NF_CAPABILITY_INT64};
    if (needed[size]) nf_edit_need(e, needed[size]);
    return nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){8 * size, 0}, 2);
}

/* Returns a pointer to the first piece. */
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
    uint32_t type = piece_type(e, pieces.size);
    uint32_t to = first_piece(e, nf_copy_target(m, at), type, &to_type);
    uint32_t from = first_piece(e, nf_copy_source(m, at), type, &from_type);
    for (uint32_t i = 0; i < pieces.count; i++) {
        uint32_t pointer = next_piece(e, from_type, from, i);
        values[i] = nf_build_id(&e->build);
        nf_edit_emit(e, OpLoad, (uint32_t[]){type, values[i], pointer, pieces.mask, pieces.size}, 5);
    }
    for (uint32_t i = 0; i < pieces.count; i++)
        nf_edit_emit(e, OpStore, (uint32_t[]){next_piece(e, to_type, to, i), values[i], pieces.mask, pieces.size}, 4);
    return true;
}

bool nf_lower_overlapping_copies(struct nf_module *m, struct nf_words *lowered)
{
    return nf_edit_where(m, is_replaced, replace, lowered);
}
