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
 * needs: places, sizes.  gives: cells on both sides of each copy, with edges between them.
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

/* Adds every zone of `from` that overlaps [start, start + size) to `to`, `shift` bytes further on. */
static void share_zones(struct nf_module *m, uint32_t from, uint32_t to, uint32_t start, uint32_t size, int64_t shift)
{
    for (uint32_t i = 0; i < m->graph->regions[from].zone_count; i++) {
        struct nf_zone z = m->graph->regions[from].zones[i];
        if (z.latent) continue;
        int64_t low = z.low + shift, high = z.high == NF_TO_END ? NF_TO_END : z.high + shift;
        if (z.high <= start || (size != NF_TO_END && z.low >= start + size)) continue;
        if (low < 0) low = 0;
        if (high > NF_TO_END) high = NF_TO_END;
        struct nf_zone shifted = {(uint32_t)low, (uint32_t)high, z.stride, z.element, false, false};
        nf_add_zone(m, to, shifted);
    }
}

/* Finds the bytes of the cell in [start, start + size), in any element of the arrays that contain the cell. Returns
 * false if there are none. */
static bool clip_to_range(const struct nf_region *r, const struct nf_cell *cell, uint32_t start, uint32_t size,
                          uint32_t *offset, uint32_t *length)
{
    uint64_t at = cell->offset, moved = 0, range_end = size == NF_TO_END ? NF_TO_END : (uint64_t)start + size;
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        if (z->latent) continue;
        if (cell->offset < z->low || cell->offset >= z->high || at >= start) continue;
        uint64_t steps = (start - at + z->stride - 1) / z->stride, whole = at + steps * z->stride,
                 before = whole - z->stride;
        if (whole < z->high + moved && whole < range_end) {
            moved += whole - at;
            at = whole;
        } else if (before > at && before + cell->size > start) {
            moved += before - at;
            at = before;
        }
    }
    uint64_t low = at > start ? at : start, high = at + cell->size < range_end ? at + cell->size : range_end;
    if (low >= high) return false;
    *offset = (uint32_t)low;
    *length = (uint32_t)(high - low);
    return true;
}

/* Lets all cells of the region that lie in the range flow into H, or the content of H into them. */
static void copy_with_host(struct nf_module *m, uint32_t region, uint32_t start, uint32_t size, bool to_host)
{
    struct nf_graph *g = m->graph;
    struct nf_region *r = &g->regions[region];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        struct nf_cell *cell = &r->cells[i];
        uint32_t offset, length;
        if ((to_host && cell->to_host) || !clip_to_range(r, cell, start, size, &offset, &length)) continue;
        if (!to_host) {
            nf_fill_from_host(m, r, cell);
            continue;
        }
        cell->to_host = true;
        nf_edge(m, cell->node, g->host_store);
        nf_unify_later(m, cell->node, g->host_wide);
    }
}

/* Gives `to` a counterpart of every cell of `from` in the range, `shift` bytes further on. The content flows from
 * `from` to `to` if `forward` is true, otherwise back. Cells made before the time `since` already have one. */
static void mirror_cells(struct nf_module *m, uint32_t from, uint32_t to, uint32_t start, uint32_t size, int64_t shift,
                         bool forward, uint32_t since)
{
    const int64_t word = nf_word_size(m);
    for (uint32_t i = 0; i < m->graph->regions[from].cell_count; i++) {
        struct nf_cell cell = m->graph->regions[from].cells[i];
        uint32_t offset, length;
        if (cell.made < since) continue;
        if (!clip_to_range(&m->graph->regions[from], &cell, start, size, &offset, &length)) continue;
        uint32_t twin = nf_insert_cell(m, to, (uint32_t)(offset + shift), length, 0);
        uint32_t into = forward ? twin : cell.node;
        nf_edge(m, forward ? cell.node : twin, into);
        bool whole = length % word == 0 && (offset - cell.offset) % word == 0 && shift % word == 0;
        if (!whole) nf_patch(m, into); /* the copy has a part of a word, or parts of two words */
        nf_unify_later(m, cell.node, twin);
    }
}

void nf_mark_uses(struct nf_module *m, uint32_t region, uint32_t uses)
{
    struct nf_region *r = &m->graph->regions[region];
    if (!(uses & ~r->uses)) return;
    r->uses |= uses;
    for (uint32_t i = 0; uses & NF_CUT && i < r->cell_count; i++)
        m->graph->nodes[r->cells[i].node].base |= NF_LOOSE;
    r->changed = m->graph->clock;
    nf_enqueue_copies(m, region);
}

/* Gives the view a counterpart of every cell of `of`, at an offset that is `shift` bytes smaller. */
static void fill_view(struct nf_module *m, uint32_t view, uint32_t of, int64_t shift, uint32_t since)
{
    struct nf_graph *g = m->graph;
    nf_mark_uses(m, of, NF_WATCHED);
    for (uint32_t i = 0; i < g->regions[of].cell_count; i++) {
        struct nf_cell cell = g->regions[of].cells[i];
        int64_t offset = cell.offset - shift;
        if (cell.made < since || offset + cell.size <= 0) continue;
        if (offset < 0) cell.size = (uint32_t)(offset + cell.size), offset = 0;
        nf_insert_cell(m, view, (uint32_t)offset, cell.size, 0);
    }
}

/* Adds the zones of the region `view` to the region of `of`, `shift` bytes further on. */
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
                nf_add_zone(m, of.region, (struct nf_zone){0, NF_TO_END, z.stride, 0, false, false});
        } else {
            z.low += (uint32_t)shift;
            z.high = z.high > NF_TO_END - shift ? NF_TO_END : z.high + (uint32_t)shift;
            z.bare = false;
            nf_add_zone(m, of.region, z);
        }
    }
}

/* Handles a view of H: loads through it return the content of H, and stores through it go to H. */
static void view_host(struct nf_module *m, uint32_t view)
{
    struct nf_region *r = &m->graph->regions[view];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        if (r->uses & NF_STORED)
            nf_host_cell(m, r, &r->cells[i]);
        else
            nf_fill_from_host(m, r, &r->cells[i]);
    }
}

/* Gives `of` a counterpart of every cell of the view, with edges in both directions if the view is stored into. The
 * other cells of `of` get one in the view only if the view is copied as bytes. */
static void apply_view(struct nf_module *m, struct nf_place view, struct nf_place of, uint32_t since)
{
    struct nf_graph *g = m->graph;
    int64_t shift = (int64_t)of.offset - view.offset;
    if (g->regions[view.region].host || view.region == of.region) { /* the two regions were merged meanwhile */
        nf_unify_places(m, view, of);
        return;
    }
    if (g->regions[of.region].host) {
        view_host(m, view.region);
        return;
    }
    view_zones(m, view.region, of, shift);
    if (g->regions[view.region].uses & NF_WATCHED) fill_view(m, view.region, of.region, shift, since);
    bool stored = g->regions[view.region].uses & NF_STORED;
    nf_mark_uses(m, of.region, g->regions[view.region].uses & ~(uint32_t)NF_WATCHED);
    nf_add_flags(m, of.region, g->regions[view.region].flagged, shift);
    if (g->regions[of.region].uses & NF_COUNTED) nf_mark_uses(m, view.region, NF_COUNTED);
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
 * processed, if the target or the source has since changed in any property but its cells. Each visit advances the
 * clock, so that the next visit sees the changes of this visit. */
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
    if (g->regions[s.region].uses & NF_COUNTED) nf_mark_uses(m, t.region, NF_COUNTED);
    /* A copy of a view may include cells that no access through the view has made. */
    if (!to_host) nf_mark_uses(m, t.region, NF_WATCHED);
    if (!from_host) nf_mark_uses(m, s.region, NF_WATCHED);
    if (from_host) {
        copy_with_host(m, t.region, t.offset, copy.size, false);
    } else if (to_host) {
        copy_with_host(m, s.region, s.offset, copy.size, true);
    } else if (t.region == s.region) {
        uint32_t distance = t.offset - s.offset;
        if (distance) nf_collapse(m, t.region);
        bool whole = distance % nf_word_size(m) == 0 && (copy.size == NF_TO_END || copy.size % nf_word_size(m) == 0);
        if (!whole) nf_patch(m, nf_insert_cell(m, t.region, t.offset, 1, 0));
    } else {
        int64_t shift = (int64_t)t.offset - s.offset;
        share_zones(m, s.region, t.region, s.offset, copy.size, shift);
        share_zones(m, t.region, s.region, t.offset, copy.size, -shift);
        mirror_cells(m, s.region, t.region, s.offset, copy.size, shift, true, since);
        mirror_cells(m, t.region, s.region, t.offset, copy.size, -shift, false, since);
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
