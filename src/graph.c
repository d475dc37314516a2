/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.c - the constraint graph: sets that flow, places that unify.
 *
 * Sets use inclusion (a -> b adds a's set to b's and nothing back), because a merge of two pointers must not make
 * either of them ambiguous. What pointers point to uses unification (Steensgaard 1996), because then a linked list is
 * one region whatever its length, and building the graph is near linear. MiniAS does the same with rows for types.
 *
 * Memory is followed by byte offset, never by type: real modules copy structs as bytes and read pointers as `ulong`. A
 * cell is what one access touches; accesses that overlap share a cell. Array elements are one element: a *zone* of a
 * region repeats every `stride` bytes. So with
 *
 *     struct { int *p; int *q; } a[4];      region of a: zone [0,64) every 16, cells [0,8) for p and [8,16) for q
 *     a[i].q = x;                           x flows into cell [8,16)
 *
 * p stays unaffected. What cannot be kept apart (unknown byte offsets, too many cells) collapses into one cell, for
 * this region only. The hard case is copying memory in both directions of a cycle: a copy makes the cells of both sides
 * match, and is looked at again whenever either side changes (the queue), until nothing does.
 *
 * The host's memory H has no cells, as nothing is known of what lies where: all that is stored into it comes out of
 * every load. Wide loads from it may also give what the host put there, which is a global address or nothing.
 */
#include "core.h"

struct nf_pair {
    struct nf_value a, b;
};

uint32_t nf_node(struct nf_module *m, nf_set base)
{
    struct nf_graph *g = m->graph;
    if (g->node_count >= g->node_capacity) NF_RESERVE(m, g->nodes, g->node_capacity, (size_t)g->node_count + 1);
    g->nodes[g->node_count] = (struct nf_node){.base = base, .origin = g->origin};
    return g->node_count++;
}

void nf_edge(struct nf_module *m, uint32_t from, uint32_t to, uint32_t filters)
{
    struct nf_graph *g = m->graph;
    uint32_t target = to | filters;
    if (!from || !to || from == to) return;
    int looked = 0;
    for (uint32_t e = g->nodes[from].edges; e && looked < 16; e = g->edges[e].next, looked++)
        if (g->edges[e].to == target) return;
    if (g->edge_count >= g->edge_capacity) NF_RESERVE(m, g->edges, g->edge_capacity, (size_t)g->edge_count + 1);
    g->edges[g->edge_count] = (struct nf_edge){target, g->nodes[from].edges};
    g->nodes[from].edges = g->edge_count++;
}

uint32_t nf_region(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    if (g->region_count >= g->region_capacity)
        NF_RESERVE(m, g->regions, g->region_capacity, (size_t)g->region_count + 1);
    g->regions[g->region_count] = (struct nf_region){0};
    return g->region_count++;
}

void nf_begin_host(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    g->host = nf_region(m);
    g->regions[g->host].host = true;
    g->host_store = nf_node(m, 0);
    g->host_wide = nf_node(m, NF_WEAK);
    g->host_narrow = nf_node(m, NF_NARROW);
    nf_edge(m, g->host_store, g->host_wide, 0);
    nf_edge(m, g->host_store, g->host_narrow, 0);
    g->nodes[g->host_store].region = g->nodes[g->host_wide].region = g->nodes[g->host_narrow].region = g->host;
}

struct nf_place nf_find(struct nf_module *m, uint32_t region, uint32_t offset)
{
    struct nf_region *regions = m->graph->regions;
    uint64_t at = offset;
    while (regions[region].parent) {
        uint32_t parent = regions[region].parent;
        if (regions[parent].parent) {
            uint64_t delta = (uint64_t)regions[region].delta + regions[parent].delta;
            regions[region].delta = delta > NF_MAX_OFFSET ? NF_MAX_OFFSET : (uint32_t)delta;
            regions[region].parent = regions[parent].parent;
            parent = regions[region].parent;
        }
        at += regions[region].delta;
        region = parent;
    }
    if (regions[region].host) at = 0;
    return (struct nf_place){region, at > NF_MAX_OFFSET ? NF_MAX_OFFSET : (uint32_t)at};
}

/* ---- Zones ---- */

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The same byte in the first element of every array that it lies in. */
static uint32_t fold(const struct nf_region *r, uint32_t offset)
{
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        if (offset >= z->low && offset < z->high) offset = z->low + (offset - z->low) % z->stride;
    }
    return offset;
}

static void enqueue_copies(struct nf_module *m, uint32_t region)
{
    struct nf_graph *g = m->graph;
    for (uint32_t l = g->regions[region].copies; l; l = g->links[l].next) {
        struct nf_copy *copy = &g->copies[g->links[l].copy];
        if (copy->queued) continue;
        copy->queued = true;
        NF_RESERVE(m, g->queue, g->queue_capacity, (size_t)g->queue_count + 1);
        g->queue[g->queue_count++] = g->links[l].copy;
    }
}

static void unify_later(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    struct nf_graph *g = m->graph;
    NF_RESERVE(m, g->pairs, g->pair_capacity, (size_t)g->pair_count + 1);
    g->pairs[g->pair_count++] = (struct nf_pair){a, b};
}

/* The two nodes hold the same bytes from now on. */
static void same_content(struct nf_module *m, uint32_t a, uint32_t b)
{
    if (a == b) return;
    nf_edge(m, a, b, 0);
    nf_edge(m, b, a, 0);
    unify_later(m, (struct nf_value){a, 0}, (struct nf_value){b, 0});
}

static uint32_t put_cell(struct nf_module *m, uint32_t region, uint32_t offset, uint32_t size, uint32_t node);

/* Lay all cells anew, after a zone has changed. */
static void refold(struct nf_module *m, uint32_t region)
{
    struct nf_region *r = &m->graph->regions[region];
    uint32_t count = r->cell_count;
    struct nf_cell *old = r->cells;
    r->cells = NULL;
    r->cell_count = r->cell_capacity = 0;
    for (uint32_t i = 0; i < count; i++)
        put_cell(m, region, old[i].offset, old[i].size, old[i].node);
    nf_drop(m, old);
    enqueue_copies(m, region);
}

static bool same_zone(const struct nf_zone *a, const struct nf_zone *b)
{
    return a->low == b->low && a->high == b->high && a->stride == b->stride;
}

/* Put a zone among the others: the outermost first. Zones that cross each other become one that both fit. */
static void insert_zone(struct nf_module *m, struct nf_region *r, struct nf_zone zone)
{
    if (!r->zones) r->zones = NF_NEW(m, struct nf_zone, NF_MAX_ZONES + 1);
    for (uint32_t i = 0; i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i];
        if (zone.high <= z->low || zone.low >= z->high) continue;
        bool inside = zone.low >= z->low && zone.high <= z->low + z->stride;
        bool around = z->low >= zone.low && z->high <= zone.low + zone.stride;
        if (inside || around) continue;
        uint32_t apart = zone.low > z->low ? zone.low - z->low : z->low - zone.low;
        zone.stride = gcd(gcd(zone.stride, z->stride), apart);
        zone.bare = false;
        if (z->low < zone.low) zone.low = z->low;
        if (z->high > zone.high) zone.high = z->high;
        *z = r->zones[--r->zone_count];
        i = UINT32_MAX; /* the larger one may cross others: look again */
    }
    if (r->zone_count == NF_MAX_ZONES) {
        r->zone_count = 0;
        zone = (struct nf_zone){0, NF_TO_END, 1, false};
    }
    uint32_t at = r->zone_count++;
    for (; at > 0 && r->zones[at - 1].high - r->zones[at - 1].low < zone.high - zone.low; at--)
        r->zones[at] = r->zones[at - 1];
    r->zones[at] = zone;
}

/* All that the zone would make one is one already. */
static bool has_zone(struct nf_region *r, struct nf_zone zone)
{
    for (uint32_t i = 0; i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i];
        if (same_zone(z, &zone)) {
            z->bare &= zone.bare;
            return true;
        }
        bool around = z->low <= zone.low && z->high >= zone.high;
        if (around && zone.stride % z->stride == 0 && (zone.low - z->low) % z->stride == 0) return true;
        if (around && z->stride == 1) return true;
    }
    return false;
}

static void add_zone(struct nf_module *m, uint32_t region, struct nf_zone zone)
{
    struct nf_region *r = &m->graph->regions[region];
    if (r->host || zone.low >= zone.high || !zone.stride || has_zone(r, zone)) return;
    uint32_t length = zone.high - zone.low;
    if (fold(r, zone.low) != zone.low) zone.bare = false;
    zone.low = fold(r, zone.low);
    zone.high = zone.high == NF_TO_END || length > NF_TO_END - zone.low ? NF_TO_END : zone.low + length;
    if (has_zone(r, zone)) return;
    insert_zone(m, r, zone);
    refold(m, region);
}

static void collapse(struct nf_module *m, uint32_t region)
{
    add_zone(m, region, (struct nf_zone){0, NF_TO_END, 1, false});
}

/* ---- Cells ---- */

/* The innermost zone that the folded byte `offset` lies in. */
static struct nf_zone *zone_at(struct nf_region *r, uint32_t offset)
{
    for (uint32_t i = r->zone_count; i-- > 0;)
        if (offset >= r->zones[i].low && offset < r->zones[i].high) return &r->zones[i];
    return NULL;
}

/* One pass over the zones, outer ones first: false when one had to become coarser, and it is to be done again. */
static bool fold_once(struct nf_region *r, uint32_t *offset, uint32_t *size)
{
    for (uint32_t i = 0; i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i];
        if (*offset < z->low || *offset >= z->high) continue;
        *offset = z->low + (*offset - z->low) % z->stride;
        if (z->stride > 1 && *offset - z->low + *size > z->stride) {
            z->stride = 1;
            return false;
        }
        if (z->stride == 1) *size = *offset + *size > z->high ? *offset + *size - z->low : 1;
    }
    return true;
}

/* Fold an access; one that reaches over the end of an array element makes the elements' bytes one. */
static void fold_access(struct nf_module *m, uint32_t region, uint32_t *offset, uint32_t *size)
{
    uint32_t first_offset = *offset, first_size = *size;
    bool coarser = false;
    while (!fold_once(&m->graph->regions[region], offset, size)) {
        coarser = true;
        *offset = first_offset;
        *size = first_size;
    }
    if (coarser) refold(m, region);
}

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

/* Join the cell with what the host may have put there, and what is in it with what the host may see. */
static void host_cell(struct nf_module *m, struct nf_cell *cell)
{
    struct nf_graph *g = m->graph;
    if (!cell->to_host) nf_edge(m, cell->node, g->host_store, 0);
    if (!cell->from_host) nf_edge(m, cell->size >= m->address_bits / 8 ? g->host_wide : g->host_narrow, cell->node, 0);
    if (!cell->to_host || !cell->from_host)
        unify_later(m, (struct nf_value){cell->node, 0}, (struct nf_value){g->host_wide, 0});
    cell->to_host = cell->from_host = true;
}

/* Make [offset, offset + size) one cell, together with all cells it overlaps; `node` 0: any node will do. */
static uint32_t put_cell(struct nf_module *m, uint32_t region, uint32_t offset, uint32_t size, uint32_t node)
{
    if (!size) size = 1;
    if (offset > NF_MAX_OFFSET || size > NF_MAX_OFFSET) collapse(m, region), offset = 0, size = 1;
    if (m->graph->regions[region].extent < offset + size) m->graph->regions[region].extent = offset + size;
    fold_access(m, region, &offset, &size);
    struct nf_region *r = &m->graph->regions[region];
    uint32_t first = first_cell_after(r, offset), last = first, end = offset + size;
    if (first < r->cell_count && r->cells[first].offset <= offset &&
        r->cells[first].offset + r->cells[first].size >= end) {
        uint32_t around = r->cells[first].node;
        if (node) same_content(m, around, node);
        return around;
    }
    for (; last < r->cell_count && r->cells[last].offset < end; last++) {
        if (r->cells[last].offset < offset) offset = r->cells[last].offset;
        if (r->cells[last].offset + r->cells[last].size > end) end = r->cells[last].offset + r->cells[last].size;
        if (node)
            same_content(m, node, r->cells[last].node);
        else
            node = r->cells[last].node;
    }
    if (!node) node = nf_node(m, 0);
    if (last == first) NF_RESERVE(m, r->cells, r->cell_capacity, (size_t)r->cell_count + 1);
    uint32_t removed = last - first;
    memmove(r->cells + first + 1, r->cells + last, (r->cell_count - last) * sizeof *r->cells);
    r->cells[first] = (struct nf_cell){offset, end - offset, node, false, false};
    r->cell_count = r->cell_count + 1 - removed;
    if (r->cell_count > NF_MAX_CELLS) collapse(m, region);
    enqueue_copies(m, region);
    return node;
}

/* ---- Unification ---- */

/* `list` and what `region` has already become one list; the new one, usually the shorter, is walked to its end. */
static void append_copies(struct nf_module *m, uint32_t region, uint32_t list)
{
    struct nf_graph *g = m->graph;
    if (!list) return;
    uint32_t last = list;
    while (g->links[last].next)
        last = g->links[last].next;
    g->links[last].next = g->regions[region].copies;
    g->regions[region].copies = list;
}

/* A zone of a region that now lies `delta` bytes into `root`. */
static void move_zone(struct nf_module *m, uint32_t root, struct nf_zone z, uint32_t extent, uint32_t delta)
{
    struct nf_region *r = &m->graph->regions[root];
    bool unbounded = z.high == NF_TO_END && z.low < z.stride;
    if (z.bare && extent <= z.stride) {
        struct nf_zone *inside = zone_at(r, fold(r, delta));
        if (inside && z.stride % inside->stride == 0) return;
    }
    z.bare &= delta == 0;
    z.low = unbounded ? (z.low + delta) % z.stride : z.low + delta;
    z.high = z.high == NF_TO_END || z.high > NF_TO_END - delta ? NF_TO_END : z.high + delta;
    add_zone(m, root, z);
}

/* Everything in `child` lies `delta` bytes into `root` from now on. */
static void merge_regions(struct nf_module *m, uint32_t root, uint32_t child, uint32_t delta)
{
    struct nf_graph *g = m->graph;
    struct nf_region *c = &g->regions[child];
    struct nf_cell *cells = c->cells;
    struct nf_zone *zones = c->zones;
    uint32_t cell_count = c->cell_count, zone_count = c->zone_count, copies = c->copies, extent = c->extent;
    bool stored = c->stored, watched = c->watched;
    c->parent = root;
    c->delta = delta;
    c->cells = NULL;
    c->zones = NULL;
    c->cell_count = c->cell_capacity = c->zone_count = c->copies = 0;
    append_copies(m, root, copies);
    if (stored) g->regions[root].stored = true;
    if (watched) g->regions[root].watched = true;
    if (g->regions[root].host) {
        for (uint32_t i = 0; i < cell_count; i++)
            host_cell(m, &cells[i]);
    } else {
        for (uint32_t i = 0; i < zone_count; i++)
            move_zone(m, root, zones[i], extent, delta);
        if (g->regions[root].extent < extent + delta) g->regions[root].extent = extent + delta;
        for (uint32_t i = 0; i < cell_count; i++)
            put_cell(m, root, cells[i].offset + delta, cells[i].size, cells[i].node);
    }
    nf_drop(m, cells);
    enqueue_copies(m, root);
}

static void unify_places(struct nf_module *m, struct nf_place a, struct nf_place b)
{
    struct nf_graph *g = m->graph;
    if (a.region == b.region) {
        if (g->regions[a.region].host) return;
        uint32_t x = fold(&g->regions[a.region], a.offset), y = fold(&g->regions[b.region], b.offset);
        if (x != y) add_zone(m, a.region, (struct nf_zone){0, NF_TO_END, x > y ? x - y : y - x, false});
        return;
    }
    bool host_a = g->regions[a.region].host, host_b = g->regions[b.region].host;
    if (host_a && host_b) {
        /* Two graphs' host memories meet in a caller: they are one. Its nodes are joined by who copied them. */
        g->regions[b.region].parent = a.region;
        append_copies(m, a.region, g->regions[b.region].copies);
        g->regions[b.region].copies = 0;
        enqueue_copies(m, a.region);
    } else if (host_a) {
        merge_regions(m, a.region, b.region, 0);
    } else if (host_b) {
        merge_regions(m, b.region, a.region, 0);
    } else if (a.offset > b.offset || (a.offset == b.offset && a.region < b.region)) {
        merge_regions(m, a.region, b.region, a.offset - b.offset);
    } else {
        merge_regions(m, b.region, a.region, b.offset - a.offset);
    }
}

/* Where `value` points; an address before its region's beginning makes the region begin earlier. */
struct nf_place nf_place_of(struct nf_module *m, struct nf_value value)
{
    struct nf_graph *g = m->graph;
    struct nf_node *n = &g->nodes[value.node];
    if (!n->region) {
        uint32_t region = nf_region(m);
        g->nodes[value.node].region = region;
        n = &g->nodes[value.node];
    }
    struct nf_place place = nf_find(m, n->region, 0);
    if (g->regions[place.region].host) return place;
    int64_t offset = (int64_t)place.offset + n->offset + value.offset;
    if (offset < 0) {
        uint32_t root = nf_region(m), delta = offset < -NF_MAX_OFFSET ? NF_MAX_OFFSET : (uint32_t)-offset;
        merge_regions(m, root, place.region, delta);
        return (struct nf_place){root, 0};
    }
    place.offset = offset > NF_MAX_OFFSET ? NF_MAX_OFFSET : (uint32_t)offset;
    return place;
}

/* A node without a place takes the other's without making a region for both. */
static bool adopt(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    struct nf_node *n = &m->graph->nodes[a.node], *other = &m->graph->nodes[b.node];
    if (n->region || !other->region || a.node == b.node) return false;
    int64_t offset = (int64_t)other->offset + b.offset - a.offset;
    if (offset > NF_MAX_OFFSET || offset < -NF_MAX_OFFSET) return false;
    n->region = other->region;
    n->offset = (int32_t)offset;
    return true;
}

static void unify_pair(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    if (!a.node || !b.node || adopt(m, a, b) || adopt(m, b, a)) return;
    struct nf_place x = nf_place_of(m, a);
    struct nf_place y = nf_place_of(m, b);
    x = nf_place_of(m, a); /* the second may have moved the first's root */
    unify_places(m, x, y);
}

/* ---- Copies ---- */

static void link_copy(struct nf_module *m, uint32_t region, uint32_t copy)
{
    struct nf_graph *g = m->graph;
    NF_RESERVE(m, g->links, g->link_capacity, (size_t)g->link_count + 1);
    g->links[g->link_count] = (struct nf_copy_link){copy, g->regions[region].copies};
    g->regions[region].copies = g->link_count++;
}

static void touch_bytes(struct nf_module *m, struct nf_place place, uint32_t size)
{
    struct nf_region *r = &m->graph->regions[place.region];
    uint32_t end = size > NF_TO_END - place.offset ? NF_TO_END : place.offset + size;
    if (r->extent < end) r->extent = end;
}

void nf_copy_regions(struct nf_module *m, uint32_t target, uint32_t source, const struct nf_copy *like)
{
    struct nf_graph *g = m->graph;
    NF_RESERVE(m, g->copies, g->copy_capacity, (size_t)g->copy_count + 1);
    NF_RESERVE(m, g->queue, g->queue_capacity, (size_t)g->queue_count + 1);
    g->copies[g->copy_count] = *like;
    g->copies[g->copy_count].target = target;
    g->copies[g->copy_count].source = source;
    g->copies[g->copy_count].queued = true;
    link_copy(m, target, g->copy_count);
    if (source != target) link_copy(m, source, g->copy_count);
    g->queue[g->queue_count++] = g->copy_count++;
}

void nf_view(struct nf_module *m, struct nf_value view, struct nf_value of)
{
    struct nf_place s = nf_place_of(m, of), t = nf_place_of(m, view);
    s = nf_place_of(m, of);
    struct nf_copy copy = {.target_offset = t.offset, .source_offset = s.offset, .size = NF_TO_END, .view = true};
    nf_copy_regions(m, t.region, s.region, &copy);
    nf_settle(m);
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

/* Give every zone of `from` that the range touches to `to`, `shift` bytes further. */
static bool share_zones(struct nf_module *m, uint32_t from, uint32_t to, uint32_t start, uint32_t size, int64_t shift)
{
    bool added = false;
    for (uint32_t i = 0; i < m->graph->regions[from].zone_count; i++) {
        struct nf_zone z = m->graph->regions[from].zones[i];
        int64_t low = z.low + shift, high = z.high == NF_TO_END ? NF_TO_END : z.high + shift;
        if (z.high <= start || (size != NF_TO_END && z.low >= start + size)) continue;
        if (low < 0) low = z.stride - (-low % z.stride), low %= z.stride;
        if (high > NF_TO_END) high = NF_TO_END;
        struct nf_zone mine = {(uint32_t)low, (uint32_t)high, z.stride, false};
        struct nf_region *r = &m->graph->regions[to];
        if (mine.low >= mine.high || has_zone(r, mine)) continue;
        uint32_t before = r->zone_count, folded = fold(r, mine.low);
        struct nf_zone as_folded = {folded, mine.high, mine.stride, false};
        if (mine.high != NF_TO_END) as_folded.high = folded + (mine.high - mine.low);
        if (before && has_zone(r, as_folded)) continue;
        add_zone(m, to, mine);
        added = true;
    }
    return added;
}

/* Where a cell lies in the bytes [start, start + size), in whichever element of its array that is; false when nowhere.
 */
static bool clip_to_range(const struct nf_region *r, const struct nf_cell *cell, uint32_t start, uint32_t size,
                          uint32_t *offset, uint32_t *length)
{
    uint64_t at = cell->offset, moved = 0, range_end = size == NF_TO_END ? NF_TO_END : (uint64_t)start + size;
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
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

static void copy_from_host(struct nf_module *m, uint32_t target, uint32_t start, uint32_t size)
{
    struct nf_graph *g = m->graph;
    struct nf_region *r = &g->regions[target];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        struct nf_cell *cell = &r->cells[i];
        uint32_t offset, length;
        if (cell->from_host || !clip_to_range(r, cell, start, size, &offset, &length)) continue;
        cell->from_host = true;
        nf_edge(m, cell->size >= m->address_bits / 8 ? g->host_wide : g->host_narrow, cell->node, 0);
        unify_later(m, (struct nf_value){cell->node, 0}, (struct nf_value){g->host_wide, 0});
    }
}

static void copy_to_host(struct nf_module *m, uint32_t source, uint32_t start, uint32_t size)
{
    struct nf_graph *g = m->graph;
    struct nf_region *r = &g->regions[source];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        struct nf_cell *cell = &r->cells[i];
        uint32_t offset, length;
        if (cell->to_host || !clip_to_range(r, cell, start, size, &offset, &length)) continue;
        cell->to_host = true;
        nf_edge(m, cell->node, g->host_store, 0);
        unify_later(m, (struct nf_value){cell->node, 0}, (struct nf_value){g->host_wide, 0});
    }
}

/* Every cell of `from` in the range has its twin in `to`; `forward`: contents flow from `from` to `to`, else back. */
static void mirror_cells(struct nf_module *m, uint32_t from, uint32_t to, uint32_t start, uint32_t size, int64_t shift,
                         bool forward)
{
    for (uint32_t i = 0; i < m->graph->regions[from].cell_count; i++) {
        struct nf_cell cell = m->graph->regions[from].cells[i];
        uint32_t offset, length;
        if (!clip_to_range(&m->graph->regions[from], &cell, start, size, &offset, &length)) continue;
        uint32_t twin = put_cell(m, to, (uint32_t)(offset + shift), length, 0);
        nf_edge(m, forward ? cell.node : twin, forward ? twin : cell.node, 0);
        unify_later(m, (struct nf_value){cell.node, 0}, (struct nf_value){twin, 0});
    }
}

static void mark_stored(struct nf_module *m, uint32_t region)
{
    struct nf_region *r = &m->graph->regions[region];
    if (r->stored) return;
    r->stored = true;
    enqueue_copies(m, region);
}

/* Bytes are copied from or to a view: what it does not touch by itself may be among them. */
static void mark_watched(struct nf_module *m, uint32_t region)
{
    struct nf_region *r = &m->graph->regions[region];
    if (r->watched || r->host) return;
    r->watched = true;
    enqueue_copies(m, region);
}

/* All cells of `of` are cells of the view too. */
static void fill_view(struct nf_module *m, uint32_t view, uint32_t of, int64_t shift)
{
    struct nf_graph *g = m->graph;
    mark_watched(m, of);
    for (uint32_t i = 0; i < g->regions[of].cell_count; i++) {
        struct nf_cell cell = g->regions[of].cells[i];
        int64_t offset = cell.offset - shift;
        if (offset + cell.size <= 0) continue;
        if (offset < 0) cell.size = (uint32_t)(offset + cell.size), offset = 0;
        put_cell(m, view, (uint32_t)offset, cell.size, 0);
    }
}

/* Give the zones of a view to what it is a view of: its elements are elements there. */
static void view_zones(struct nf_module *m, uint32_t view, struct nf_place of, int64_t shift)
{
    for (uint32_t i = 0; i < m->graph->regions[view].zone_count; i++) {
        struct nf_zone z = m->graph->regions[view].zones[i];
        bool unbounded = z.high == NF_TO_END && z.low < z.stride;
        if (shift < 0 || unbounded) {
            struct nf_zone *inside =
                zone_at(&m->graph->regions[of.region], fold(&m->graph->regions[of.region], of.offset));
            bool absorbed =
                z.bare && m->graph->regions[view].extent <= z.stride && inside && z.stride % inside->stride == 0;
            int64_t low = ((int64_t)z.low + shift) % z.stride;
            if (!absorbed)
                add_zone(m, of.region,
                         (struct nf_zone){(uint32_t)(low < 0 ? low + z.stride : low), NF_TO_END, z.stride, false});
        } else {
            z.low += (uint32_t)shift;
            z.high = z.high > NF_TO_END - shift ? NF_TO_END : z.high + (uint32_t)shift;
            z.bare = false;
            add_zone(m, of.region, z);
        }
    }
}

static void view_host(struct nf_module *m, uint32_t view)
{
    struct nf_graph *g = m->graph;
    struct nf_region *r = &g->regions[view];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        struct nf_cell *cell = &r->cells[i];
        if (!cell->from_host) {
            nf_edge(m, cell->size >= m->address_bits / 8 ? g->host_wide : g->host_narrow, cell->node, 0);
            unify_later(m, (struct nf_value){cell->node, 0}, (struct nf_value){g->host_wide, 0});
        }
        if (r->stored && !cell->to_host) nf_edge(m, cell->node, g->host_store, 0);
        cell->from_host = true;
        cell->to_host |= r->stored;
    }
}

/* The cells of the view are cells of what it is a view of; nothing is done for the cells that it does not touch. */
static void look_at_view(struct nf_module *m, struct nf_place view, struct nf_place of)
{
    struct nf_graph *g = m->graph;
    int64_t shift = (int64_t)of.offset - view.offset;
    if (g->regions[view.region].host || view.region == of.region) {
        unify_places(m, view, of);
        return;
    }
    if (g->regions[of.region].host) {
        view_host(m, view.region);
        return;
    }
    view_zones(m, view.region, of, shift);
    if (g->regions[view.region].watched) fill_view(m, view.region, of.region, shift);
    bool stored = g->regions[view.region].stored;
    if (stored) mark_stored(m, of.region);
    for (uint32_t i = 0; i < g->regions[view.region].cell_count; i++) {
        struct nf_cell cell = g->regions[view.region].cells[i];
        if (cell.offset + shift < 0) {
            unify_places(m, view, of);
            return;
        }
        uint32_t twin = put_cell(m, of.region, (uint32_t)(cell.offset + shift), cell.size, 0);
        nf_edge(m, twin, cell.node, 0);
        if (stored) nf_edge(m, cell.node, twin, 0);
        unify_later(m, (struct nf_value){cell.node, 0}, (struct nf_value){twin, 0});
    }
}

static void look_at_copy(struct nf_module *m, struct nf_copy copy)
{
    struct nf_graph *g = m->graph;
    struct nf_place t = nf_find(m, copy.target, copy.target_offset), s = nf_find(m, copy.source, copy.source_offset);
    bool to_host = g->regions[t.region].host, from_host = g->regions[s.region].host;
    if (to_host && from_host) return;
    if (copy.view) {
        look_at_view(m, t, s);
        return;
    }
    mark_stored(m, t.region);
    mark_watched(m, t.region);
    mark_watched(m, s.region);
    if (from_host) {
        copy_from_host(m, t.region, t.offset, copy.size);
    } else if (to_host) {
        copy_to_host(m, s.region, s.offset, copy.size);
    } else if (t.region == s.region) {
        if (t.offset != s.offset) collapse(m, t.region);
    } else {
        int64_t shift = (int64_t)t.offset - s.offset;
        share_zones(m, s.region, t.region, s.offset, copy.size, shift);
        share_zones(m, t.region, s.region, t.offset, copy.size, -shift);
        mirror_cells(m, s.region, t.region, s.offset, copy.size, shift, true);
        mirror_cells(m, t.region, s.region, t.offset, copy.size, -shift, false);
    }
}

void nf_settle(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    while (g->pair_count || g->queue_count) {
        if (g->pair_count) {
            struct nf_pair pair = g->pairs[--g->pair_count];
            unify_pair(m, pair.a, pair.b);
        } else {
            uint32_t copy = g->queue[--g->queue_count];
            g->copies[copy].queued = false;
            look_at_copy(m, g->copies[copy]);
        }
    }
}

/* ---- What constraints are made of ---- */

bool nf_is_host(struct nf_module *m, struct nf_value value)
{
    struct nf_graph *g = m->graph;
    uint32_t region = g->nodes[value.node].region;
    return region && g->regions[nf_find(m, region, 0).region].host;
}

void nf_unify(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    unify_pair(m, a, b);
    nf_settle(m);
}

void nf_spread(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count)
{
    struct nf_place place = nf_place_of(m, value);
    struct nf_region *r = &m->graph->regions[place.region];
    if (!value.node || r->host) return;
    struct nf_zone zone = {0, NF_TO_END, stride ? stride : 1, false};
    if (count) {
        uint64_t end = place.offset + (uint64_t)count * stride;
        zone.low = place.offset;
        zone.high = end > NF_MAX_OFFSET ? NF_TO_END : (uint32_t)end;
    } else {
        /* Arithmetic on a pointer stays in the array that it points into (OpenCL C 3.0, as C11 6.5.6). */
        struct nf_zone *inside = zone_at(r, fold(r, place.offset));
        if (inside && zone.stride % inside->stride == 0) return;
        zone.low = place.offset % zone.stride;
        zone.bare = place.offset < zone.stride;
    }
    add_zone(m, place.region, zone);
    nf_settle(m);
}

uint32_t nf_cell_at(struct nf_module *m, struct nf_value address, uint32_t size, bool store)
{
    struct nf_graph *g = m->graph;
    if (!address.node) return 0;
    struct nf_place place = nf_place_of(m, address);
    if (g->regions[place.region].host)
        return store ? g->host_store : size >= m->address_bits / 8 ? g->host_wide : g->host_narrow;
    if (store) mark_stored(m, place.region);
    uint32_t node = put_cell(m, place.region, place.offset, size, 0);
    nf_settle(m);
    return node;
}

void nf_flow(struct nf_module *m, struct nf_value from, struct nf_value to)
{
    if (!from.node || !to.node) return;
    nf_edge(m, from.node, to.node, 0);
    nf_unify(m, from, to);
}
