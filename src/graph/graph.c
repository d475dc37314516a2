/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.c - the constraint graph: evidence flows along edges, places are unified.
 *
 *     nf_flow(a, p)          edge a -> p; a and p point to one place
 *
 * Regions are modeled by byte offset, never by type: real modules copy structs as bytes and load pointers as `ulong`
 * (cells.c, copies.c). Host memory, H, is one region without cells, because its layout is unknown: every load from it
 * may return any value that is stored into it. A load of at least the size of an address may also return a value that
 * the host wrote: null or a global address.
 */
#include "graph/internal.h"

uint32_t nf_node(struct nf_module *m, nf_set base)
{
    struct nf_graph *g = m->graph;
    if (g->node_count >= g->node_capacity) NF_RESERVE(m->arena, g->nodes, g->node_capacity, (size_t)g->node_count + 1);
    if (g->node_count >= NF_MAX_NODES) nf_fail(m->arena, NF_OUT_OF_MEMORY, 0, "too many values");
    g->nodes[g->node_count] = (struct nf_node){.base = base, .origin = g->origin};
    return g->node_count++;
}

bool nf_is_graph_too_large(const struct nf_module *m, uint64_t more)
{
    enum { FREE = 256 };
    /* Compilers emit modules with at most one node for every six words. */
    return m->graph->node_count + more > m->count / 2 + FREE;
}

uint32_t nf_node_of_kind(struct nf_module *m, enum nf_node_kind kind)
{
    uint32_t node = nf_node(m, 0);
    m->graph->nodes[node].kind = (uint8_t)kind;
    return node;
}

void nf_edge(struct nf_module *m, uint32_t from, uint32_t to)
{
    struct nf_graph *g = m->graph;
    if (!from || !to || from == to) return;
    int looked = 0;
    for (uint32_t e = g->nodes[from].edges; e && looked < 16; e = g->edges[e].next, looked++)
        if (g->edges[e].to == to) return;
    if (g->edge_count >= g->edge_capacity) NF_RESERVE(m->arena, g->edges, g->edge_capacity, (size_t)g->edge_count + 1);
    g->edges[g->edge_count] = (struct nf_edge){to, g->nodes[from].edges};
    g->nodes[from].edges = g->edge_count++;
}

uint32_t nf_region(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    if (g->region_count >= g->region_capacity)
        NF_RESERVE(m->arena, g->regions, g->region_capacity, (size_t)g->region_count + 1);
    g->regions[g->region_count] = (struct nf_region){0};
    return g->region_count++;
}

void nf_begin_host(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    g->host = nf_region(m);
    g->regions[g->host].host = true;
    g->host_store = nf_node(m, 0);
    g->host_wide = nf_node(m, NF_FROM_HOST);
    g->exposed = nf_node_of_kind(m, NF_NODE_EXPOSED);
    nf_edge(m, g->host_store, g->host_wide);
    g->nodes[g->host_store].region = g->nodes[g->host_wide].region = g->host;
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

void nf_unify_later(struct nf_module *m, uint32_t a, uint32_t b)
{
    struct nf_graph *g = m->graph;
    NF_RESERVE(m->arena, g->pairs, g->pair_capacity, (size_t)g->pair_count + 1);
    g->pairs[g->pair_count++] = (struct nf_pair){a, b};
}

/* Returns true if the copies of `root` must be visited again once `child` is merged into it. H has no cells, so its
 * copies need no visit. A table of addresses merges the regions of all variables that it names, most of which are still
 * empty and have only a copy from H. Without this test each merge would visit the copies of all variables merged
 * before: quadratic time. */
static bool needs_copy_visits(const struct nf_region *root, const struct nf_region *child, uint32_t delta)
{
    if (root->host) return false;
    return child->cell_count || child->zone_count || child->uses & ~root->uses || child->extent + delta > root->extent;
}

void nf_add_flags(struct nf_module *m, uint32_t region, uint32_t flagged, int64_t bytes)
{
    struct nf_region *r = &m->graph->regions[region];
    uint32_t word = nf_word_size(m);
    if (!flagged || r->host || r->flagged == NF_FLAGS_ANYWHERE) return;
    if (flagged != NF_FLAGS_ANYWHERE) flagged = 1 + (uint32_t)((flagged - 1 + bytes) & (word - 1));
    if (r->flagged == flagged) return;
    bool moves = r->flagged || flagged == NF_FLAGS_ANYWHERE;
    r->flagged = (moves ? NF_FLAGS_ANYWHERE : flagged) & 15;
    nf_enqueue_copies(m, region);
    if (moves) nf_collapse(m, region, word);
}

void nf_open_arrays(struct nf_module *m, uint32_t region, uint32_t other, int64_t delta)
{
    struct nf_region *r = &m->graph->regions[region], *o = &m->graph->regions[other];
    for (uint32_t i = 0; o->uses & NF_RAW && i < r->zone_count; i++) {
        struct nf_zone *z = &r->zones[i], *same = nf_zone_of(o, (uint32_t)(z->low - delta), *z);
        bool stays = z->high == NF_TO_END || (same && same->low + delta == z->low && same->high + delta == z->high);
        if (stays || !z->element || z->element == NF_OPEN) continue;
        z->element = NF_OPEN;
        if (!z->latent) nf_collapse(m, region, z->stride), i = UINT32_MAX;
    }
}

static void merge_regions(struct nf_module *m, uint32_t root, uint32_t child, uint32_t delta)
{
    struct nf_graph *g = m->graph;
    struct nf_region *c = &g->regions[child];
    nf_open_arrays(m, root, child, delta);
    nf_open_arrays(m, child, root, -(int64_t)delta);
    struct nf_cell *cells = c->cells;
    struct nf_zone *zones = c->zones;
    uint32_t cell_count = c->cell_count, zone_count = c->zone_count, copies = c->copies, extent = c->extent,
             flagged = c->flagged;
    bool visit = needs_copy_visits(&g->regions[root], c, delta);
    nf_enqueue_copies(m, child);
    c->parent = root;
    c->delta = delta;
    c->cells = NULL;
    c->zones = NULL;
    c->cell_count = c->cell_capacity = c->zone_count = c->zone_capacity = c->copies = 0;
    nf_append_copies(m, root, copies);
    nf_mark_uses(m, root, c->uses);
    g->regions[root].changed = g->clock;
    if (g->regions[root].host) {
        for (uint32_t i = 0; i < cell_count; i++)
            nf_host_cell(m, &g->regions[child], &cells[i], true, true);
    } else {
        for (uint32_t i = 0; i < zone_count; i++)
            nf_shift_zone(m, root, zones[i], extent, delta);
        if (g->regions[root].extent < extent + delta) g->regions[root].extent = extent + delta;
        for (uint32_t i = 0; i < cell_count; i++)
            nf_insert_cell(m, root, cells[i].offset + delta, cells[i].size, cells[i].node);
    }
    nf_arena_drop(m->arena, cells);
    nf_arena_drop(m->arena, zones);
    nf_add_flags(m, root, flagged, delta);
    if (visit) nf_enqueue_copies(m, root);
}

void nf_unify_places(struct nf_module *m, struct nf_place a, struct nf_place b)
{
    struct nf_graph *g = m->graph;
    if (a.region == b.region) {
        if (g->regions[a.region].host) return;
        uint32_t x = nf_fold_offset(&g->regions[a.region], a.offset),
                 y = nf_fold_offset(&g->regions[b.region], b.offset);
        if (x == y && g->steps_out) x = a.offset, y = b.offset; /* a step from either may leave the array */
        if (x != y) nf_collapse(m, a.region, x > y ? x - y : y - x);
        return;
    }
    bool host_a = g->regions[a.region].host, host_b = g->regions[b.region].host;
    /* H stays the root. A callee's H already is its caller's: copy_regions() (infer/summary.c) does not copy it. */
    if (host_a) {
        merge_regions(m, a.region, b.region, 0);
    } else if (host_b) {
        merge_regions(m, b.region, a.region, 0);
    } else if (a.offset > b.offset || (a.offset == b.offset && a.region < b.region)) {
        merge_regions(m, a.region, b.region, a.offset - b.offset);
    } else {
        merge_regions(m, b.region, a.region, b.offset - a.offset);
    }
}

/* If the address lies before the beginning of its region, the region is extended to begin there. */
struct nf_place nf_place_of(struct nf_module *m, struct nf_value value)
{
    struct nf_graph *g = m->graph;
    struct nf_node *n = &g->nodes[value.node];
    if (!n->region) n->region = nf_region(m);
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

/* If only `b` has a place, gives that place to `a`, so that no region is made and merged; else returns false. */
static bool adopt_place(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    struct nf_node *n = &m->graph->nodes[a.node], *other = &m->graph->nodes[b.node];
    if (n->region || !other->region || a.node == b.node) return false;
    int64_t offset = (int64_t)other->offset + b.offset - a.offset;
    if (offset > NF_MAX_OFFSET || offset < -NF_MAX_OFFSET) return false;
    n->region = other->region;
    n->offset = (int32_t)offset;
    return true;
}

void nf_unify_pair(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    if (!a.node || !b.node || adopt_place(m, a, b) || adopt_place(m, b, a)) return;
    struct nf_place x = nf_place_of(m, a);
    struct nf_place y = nf_place_of(m, b);
    x = nf_place_of(m, a); /* finding y may have merged the region of x into a new root */
    nf_unify_places(m, x, y);
}

/* ---- The operations from which infer/ builds constraints --------------------------------------------------------- */

bool nf_is_host(struct nf_module *m, struct nf_value value)
{
    struct nf_graph *g = m->graph;
    uint32_t region = g->nodes[value.node].region;
    return region && g->regions[nf_find(m, region, 0).region].host;
}

void nf_unify(struct nf_module *m, struct nf_value a, struct nf_value b)
{
    nf_unify_pair(m, a, b);
    nf_run_pending(m);
}

void nf_declare_array(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count, uint32_t element)
{
    struct nf_place place = nf_place_of(m, value);
    uint64_t end = place.offset + (uint64_t)count * stride;
    if (end <= NF_MAX_OFFSET)
        nf_add_zone(m, place.region, (struct nf_zone){place.offset, (uint32_t)end, stride, element, false, true});
}

void nf_smear_offsets(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count, uint32_t element)
{
    if (!value.node || nf_is_host(m, value)) return;
    struct nf_place place = nf_place_of(m, value);
    struct nf_zone zone = {0, NF_TO_END, stride ? stride : 1, element, false, false};
    if (count) {
        uint64_t end = place.offset + (uint64_t)count * stride;
        zone.low = place.offset;
        zone.high = end > NF_MAX_OFFSET ? NF_TO_END : (uint32_t)end;
    } else {
        struct nf_zone *inside = nf_zone_of(&m->graph->regions[place.region], place.offset, zone);
        if (inside) {
            nf_activate_zone(m, place.region, inside);
            nf_run_pending(m);
            return;
        }
        zone.bare = place.offset < zone.stride;
    }
    nf_add_zone(m, place.region, zone);
    nf_run_pending(m);
}

uint32_t nf_cell_at(struct nf_module *m, struct nf_value address, uint32_t size, bool store)
{
    struct nf_graph *g = m->graph;
    if (!address.node) return 0;
    struct nf_place place = nf_place_of(m, address);
    if (size >= nf_word_size(m)) nf_mark_uses(m, place.region, NF_WIDE);
    if (g->regions[place.region].host) return store ? g->host_store : g->host_wide;
    if (store) nf_mark_uses(m, place.region, NF_STORED);
    uint32_t node = nf_insert_cell(m, place.region, place.offset, size, 0);
    nf_run_pending(m);
    return node;
}

void nf_note_flags(struct nf_module *m, struct nf_value address)
{
    struct nf_place place = nf_place_of(m, address);
    nf_add_flags(m, place.region, 1, place.offset);
    nf_run_pending(m);
}

void nf_note_use_at(struct nf_module *m, struct nf_value address, uint32_t use)
{
    if (address.node) nf_mark_uses(m, nf_place_of(m, address).region, use);
}

void nf_flow(struct nf_module *m, struct nf_value from, struct nf_value to)
{
    if (!from.node || !to.node) return;
    nf_edge(m, from.node, to.node);
    nf_unify(m, from, to);
}

void nf_free_graph(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    for (uint32_t i = 0; i < g->region_count; i++) {
        nf_arena_drop(m->arena, g->regions[i].cells);
        nf_arena_drop(m->arena, g->regions[i].zones);
    }
    void *const arrays[] = {g->nodes, g->edges, g->regions, g->copies, g->links, g->queue, g->pairs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        nf_arena_drop(m->arena, arrays[i]);
    memset(g, 0, sizeof *g);
}
