/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.c - the layout of a region: cells at byte offsets, and zones (arrays) in which they repeat.
 *
 *     struct { int *p; int *q; } a[4];      region of a: zone [0,64) every 16, cells [0,8) for p and [8,16) for q
 *     a[i].q = x;                           x flows into cell [8,16); p stays unaffected
 *
 * Accesses that overlap share a cell. A region with accesses at unknown byte offsets, or with too many cells, collapses
 * into one cell; of the other regions only those that are linked to it by copies or views may collapse as well.
 *
 * The hard case: zones that overlap without nesting, and accesses across the end of an element, make a zone coarser,
 * after which all cells of the region are folded again.
 *
 * needs: accesses and arrays at byte offsets.  gives: the cells and zones of each region.
 */
#include "graph/internal.h"

/* ---- Zones ---- */

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

uint32_t nf_fold_offset(const struct nf_region *r, uint32_t offset)
{
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        if (z->latent) continue;
        if (offset >= z->low && offset < z->high) offset = z->low + (offset - z->low) % z->stride;
    }
    return offset;
}

static void unify_content(struct nf_module *m, uint32_t a, uint32_t b)
{
    if (a == b) return;
    nf_edge(m, a, b);
    nf_edge(m, b, a);
    nf_unify_later(m, a, b);
}

/* Inserts all cells of the region again, after its zones have changed. */
static void refold(struct nf_module *m, uint32_t region)
{
    struct nf_region *r = &m->graph->regions[region];
    uint32_t count = r->cell_count;
    struct nf_cell *old = r->cells;
    r->cells = NULL;
    r->cell_count = r->cell_capacity = 0;
    for (uint32_t i = 0; i < count; i++)
        nf_insert_cell(m, region, old[i].offset, old[i].size, old[i].node);
    nf_arena_drop(m->arena, old);
    nf_enqueue_copies(m, region);
}

/* Inserts a zone; longer zones come first. Zones that overlap without nesting become one, whose stride divides both
 * strides. More than NF_MAX_ZONES zones collapse the region. */
static void insert_zone(struct nf_module *m, struct nf_region *r, struct nf_zone zone)
{
    NF_RESERVE(m->arena, r->zones, r->zone_capacity, (size_t)r->zone_count + 1);
    for (uint32_t i = 0; i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i];
        if (zone.high <= z->low || zone.low >= z->high) continue;
        bool inside = zone.low >= z->low && zone.high <= z->low + z->stride;
        bool around = z->low >= zone.low && z->high <= zone.low + zone.stride;
        if (inside || around) continue;
        zone.stride = gcd(zone.stride, z->stride);
        zone.bare = zone.latent = false;
        zone.element = NF_OPEN;
        if (z->low < zone.low) zone.low = z->low;
        if (z->high > zone.high) zone.high = z->high;
        if (++r->grown == NF_MAX_GROWTH) zone.high = NF_TO_END; /* else copies could enlarge a zone forever */
        if (zone.high == NF_TO_END) zone.low = 0;
        memmove(z, z + 1, (--r->zone_count - i) * sizeof *z); /* keeps the order */
        i = UINT32_MAX; /* the merged zone is larger and may overlap others: start again */
    }
    if (r->zone_count == NF_MAX_ZONES) {
        r->zone_count = 0;
        zone = (struct nf_zone){0, NF_TO_END, 1, 0, false, false};
    }
    uint32_t at = r->zone_count++;
    for (; at > 0 && r->zones[at - 1].high - r->zones[at - 1].low < zone.high - zone.low; at--)
        r->zones[at] = r->zones[at - 1];
    r->zones[at] = zone;
}

/* Returns a zone that already merges all bytes that `zone` would merge, or will merge them when it is activated; or
 * NULL. If it has the same bounds and stride, it takes over the element type of `zone`; two types give NF_OPEN. */
static struct nf_zone *covering_zone(struct nf_region *r, struct nf_zone zone)
{
    for (uint32_t i = 0; i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i];
        if (z->low == zone.low && z->high == zone.high && z->stride == zone.stride) {
            z->bare &= zone.bare;
            if (zone.element && z->element != zone.element) z->element = z->element ? NF_OPEN : zone.element;
            return z;
        }
        bool around = z->low <= zone.low && z->high >= zone.high;
        if (around && zone.stride % z->stride == 0) return z;
    }
    return NULL;
}

/* Moves the zone into the first elements of the arrays whose elements contain it whole. A zone that reaches beyond an
 * element stays where it is, and insert_zone() merges it with that array. */
static void fold_zone(const struct nf_region *r, struct nf_zone *zone)
{
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        if (z->latent || zone->low < z->low || zone->low >= z->high) continue;
        uint32_t moved = (zone->low - z->low) / z->stride * z->stride;
        if (zone->high - moved > z->low + z->stride) return;
        zone->low -= moved;
        zone->high -= moved;
        if (moved) zone->bare = false;
    }
}

void nf_activate_zone(struct nf_module *m, uint32_t region, struct nf_zone *zone)
{
    struct nf_region *r = &m->graph->regions[region];
    struct nf_zone active = *zone, others[NF_MAX_ZONES];
    uint32_t count = 0;
    if (!zone->latent) return;
    active.latent = false;
    for (uint32_t i = 0; i < r->zone_count; i++)
        if (&r->zones[i] != zone) others[count++] = r->zones[i];
    r->zone_count = 0;
    insert_zone(m, r, active);
    for (uint32_t i = 0; i < count; i++) {
        fold_zone(r, &others[i]);
        const struct nf_zone *z = covering_zone(r, others[i]);
        if (!z || (z->latent && !others[i].latent)) insert_zone(m, r, others[i]);
    }
    refold(m, region);
}

void nf_add_zone(struct nf_module *m, uint32_t region, struct nf_zone zone)
{
    struct nf_region *r = &m->graph->regions[region];
    if (zone.high == NF_TO_END) zone.low = 0; /* an array without end has no known beginning either */
    if (r->host || zone.low >= zone.high || !zone.stride) return;
    fold_zone(r, &zone);
    struct nf_zone *z = covering_zone(r, zone);
    if (z && !zone.latent) nf_activate_zone(m, region, z);
    if (z) return;
    insert_zone(m, r, zone);
    refold(m, region);
}

void nf_collapse(struct nf_module *m, uint32_t region, uint32_t stride)
{
    nf_add_zone(m, region, (struct nf_zone){0, NF_TO_END, stride, 0, false, false});
}

void nf_merge_ranges(struct nf_module *m, uint32_t region, uint32_t x, uint32_t y, uint32_t size)
{
    struct nf_region *r = &m->graph->regions[region];
    uint32_t low = x < y ? x : y, distance = x < y ? y - x : x - y;
    for (uint32_t i = r->zone_count; i-- > 0;) {
        struct nf_zone *z = &r->zones[i];
        if (low < z->low || (uint64_t)low + distance + size > z->high || distance % z->stride) continue;
        nf_activate_zone(m, region, z);
        return;
    }
    nf_collapse(m, region, distance);
}

/* ---- Cells ---- */

struct nf_zone *nf_zone_of(struct nf_region *r, uint32_t offset, struct nf_zone walk)
{
    offset = nf_fold_offset(r, offset);
    for (uint32_t i = r->zone_count; walk.element && walk.element != NF_OPEN && i-- > 0;) {
        struct nf_zone *z = &r->zones[i];
        bool same = z->element == walk.element && walk.stride % z->stride == 0;
        if (same && offset >= z->low && offset < z->high) return z;
    }
    return NULL;
}

bool nf_may_cut_words(struct nf_module *m, struct nf_value address)
{
    if (!address.node) return false;
    struct nf_place place = nf_place_of(m, address);
    const struct nf_region *r = &m->graph->regions[place.region];
    uint32_t word = nf_word_size(m), offset = nf_fold_offset(r, place.offset);
    bool cuts = offset % word != 0;
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        cuts |= !z->latent && offset >= z->low && offset < z->high && z->stride % word;
    }
    return cuts;
}

/* Folds an access into the first element of each zone that contains it, outer zones first. If it crosses the end of an
 * element, all bytes of that array are merged; and an access from before an array into it covers the whole array. */
static void fold_access(struct nf_module *m, uint32_t region, uint32_t *offset, uint32_t *size)
{
    struct nf_region *r = &m->graph->regions[region];
    uint32_t first_offset = *offset, first_size = *size;
    for (uint32_t i = 0; i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i];
        uint32_t end = *offset + *size;
        if (z->latent || end <= z->low || *offset >= z->high) continue;
        if (*offset < z->low) {
            *size = (end > z->high ? end : z->high) - *offset;
            continue;
        }
        *offset = z->low + (*offset - z->low) % z->stride;
        if (z->stride > 1 && *offset - z->low + *size > z->stride) {
            z->stride = 1;
            refold(m, region);
            *offset = first_offset, *size = first_size;
            i = UINT32_MAX; /* start again with the original access */
        } else if (z->stride == 1) {
            *size = end > z->high ? end - z->low : 1;
        }
    }
}

/* Returns the index of the first cell that ends after `offset`, or r->cell_count. */
static uint32_t first_cell_after(const struct nf_region *r, uint32_t offset)
{
    uint32_t low = 0, high = r->cell_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (r->cells[middle].offset + r->cells[middle].size <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void nf_host_cell(struct nf_module *m, const struct nf_region *r, struct nf_cell *cell, bool in, bool out)
{
    struct nf_graph *g = m->graph;
    in &= !cell->from_host;
    out &= !cell->to_host;
    if (in) nf_edge(m, g->host_wide, cell->node);
    /* A cell of one byte may represent all bytes of a collapsed region, with accesses as wide as an address. */
    bool wide = cell->size >= nf_word_size(m) || (cell->size == 1 && r->uses & (NF_WIDE | NF_WATCHED));
    if (in && !wide) g->nodes[cell->node].base |= NF_NUMBER;
    if (out) nf_edge(m, cell->node, g->host_store);
    if (in || out) nf_unify_later(m, cell->node, g->host_wide);
    cell->from_host |= in;
    cell->to_host |= out;
}

/* Returns cell number `first`, the result of first_cell_after(), if it contains [offset, offset + size), else NULL. */
static struct nf_cell *cell_around(struct nf_region *r, uint32_t first, uint32_t offset, uint32_t size)
{
    if (first == r->cell_count) return NULL;
    struct nf_cell *cell = &r->cells[first];
    return cell->offset <= offset && cell->offset + cell->size >= offset + size ? cell : NULL;
}

/* Merges the cells that `made` overlaps, from index `first` on, into `made`, which will replace them. Returns the index
 * after the last of these cells. */
static uint32_t join_overlapped(struct nf_module *m, const struct nf_region *r, uint32_t first, struct nf_cell *made)
{
    uint32_t end = made->offset + made->size, last = first;
    for (; last < r->cell_count && r->cells[last].offset < end; last++) {
        const struct nf_cell *cell = &r->cells[last];
        if (cell->offset < made->offset) made->offset = cell->offset;
        if (cell->offset + cell->size > end) end = cell->offset + cell->size;
        if (made->node)
            unify_content(m, made->node, cell->node);
        else
            made->node = cell->node;
    }
    made->size = end - made->offset;
    return last;
}

/* Replaces the cells [first, last) by `made`. Returns true if the region exceeds a limit and must collapse. */
static bool replace_cells(struct nf_module *m, struct nf_region *r, uint32_t first, uint32_t last, struct nf_cell made)
{
    uint32_t removed = last - first;
    if (!removed) NF_RESERVE(m->arena, r->cells, r->cell_capacity, (size_t)r->cell_count + 1);
    memmove(r->cells + first + 1, r->cells + last, (r->cell_count - last) * sizeof *r->cells);
    r->cells[first] = made;
    r->cell_count = r->cell_count + 1 - removed;
    /* Without this limit, copying memory onto itself at different offsets would enlarge a cell without end. */
    bool grows = removed && ++r->grown == NF_MAX_GROWTH;
    return grows || r->cell_count > (nf_is_graph_too_large(m, 0) ? NF_FEW_CELLS : NF_MAX_CELLS);
}

uint32_t nf_insert_cell(struct nf_module *m, uint32_t region, uint32_t offset, uint32_t size, uint32_t node)
{
    if (!size) size = 1;
    if (offset > NF_MAX_OFFSET || size > NF_MAX_OFFSET) nf_collapse(m, region, 1), offset = 0, size = 1;
    if (m->graph->regions[region].extent < offset + size) m->graph->regions[region].extent = offset + size;
    fold_access(m, region, &offset, &size);
    struct nf_region *r = &m->graph->regions[region];
    uint32_t first = first_cell_after(r, offset);
    struct nf_cell *around = cell_around(r, first, offset, size);
    if (around) {
        if (node) unify_content(m, around->node, node);
        return around->node;
    }
    struct nf_cell made = {.offset = offset, .size = size, .node = node, .made = m->graph->clock};
    uint32_t last = join_overlapped(m, r, first, &made);
    if (!made.node) made.node = nf_node(m, 0);
    m->graph->nodes[made.node].base |= r->uses & NF_OF_CELLS;
    if (replace_cells(m, r, first, last, made)) nf_collapse(m, region, 1);
    nf_enqueue_copies(m, region);
    return made.node;
}

/* A bare zone of which only the first element was accessed is dropped if an array of such elements contains it. */
void nf_shift_zone(struct nf_module *m, uint32_t root, struct nf_zone z, uint32_t extent, uint32_t delta)
{
    bool first_only = z.bare && extent <= z.stride;
    struct nf_zone *inside = first_only ? nf_zone_of(&m->graph->regions[root], delta, z) : NULL;
    if (inside && !z.latent) nf_activate_zone(m, root, inside);
    if (inside) return;
    z.bare &= delta == 0;
    z.low += delta;
    z.high = z.high > NF_TO_END - delta ? NF_TO_END : z.high + delta;
    nf_add_zone(m, root, z);
}
