/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads and checks a module.
 *
 * The later stages rely on the following properties, which this stage checks:
 *
 *   - Each instruction lies inside the input, has as many words as its grammar requires, and its strings end inside it.
 *   - Each result is below the bound and defined exactly once, and result types are types.
 *   - Each operand that is an id is defined, except in names and forward pointers ahead of the functions, and in
 *     instructions that the opcode table lacks.
 *   - Functions, blocks and parameters are nested correctly, and the callees and labels to which they refer exist.
 *
 * The words are stored in host byte order. Decoration groups are replaced (decoration_groups.c). If the id bound is
 * much larger than the module, its ids get new numbers, because tables by id are flat arrays.
 *
 * needs: the bytes of a module.  gives: nf_module: words, def, functions, and properties from the header and the
 * declarations.
 */

#include "module/internal.h"

static void read_header(struct nf_module *m, const void *bytes, size_t size)
{
    uint32_t magic;
    if (size < NF_HEADER_WORDS * 4)
        nf_fail(m->arena, NF_MALFORMED, 0, "%zu bytes: too short for a SPIR-V header", size);
    if (size % 4) nf_fail(m->arena, NF_MALFORMED, 0, "%zu bytes: not a whole number of words", size);
    if (size / 4 > UINT32_MAX / 4) nf_fail(m->arena, NF_MALFORMED, 0, "%zu bytes: too large", size);
    memcpy(&magic, bytes, 4);
    if (magic != NF_MAGIC && magic != nf_swapped(NF_MAGIC))
        nf_fail(m->arena, NF_MALFORMED, 0, "no SPIR-V magic number");
    m->swapped = magic != NF_MAGIC;
    uint32_t count = (uint32_t)(size / 4), capacity = 0;
    uint32_t *words = nf_grow_unset(m->arena, NULL, &capacity, count, sizeof *words);
    memcpy(words, bytes, size);
    for (uint32_t i = 0; m->swapped && i < count; i++)
        words[i] = nf_swapped(words[i]);
    m->words = words;
    m->count = count;
    m->version = words[1];
    m->bound = words[3];
    if (m->version & 0xff0000ff || (m->version >> 16 & 0xff) != 1)
        nf_fail(m->arena, NF_MALFORMED, 1, "version word 0x%08x is not of SPIR-V 1.x", m->version);
    if (!m->bound || m->bound > NF_MAX_BOUND + 1u)
        nf_fail(m->arena, NF_MALFORMED, 3, "id bound %u is out of the range 1 to %u", m->bound, NF_MAX_BOUND + 1u);
}

/* Checks the lengths of all instructions, and records the imported instruction sets. */
static void check_lengths(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS, length; at < m->count; at += length) {
        length = nf_length(m, at);
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (!length) nf_fail(m->arena, NF_MALFORMED, at, "the instruction has 0 words");
        if (length > m->count - at)
            nf_fail(m->arena, NF_MALFORMED, at, "the instruction has %u words, but the module ends after %u", length,
                    m->count - at);
        if (length < op->words)
            nf_fail(m->arena, NF_MALFORMED, at, "the instruction has %u words, but needs at least %u", length,
                    op->words);
        if (op->opcode == OpExtInstImport) nf_note_import(m, at);
    }
}

static void read_words(struct nf_module *m, const void *bytes, size_t size)
{
    read_header(m, bytes, size);
    m->bytes = nf_bytes_of(m->arena, m->words, m->count);
    check_lengths(m);
    if (m->bound > m->count + 4096)
        nf_renumber_ids(m);
    else
        nf_find_definitions(m);
    m->index_of = NF_NEW(m->arena, uint32_t, m->bound);
    m->linkage = NF_NEW(m->arena, uint8_t, m->bound);
    NF_RESERVE(m->arena, m->functions, m->function_capacity, 1);
    m->function_count = 1;
    nf_check_structure(m);
    nf_check_references(m);
}

void nf_read(struct nf_module *m, const void *bytes, size_t size)
{
    struct nf_words expanded;
    read_words(m, bytes, size);
    if (nf_expand_decoration_groups(m, &expanded)) nf_read_again(m, &expanded); /* only an input has groups */
}

void nf_read_again(struct nf_module *m, const struct nf_words *words)
{
    bool swapped = m->swapped;
    *m = (struct nf_module){.arena = m->arena, .options = m->options, .moves = m->moves, .input_count = m->input_count};
    read_words(m, words->at, (size_t)words->count * 4);
    m->swapped = swapped;
}

void nf_take_words(struct nf_module *m, const struct nf_words *words)
{
    m->words = words->at;
    m->count = words->count;
    m->bytes = nf_bytes_of(m->arena, words->at, words->count);
    m->version = words->at[1];
    m->bound = words->at[3];
    m->body_at = m->count;
    nf_find_definitions(m);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpExtInstImport) nf_note_import(m, at);
        if (nf_opcode(m, at) == OpMemoryModel) m->address_bits = nf_address_bits_of(nf_addressing_model(m, at));
        if (nf_opcode(m, at) != OpFunction) continue;
        m->body_at = at;
        break;
    }
}
