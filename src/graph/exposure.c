/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposure.c - addresses that leave the sight of the analysis, and integers that may bring them back.
 *
 * An address is followed through everything that carries it whole. Whatever else is done with it *exposes* it: its bits
 * go on as numbers, which nobody follows. Whatever else makes an integer as wide as an address makes a *number*, which
 * may be any address that was exposed in this kernel, or one that the host knows (ISO TS 6010: exposed provenance).
 *
 *     h = (uint)(p >> 4);             p is exposed: p -> X
 *     q = (int *)(t * 16ul);          t * 16 is a number: whatever is in X, or global
 *
 * The exposed addresses of a kernel are the set of one node, X, which all its functions share (nf_graph.exposed). A
 * number is a node with the evidence NF_NUMBER and no edge from X: nf_evidence() adds what X holds.
 *
 * Memory follows the same law. Reading a part of a word exposes the word, whichever part it is. Writing a part makes a
 * number there, unless the part says nothing of an address's space: the lower half of a word only says where in its
 * window an address lies, and the last two bytes are above all addresses. A word whose lower half was written keeps its
 * space, and points to where exposed addresses point, as that half may be one of another address.
 *
 * The hard case is memory: exposed addresses lose their regions as well. All of them point to one region, E, the one
 * that X points to; a number points there only if some pointer is made of a number at all, as the arena in which both
 * lie would be one with the host's memory (nf_graph.numbers_point).
 *
 * needs: a node, or the address of a part of a word.  gives: edges to X, evidence, one region for what is exposed.
 */
#include "graph/internal.h"

/* Numbers and exposed addresses point to each other's memory, and to the host's. */
static void point_to_host(struct nf_module *m, struct nf_value v)
{
    if (m->graph->numbers_point) nf_unify(m, v, (struct nf_value){m->graph->host_wide, 0});
}

/* The addresses of the node are exposed, by the instruction at hand: explanations say so (report/why.c). */
static void note_exposed(struct nf_module *m, uint32_t node)
{
    uint32_t here = nf_node(m, 0);
    nf_edge(m, node, here);
    nf_edge(m, here, m->graph->exposed);
}

void nf_expose(struct nf_module *m, struct nf_value v)
{
    struct nf_graph *g = m->graph;
    if (!v.node || v.node == g->exposed) return;
    note_exposed(m, v.node);
    if (g->numbers_point && !nf_is_host(m, v)) nf_unify(m, v, (struct nf_value){g->exposed, 0});
    point_to_host(m, v);
}

void nf_unify_exposed(struct nf_module *m, uint32_t node)
{
    if (m->graph->numbers_point && m->graph->nodes[node].region)
        nf_unify(m, (struct nf_value){node, 0}, (struct nf_value){m->graph->exposed, 0});
}

struct nf_value nf_make_number(struct nf_module *m)
{
    struct nf_value number = {nf_node(m, NF_NUMBER), 0};
    point_to_host(m, number);
    return number;
}

void nf_expose_if_number(struct nf_module *m, uint32_t address, uint32_t other, bool ordered)
{
    if (!address && !other) return;
    uint32_t both = nf_node_of_kind(m, ordered ? NF_NODE_IF_ANY : NF_NODE_IF_NUMBER);
    nf_edge(m, address, both);
    nf_edge(m, other, both);
    nf_edge(m, both, m->graph->exposed);
    if (!m->graph->numbers_point) return;
    if (address) point_to_host(m, (struct nf_value){address, 0});
    if (other) point_to_host(m, (struct nf_value){other, 0});
}

/* ---- Parts of words in memory ---- */

bool nf_is_harmless_part(const struct nf_module *m, uint32_t offset, uint32_t size)
{
    uint32_t word = nf_word_size(m), above = 2;
    return word == 8 && (offset + size <= word / 2 || offset >= word - above);
}

/* May the access of `size` bytes at `place`, which is shorter than a word, be one of those bytes that say the space of an
 * address? The word is the one that the cell around it is known to hold, or that the instruction is aligned to. */
static bool says_space(struct nf_module *m, struct nf_place place, uint32_t size)
{
    uint32_t word = nf_word_size(m);
    struct nf_region *r = &m->graph->regions[place.region];
    uint32_t offset = nf_fold_offset(r, place.offset), first = nf_first_cell_after(r, offset);
    const struct nf_cell *around = nf_cell_around(r, first, offset, size);
    uint32_t in_word = m->graph->aligned && m->graph->aligned % word == 0 ? 0 : word;
    if (around && around->size == word) in_word = offset - around->offset;
    return in_word == word || !nf_is_harmless_part(m, in_word, size);
}

/* Does the memory at `place` hold whole words, so that a part of one is read there? */
static bool holds_words(struct nf_module *m, struct nf_place place, uint32_t size)
{
    struct nf_region *r = &m->graph->regions[place.region];
    uint32_t offset = nf_fold_offset(r, place.offset), first = nf_first_cell_after(r, offset);
    const struct nf_cell *around = nf_cell_around(r, first, offset, size);
    return around && around->size >= nf_word_size(m);
}

void nf_read_part(struct nf_module *m, struct nf_value address, uint32_t size)
{
    if (!address.node || !size) return;
    if (nf_is_host(m, address)) {
        note_exposed(m, m->graph->host_store);
        return;
    }
    bool word = holds_words(m, nf_place_of(m, address), size);
    struct nf_value cell = {nf_cell_at(m, address, size, false), 0};
    /* Short numbers alone point nowhere: were they to point where exposed addresses do, so would all that the host wrote. */
    if (word)
        nf_expose(m, cell);
    else
        note_exposed(m, cell.node);
    point_to_host(m, cell);
}

void nf_write_part(struct nf_module *m, struct nf_value address, uint32_t size)
{
    struct nf_graph *g = m->graph;
    if (!address.node || !size) return;
    bool number = nf_is_host(m, address) || says_space(m, nf_place_of(m, address), size);
    uint32_t cell = nf_cell_at(m, address, size, true);
    if (!number) {
        g->nodes[cell].base |= NF_PATCHED;
        if (g->numbers_point && !nf_is_host(m, (struct nf_value){cell, 0}))
            nf_unify(m, (struct nf_value){cell, 0}, (struct nf_value){g->exposed, 0});
        return;
    }
    g->nodes[cell].base |= NF_NUMBER;
    if (!nf_is_host(m, address)) point_to_host(m, (struct nf_value){cell, 0});
}
