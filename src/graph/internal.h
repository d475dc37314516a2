/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - declarations that only the files of src/graph share.
 */
#ifndef NF_GRAPH_INTERNAL_H
#define NF_GRAPH_INTERNAL_H

#include "graph/graph.h"

/* Two nodes whose places are to be unified. */
struct nf_pair {
    uint32_t a, b;
};

/* ---- cells.c: cells and zones ---- */
/* Returns `offset` moved, for each zone that contains it and is not latent, into the first element of that zone. */
uint32_t nf_fold_offset(const struct nf_region *r, uint32_t offset);
/* Merges the elements of the zone if it is latent. Pointers to zones of the region are invalid afterwards. */
void nf_activate_zone(struct nf_module *m, uint32_t region, struct nf_zone *zone);
/* Merges the bytes [x, x + size) of the region with those at `y`, another offset: activates the innermost array that has
 * both ranges at the same place in its elements or, if there is none, merges all bytes that are as far apart. */
void nf_merge_ranges(struct nf_module *m, uint32_t region, uint32_t x, uint32_t y, uint32_t size);
/* Adds a zone, an array. Merges the cells of its elements unless the zone is latent. */
void nf_add_zone(struct nf_module *m, uint32_t region, struct nf_zone zone);
/* Returns the innermost zone that contains the byte `offset` and that the pointer arithmetic `walk`, which starts
 * there, cannot leave because both have the same element type; or NULL. */
struct nf_zone *nf_zone_of(struct nf_region *r, uint32_t offset, struct nf_zone walk);
/* Lets the content of H flow into a cell of the region `r` (`in`), and the content of the cell into H (`out`). From H,
 * a cell narrower than an address also gets NF_NUMBER, unless it is a byte of a region with NF_WIDE or NF_WATCHED. */
void nf_host_cell(struct nf_module *m, const struct nf_region *r, struct nf_cell *cell, bool in, bool out);
/* Makes [offset, offset + size) one cell, merged with all cells that it overlaps, and returns its node. `node`: a node
 * that holds the content of those bytes and becomes part of the cell; 0: there is none. */
uint32_t nf_insert_cell(struct nf_module *m, uint32_t region, uint32_t offset, uint32_t size, uint32_t node);
/* Adds to `root` the zone `z` of a region with the extent `extent` that was merged into `root` at `delta` bytes. */
void nf_shift_zone(struct nf_module *m, uint32_t root, struct nf_zone z, uint32_t extent, uint32_t delta);

/* ---- copies.c: copies and views ---- */
/* Queues all copies that read or write the region for another visit. */
void nf_enqueue_copies(struct nf_module *m, uint32_t region);
/* Adds `list`, the copies of another region, to the copies of `region`. */
void nf_append_copies(struct nf_module *m, uint32_t region, uint32_t list);
/* Adds `uses` to nf_region.uses and their NF_OF_CELLS to each cell's base; queues the copies if a bit is new. */
void nf_mark_uses(struct nf_module *m, uint32_t region, uint32_t uses);

/* ---- graph.c: nodes, edges, places ---- */
/* Adds `flagged`, the nf_region.flagged of memory that begins `bytes` into the region; does nothing if it is 0. */
void nf_add_flags(struct nf_module *m, uint32_t region, uint32_t flagged, int64_t bytes);
/* Queues the unification of the places of two nodes, for nf_run_pending(). */
void nf_unify_later(struct nf_module *m, uint32_t a, uint32_t b);
/* If `other` is raw storage, lets pointer arithmetic leave each array of `region` that `other` lacks at the same place:
 * `other` may have it as a part of a longer array. `delta`: where `other` begins, in bytes into `region`. */
void nf_open_arrays(struct nf_module *m, uint32_t region, uint32_t other, int64_t delta);
/* Unifies two places whose regions are roots. */
void nf_unify_places(struct nf_module *m, struct nf_place a, struct nf_place b);
/* Unifies the places of two addresses now, without nf_run_pending(). */
void nf_unify_pair(struct nf_module *m, struct nf_value a, struct nf_value b);

#endif
