/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counts.c - which pointer-sized words of memory may hold a count: an integer other than null that carries no address.
 *
 *     cell.key = 5; cell.next = &x;       {the word at 0}: the link at 8 is an address in every run
 *
 * A store of a count needs no cell, as it brings no address anywhere. So a region has one bit for each of 64 words, and
 * those further on use the same bits again; merged regions and copies rotate them. infer/numbers.c asks for them before
 * it decides whether counts have to be followed through the whole module.
 *
 * The hard case is an array: a word stands for all elements, which lie at other offsets; there any bit counts.
 *
 * needs: places.  gives: nf_region.counted.
 */
#include "graph/internal.h"

enum { SLOTS = 64 };

uint64_t nf_counts_moved(const struct nf_module *m, uint64_t counted, int64_t bytes)
{
    uint32_t word = nf_word_size(m), turn = (uint32_t)((uint64_t)(bytes / word) % SLOTS);
    if (bytes < 0 && bytes % word) turn = (turn + SLOTS - 1) % SLOTS; /* rounded down */
    uint64_t moved = counted << turn | counted >> (SLOTS - turn) % SLOTS;
    return bytes % word ? moved | moved << 1 | moved >> (SLOTS - 1) : moved;
}

void nf_add_counts(struct nf_module *m, uint32_t region, uint64_t counted)
{
    struct nf_region *r = &m->graph->regions[region];
    if (r->host || !(counted & ~r->counted)) return;
    r->counted |= counted;
    nf_enqueue_copies(m, region);
}

void nf_note_count_at(struct nf_module *m, struct nf_value address)
{
    struct nf_place place = nf_place_of(m, address);
    nf_add_counts(m, place.region, nf_counts_moved(m, 1, place.offset));
}

bool nf_may_hold_count(struct nf_module *m, struct nf_value address, uint32_t size)
{
    uint32_t words = (size + nf_word_size(m) - 1) / nf_word_size(m);
    uint64_t wanted = words < SLOTS ? ((uint64_t)1 << words) - 1 : ~(uint64_t)0;
    struct nf_place place = nf_place_of(m, address);
    const struct nf_region *r = &m->graph->regions[place.region];
    bool apart = !r->zone_count && (r->cell_count != 1 || r->cells[0].size <= nf_word_size(m));
    return r->counted & (apart ? nf_counts_moved(m, wanted, place.offset) : ~(uint64_t)0);
}
