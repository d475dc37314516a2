/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files of the graph share with each other and with nobody else.
 */
#ifndef NF_GRAPH_INTERNAL_H
#define NF_GRAPH_INTERNAL_H

#include "graph/graph.h"

/* Two addresses that are to become one place. */
struct nf_pair {
    struct nf_value a, b;
};

/* ---- cells.c: cells and zones ---- */
uint32_t nf_fold_offset(const struct nf_region *r, uint32_t offset);
/* What is one in a latent zone becomes one. The zones may have moved afterwards. */
void nf_activate_zone(struct nf_module *m, uint32_t region, struct nf_zone *zone);
bool nf_has_zone(struct nf_region *r, struct nf_zone zone);
void nf_add_zone(struct nf_module *m, uint32_t region, struct nf_zone zone);
struct nf_zone *nf_zone_of(struct nf_region *r, uint32_t offset, struct nf_zone walk);
/* The cell may hold what the host put there; not `wide`: as numbers that are shorter than an address, too. */
void nf_fill_from_host(struct nf_module *m, struct nf_cell *cell, bool wide);
/* The same, and the host may see what the cell holds. */
void nf_host_cell(struct nf_module *m, struct nf_cell *cell);
uint32_t nf_put_cell(struct nf_module *m, uint32_t region, uint32_t offset, uint32_t size, uint32_t node);
/* A cell that lay elsewhere before, `shift` bytes further. */
void nf_put_cell_again(struct nf_module *m, uint32_t region, const struct nf_cell *cell, uint32_t shift);
void nf_move_zone(struct nf_module *m, uint32_t root, struct nf_zone z, uint32_t extent, uint32_t delta);
/* The index of the first cell that ends behind the offset; or r->cell_count. */
uint32_t nf_first_cell_after(const struct nf_region *r, uint32_t offset);
/* The cell that holds all of [offset, offset + size) already, which can be no other than `first`; or NULL. */
struct nf_cell *nf_cell_around(struct nf_region *r, uint32_t first, uint32_t offset, uint32_t size);
/* ---- exposure.c ---- */
/* Do the bytes [offset, offset + size) of a word say nothing of the space of an address in it? */
bool nf_is_harmless_part(const struct nf_module *m, uint32_t offset, uint32_t size);

/* ---- copies.c: copies and views ---- */
void nf_enqueue_copies(struct nf_module *m, uint32_t region);
void nf_append_copies(struct nf_module *m, uint32_t region, uint32_t list);
void nf_mark_stored(struct nf_module *m, uint32_t region);
/* Something as long as an address is read or written there. */
void nf_mark_wide(struct nf_module *m, uint32_t region);
/* Does the copy make the region of `place` a view? Then that becomes the place behind it. */
bool nf_behind_view(struct nf_module *m, const struct nf_copy *copy, struct nf_place *place);

/* ---- graph.c: nodes, edges, places ---- */
/* The bytes of an address. A module whose addressing is logical does not say how many, and may be anybody's. */
static inline uint32_t nf_word_size(const struct nf_module *m)
{
    return m->address_bits == 32 ? 4 : 8;
}

void nf_unify_later(struct nf_module *m, struct nf_value a, struct nf_value b);
void nf_unify_places(struct nf_module *m, struct nf_place a, struct nf_place b);
void nf_unify_pair(struct nf_module *m, struct nf_value a, struct nf_value b);

#endif
