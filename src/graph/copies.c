/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copies.c - copies of memory as bytes, and views, through which one pointer accesses several regions.
 *
 *     *a = *b (16 bytes)              the cells of [b, b + 16) are also found at a
 *     p = c ? &x : &y                 the region of p is a view of x and of y: an access of it is an access of both
 *
 * The hard case is a cycle of copies: a visit of a copy gives both sides the same cells, which may require another
 * visit of the copies of either side. Copies to visit wait in a queue, which is processed until it is empty.
 *
 * needs: places and sizes.  gives: cells on both sides of each copy, with edges between them.
 */
#include "graph/internal.h"

void nf_enqueue_copies(struct nf_module *m, uint32_t region)
{
    struct nf_graph *g = m->graph;
    for (uint32_t l = g->regions[region].copies; l; l = g->links[l].next) {
        struct nf_copy *copy = &g->copies[g->links[l].copy];
        if (copy->queued) continue;
        copy->queued = true;
        NF_RESERVE(m->arena, g->queue, g->queue_capacity, (size_t)g->queue_count + 1);
        g->queue[g->queue_count++] = g->links[l].copy;
    }
}

/* The new list is walked to its end, because it is usually the shorter one. */
void nf_append_copies(struct nf_module *m, uint32_t region, uint32_t list)
{
    struct nf_graph *g = m->graph;
    if (!list) return;
    uint32_t last = list;
    while (g->links[last].next)
        last = g->links[last].next;
    g->links[last].next = g->regions[region].copies;
    g->regions[region].copies = list;
}

/* ---- Copies ---- */

static void link_copy(struct nf_module *m, uint32_t region, uint32_t copy)
{
    struct nf_graph *g = m->graph;
    NF_RESERVE(m->arena, g->links, g->link_capacity, (size_t)g->link_count + 1);
    g->links[g->link_count] = (struct nf_copy_link){copy, g->regions[region].copies};
    g->regions[region].copies = g->link_count++;
}

/* Extends nf_region.extent over `size` bytes at `place`. */
static void touch_bytes(struct nf_module *m, struct nf_place place, uint32_t size)
{
    struct nf_region *r = &m->graph->regions[place.region];
    uint32_t end = size > NF_TO_END - place.offset ? NF_TO_END : place.offset + size;
    if (r->extent < end) r->extent = end;
}

void nf_copy_regions(struct nf_module *m, uint32_t target, uint32_t source, const struct nf_copy *like)
{
    struct nf_graph *g = m->graph;
    NF_RESERVE(m->arena, g->copies, g->copy_capacity, (size_t)g->copy_count + 1);
    NF_RESERVE(m->arena, g->queue, g->queue_capacity, (size_t)g->queue_count + 1);
    struct nf_copy *copy = &g->copies[g->copy_count];
    *copy = *like;
    copy->target = target;
    copy->source = source;
    copy->queued = true;
    copy->seen = 0;
    link_copy(m, target, g->copy_count);
    if (source != target) link_copy(m, source, g->copy_count);
    g->queue[g->queue_count++] = g->copy_count++;
}

void nf_view(struct nf_module *m, struct nf_value view, struct nf_value of)
{
    struct nf_place s = nf_place_of(m, of), t = nf_place_of(m, view);
    s = nf_place_of(m, of);
    if (t.region == s.region && t.offset == s.offset) return;
    struct nf_copy copy = {.target_offset = t.offset, .source_offset = s.offset, .size = NF_TO_END, .view = true};
    nf_copy_regions(m, t.region, s.region, &copy);
    nf_run_pending(m);
}

void nf_copy_memory(struct nf_module *m, struct nf_value target, struct nf_value source, uint32_t size)
{
    struct nf_graph *g = m->graph;
    if (!target.node || !source.node) return;
    struct nf_place t = nf_place_of(m, target), s = nf_place_of(m, source);
    t = nf_place_of(m, target);
    if (g->regions[t.region].host && g->regions[s.region].host) return;
    touch_bytes(m, t, size);
    touch_bytes(m, s, size);
    struct nf_copy copy = {.target_offset = t.offset, .source_offset = s.offset, .size = size};
    nf_copy_regions(m, t.region, s.region, &copy);
}

/* The bytes [low, high) of a region. */
struct bytes {
    uint64_t low, high;
};

static struct bytes bytes_of(const struct nf_cell *cell)
{
    return (struct bytes){cell->offset, (uint64_t)cell->offset + cell->size};
}

struct parts {
    struct bytes at[1 << NF_MAX_ZONES];
    uint32_t count;
};

/* Finds the bytes in `range` of the counterparts of `of` in the elements of the zones [i, end). `moved`: the distance
 * of the elements that were chosen in outer zones from the first ones. Of each zone, the element in which the range
 * begins and the next one suffice: a range that reaches a later element contains all of the next one. */
static void find_parts(const struct nf_region *r, uint32_t i, uint32_t end, struct bytes of, uint64_t moved,
                       struct bytes range, struct parts *parts)
{
    while (i < end && (r->zones[i].latent || of.low < r->zones[i].low || of.low >= r->zones[i].high))
        i++;
    uint64_t low = of.low + moved, high = of.high + moved;
    if (i == end) {
        struct bytes part = {low > range.low ? low : range.low, high < range.high ? high : range.high};
        if (part.low < part.high) parts->at[parts->count++] = part;
        return;
    }
    const struct nf_zone *z = &r->zones[i];
    uint64_t last = (z->high - 1 - of.low) / z->stride, first = 0;
    if (range.low > low) first = (range.low - moved - z->low) / z->stride;
    if (first > last) first = last;
    find_parts(r, i + 1, end, of, moved + first * z->stride, range, parts);
    if (range.low > low && first < last) find_parts(r, i + 1, end, of, moved + (first + 1) * z->stride, range, parts);
}

/* Returns the parts of `of` in [start, start + size), in any element of the first `zones` zones of the region. */
static struct parts parts_in_range(const struct nf_region *r, uint32_t zones, struct bytes of, uint32_t start,
                                   uint32_t size)
{
    struct parts parts;
    parts.count = 0;
    uint32_t end = size > NF_TO_END - start ? NF_TO_END : start + size;
    find_parts(r, 0, zones, of, 0, (struct bytes){start, end}, &parts);
    return parts;
}

/* Adds the parts in [start, start + size) of all active zones of `from` to `to`, `shift` bytes further on. */
static void share_zones(struct nf_module *m, uint32_t from, uint32_t to, uint32_t start, uint32_t size, int64_t shift)
{
    for (uint32_t i = 0; i < m->graph->regions[from].zone_count; i++) {
        struct nf_zone z = m->graph->regions[from].zones[i];
        struct parts parts = parts_in_range(&m->graph->regions[from], i, (struct bytes){z.low, z.high}, start, size);
        for (uint32_t j = 0; !z.latent && j < parts.count; j++) {
            struct bytes part = parts.at[j];
            if (part.high - part.low <= z.stride) continue;
            z.low = (uint32_t)(part.low + shift);
            z.high = (int64_t)part.high + shift >= NF_TO_END || part.high == NF_TO_END ? NF_TO_END
                                                                                       : (uint32_t)(part.high + shift);
            z.bare = false, z.element = 0; /* `to` may have a longer array there */
            nf_add_zone(m, to, z);
        }
    }
}

/* Returns true if a copy of `size` bytes that includes `part` of the cell moves whole pointer-sized words of it. */
static bool has_whole_words(const struct nf_module *m, const struct nf_cell *cell, struct bytes part, uint32_t size)
{
    uint32_t word = nf_word_size(m);
    return size != NF_ANY_BYTES && (part.high - part.low) % word == 0 && (part.low - cell->offset) % word == 0;
}

/* Lets all cells of the region that overlap the range flow into H, or the content of H into them. */
static void copy_with_host(struct nf_module *m, uint32_t region, uint32_t start, uint32_t size, bool to_host)
{
    const struct nf_region *r = &m->graph->regions[region];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        struct nf_cell *cell = &r->cells[i];
        if (to_host ? cell->to_host : cell->from_host) continue;
        struct parts parts = parts_in_range(r, r->zone_count, bytes_of(cell), start, size);
        if (parts.count) nf_host_cell(m, r, cell, !to_host, to_host);
        for (uint32_t j = 0; j < parts.count && !to_host; j++)
            if (!has_whole_words(m, cell, parts.at[j], size)) nf_mark_number(m, cell->node);
    }
}

/* Where content flows: to the counterparts; from them; to counterparts in a view, which are the same bytes. */
enum flow { FORWARD, BACK, VIEWED };

/* Makes a counterpart in `to`, `shift` bytes further on, of each part in [start, start + size) of each cell of `from`,
 * and lets content flow between them as `flow` says. Cells made before the time `since` already have theirs. */
static void mirror_cells(struct nf_module *m, uint32_t from, uint32_t to, uint32_t start, uint32_t size, int64_t shift,
                         enum flow flow, uint32_t since)
{
    for (uint32_t i = 0; i < m->graph->regions[from].cell_count; i++) {
        const struct nf_region *r = &m->graph->regions[from];
        struct nf_cell cell = r->cells[i];
        if (cell.made < since) continue;
        struct parts parts = parts_in_range(r, r->zone_count, bytes_of(&cell), start, size);
        for (uint32_t j = 0; j < parts.count; j++) {
            int64_t offset = (int64_t)parts.at[j].low, length = (int64_t)parts.at[j].high - offset;
            uint32_t twin = nf_insert_cell(m, to, (uint32_t)(offset + shift), (uint32_t)length, 0);
            uint32_t into = flow == BACK ? cell.node : twin;
            nf_edge(m, flow == BACK ? twin : cell.node, into);
            bool whole = has_whole_words(m, &cell, parts.at[j], size) && shift % (int64_t)nf_word_size(m) == 0;
            if (!whole && flow != VIEWED) nf_mark_number(m, into); /* a part of a word, or parts of two words */
            nf_unify_later(m, cell.node, twin);
        }
    }
}

void nf_mark_uses(struct nf_module *m, uint32_t region, uint32_t uses)
{
    struct nf_region *r = &m->graph->regions[region];
    if (!(uses & ~r->uses)) return;
    r->uses |= uses;
    for (uint32_t i = 0; uses & NF_OF_CELLS && i < r->cell_count; i++)
        m->graph->nodes[r->cells[i].node].base |= uses & NF_OF_CELLS;
    r->changed = m->graph->clock;
    nf_enqueue_copies(m, region);
}

/* Adds the active zones of `view` to the region of `of`, `shift` bytes further on; a zone without bounds (always, if
 * `shift` is negative) may instead activate a known array of `of` that contains it, as in nf_shift_zone(). */
static void view_zones(struct nf_module *m, uint32_t view, struct nf_place of, int64_t shift)
{
    for (uint32_t i = 0; i < m->graph->regions[view].zone_count; i++) {
        struct nf_zone z = m->graph->regions[view].zones[i];
        if (z.latent) continue;
        if (shift < 0 || z.high == NF_TO_END) {
            struct nf_zone *inside = nf_zone_of(&m->graph->regions[of.region], of.offset, z);
            if (inside && z.bare && m->graph->regions[view].extent <= z.stride)
                nf_activate_zone(m, of.region, inside);
            else
                nf_collapse(m, of.region, z.stride);
        } else {
            z.low += (uint32_t)shift;
            z.high = z.high > NF_TO_END - shift ? NF_TO_END : z.high + (uint32_t)shift;
            z.bare = false, z.element = 0; /* as in share_zones() */
            nf_add_zone(m, of.region, z);
        }
    }
}

/* Gives `of` a counterpart of each cell of the view made since `since`, with edges in both directions if the view is
 * stored into. The other cells of `of` get one in the view only if the view is copied as bytes. */
static void apply_view(struct nf_module *m, struct nf_place view, struct nf_place of, uint32_t since)
{
    struct nf_graph *g = m->graph;
    int64_t shift = (int64_t)of.offset - view.offset;
    if (g->regions[view.region].host || view.region == of.region) { /* the view was merged with H or `of` */
        nf_unify_places(m, view, of);
        return;
    }
    bool stored = g->regions[view.region].uses & NF_STORED;
    if (g->regions[of.region].host) {
        struct nf_region *r = &g->regions[view.region];
        for (uint32_t i = 0; i < r->cell_count; i++)
            nf_host_cell(m, r, &r->cells[i], true, stored);
        return;
    }
    nf_open_arrays(m, view.region, of.region, -shift);
    view_zones(m, view.region, of, shift);
    if (g->regions[view.region].uses & NF_WATCHED) {
        nf_mark_uses(m, of.region, NF_WATCHED);
        mirror_cells(m, of.region, view.region, shift > 0 ? (uint32_t)shift : 0, NF_TO_END, -shift, VIEWED, since);
    }
    nf_mark_uses(m, of.region, g->regions[view.region].uses & ~(uint32_t)NF_WATCHED);
    nf_add_flags(m, of.region, g->regions[view.region].flagged, shift);
    for (uint32_t i = 0; i < g->regions[view.region].cell_count; i++) {
        struct nf_cell cell = g->regions[view.region].cells[i];
        if (cell.made < since) continue;
        if (cell.offset + shift < 0) { /* before the beginning of `of`: unification extends the region */
            nf_unify_places(m, view, of);
            return;
        }
        uint32_t twin = nf_insert_cell(m, of.region, (uint32_t)(cell.offset + shift), cell.size, 0);
        nf_edge(m, twin, cell.node);
        if (stored) nf_edge(m, cell.node, twin);
        nf_unify_later(m, cell.node, twin);
    }
}

/* Returns the time of the last visit of the copy: older cells need no processing. Returns 0, so that all cells are
 * processed, if the uses of the target or the source have since changed, a region was merged into either, or the clock
 * has stopped. Each visit advances the clock, so that the next visits process the cells that it makes. */
static uint32_t begin_visit(struct nf_graph *g, struct nf_copy *copy, const struct nf_region *t,
                            const struct nf_region *s)
{
    uint32_t seen = copy->seen;
    if (g->clock < NF_CLOCK_END)
        copy->seen = ++g->clock;
    else
        seen = 0;
    return t->changed < seen && s->changed < seen ? seen : 0;
}

static void apply_copy(struct nf_module *m, uint32_t index)
{
    struct nf_graph *g = m->graph;
    struct nf_copy copy = g->copies[index];
    struct nf_place t = nf_find(m, copy.target, copy.target_offset), s = nf_find(m, copy.source, copy.source_offset);
    bool to_host = g->regions[t.region].host, from_host = g->regions[s.region].host;
    if (to_host && from_host) return;
    uint32_t since = begin_visit(g, &g->copies[index], &g->regions[t.region], &g->regions[s.region]);
    if (copy.view) {
        apply_view(m, t, s, since);
        return;
    }
    nf_mark_uses(m, t.region, NF_STORED);
    int64_t shift = (int64_t)t.offset - s.offset;
    /* A copy of a view may include cells that no access through the view has made. */
    if (!to_host) nf_mark_uses(m, t.region, NF_WATCHED);
    if (!from_host) nf_mark_uses(m, s.region, NF_WATCHED);
    if (from_host) {
        copy_with_host(m, t.region, t.offset, copy.size, false);
    } else if (to_host) {
        copy_with_host(m, s.region, s.offset, copy.size, true);
    } else if (t.region == s.region) {
        if (shift) nf_merge_ranges(m, t.region, t.offset, s.offset, copy.size);
        bool whole = copy.size == NF_TO_END || (copy.size != NF_ANY_BYTES && copy.size % nf_word_size(m) == 0);
        whole &= (t.offset | s.offset) % nf_word_size(m) == 0;
        if (!whole) mirror_cells(m, t.region, t.region, s.offset, copy.size, shift, FORWARD, since);
    } else {
        share_zones(m, s.region, t.region, s.offset, copy.size, shift);
        share_zones(m, t.region, s.region, t.offset, copy.size, -shift);
        mirror_cells(m, s.region, t.region, s.offset, copy.size, shift, FORWARD, since);
        mirror_cells(m, t.region, s.region, t.offset, copy.size, -shift, BACK, since);
    }
}

void nf_run_pending(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    while (g->pair_count || g->queue_count) {
        if (g->pair_count) {
            struct nf_pair pair = g->pairs[--g->pair_count];
            nf_unify_pair(m, (struct nf_value){pair.a, 0}, (struct nf_value){pair.b, 0});
        } else {
            uint32_t copy = g->queue[--g->queue_count];
            g->copies[copy].queued = false;
            apply_copy(m, copy);
        }
    }
}
