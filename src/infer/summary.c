/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary.c - summarizes the graph of a callee for its callers, and copies the summary into the graph of a caller.
 *
 *     int *pick(int *a, int **b) { int *t = *b; if (c) t = a; *b = t; return t; }
 *     summary: a -> result, cell(b,0) -> result, a -> cell(b,0)          (t and the phi are gone)
 *
 * Copies of the whole graph of the callee for every call would grow exponentially with the depth of calls. But a caller
 * can only access parameters, result, module-scope variables, host memory, and memory that these point to. Their nodes
 * are the *summary*; a path between two of them through inner nodes of the callee becomes one edge, so that a chain of
 * n calls takes O(n) time. Nodes that change sets on such a path (nf_node_kind) stay in the summary.
 *
 * The callee's own graph remains: once the sets at a call are known, instances.c solves it for them.
 *
 * needs: an SCC's finished graph.  gives: nf_function_analysis.summary.
 */
#include "infer/infer.h"

struct summary_node {
    uint32_t actual, region; /* the node of the SCC; index of the summary's region + 1, 0 for none */
    int32_t offset;          /* bytes into that region */
    nf_set base;             /* the set that it has for any caller */
    uint8_t kind;            /* an nf_node_kind */
};

/* See nf_region. `actual`: the SCC's region; first_cell, first_zone: indices into the summary's arrays. */
struct summary_region {
    uint32_t actual, first_cell, cell_count, first_zone, zone_count, extent;
    uint16_t uses, flagged;
    bool host;
};

/* A module-scope variable: its id, and its address as a node of the summary and an offset. */
struct summary_variable {
    uint32_t id, node;
    int32_t offset;
};

/* The summary of a function. Indices are into its own arrays, unless stated otherwise. */
struct nf_function_summary {
    struct summary_node *nodes; /* the first nodes have the indices of enum nf_host_node */
    uint32_t node_count, node_capacity;
    struct nf_edge *edges; /* `next` holds the source node */
    uint32_t edge_count, edge_capacity;
    struct summary_region *regions;
    uint32_t region_count, region_capacity;
    struct nf_cell *cells; /* of all regions, one region after the other */
    uint32_t cell_count, cell_capacity;
    struct nf_zone *zones; /* likewise */
    uint32_t zone_count, zone_capacity;
    struct nf_copy *copies;
    uint32_t copy_count, copy_capacity;
    struct summary_variable *variables;
    uint32_t variable_count, variable_capacity;
    uint32_t *parameters, result; /* node + 1; 0: carries no address */
};

struct maker {
    struct nf_module *m;
    const struct nf_function *f;
    struct nf_function_summary *t;
    uint32_t first, count;  /* the nodes of the SCC: [first, first + count) */
    uint32_t first_region;  /* of the SCC */
    uint32_t *node_index;   /* by node - first: index in the summary + 1 */
    uint32_t *region_index; /* by region - first_region: index in the summary + 1 */
    nf_set *intrinsic;      /* by node - first: its set without any caller */
    uint32_t closed;        /* number of regions of the summary whose cells and copies were added */
};

/* ---- Nodes and regions of the summary ---- */

/* Adds a region of the SCC, if the summary lacks it, and returns its index + 1. */
static uint32_t take_region(struct maker *k, uint32_t region)
{
    struct nf_function_summary *t = k->t;
    uint32_t *index = &k->region_index[region - k->first_region];
    if (*index) return *index;
    NF_RESERVE(k->m->arena, t->regions, t->region_capacity, (size_t)t->region_count + 1);
    t->regions[t->region_count] = (struct summary_region){.actual = region};
    return *index = ++t->region_count;
}

/* Adds a node of the SCC, if the summary lacks it, and returns its index + 1. */
static uint32_t take_node(struct maker *k, uint32_t node)
{
    struct nf_module *m = k->m;
    struct nf_function_summary *t = k->t;
    uint32_t *index = &k->node_index[node - k->first];
    if (*index) return *index;
    NF_RESERVE(m->arena, t->nodes, t->node_capacity, (size_t)t->node_count + 1);
    const struct nf_node *n = &m->graph->nodes[node];
    struct summary_node *taken = &t->nodes[t->node_count];
    *taken = (struct summary_node){.actual = node, .base = k->intrinsic[node - k->first], .kind = n->kind};
    if (n->region) {
        struct nf_place place = nf_find(m, n->region, 0);
        taken->region = take_region(k, place.region);
        taken->offset = m->graph->regions[place.region].host ? 0 : (int32_t)place.offset + n->offset;
    }
    return *index = ++t->node_count;
}

static void take_copies(struct maker *k, uint32_t region)
{
    struct nf_graph *g = k->m->graph;
    for (uint32_t l = g->regions[region].copies; l; l = g->links[l].next) {
        const struct nf_copy *copy = &g->copies[g->links[l].copy];
        take_region(k, nf_find(k->m, copy->target, 0).region);
        take_region(k, nf_find(k->m, copy->source, 0).region);
    }
}

/* Adds the cells of all regions of the summary, the regions that those cells point to, their cells, and so on. */
static void close_over_regions(struct maker *k)
{
    struct nf_module *m = k->m;
    struct nf_function_summary *t = k->t;
    for (; k->closed < t->region_count; k->closed++) {
        uint32_t i = k->closed, region = t->regions[i].actual, first_cell = t->cell_count, first_zone = t->zone_count;
        const struct nf_region *r = &m->graph->regions[region];
        if (!r->host) take_copies(k, region);
        NF_RESERVE(m->arena, t->cells, t->cell_capacity, (size_t)first_cell + r->cell_count);
        NF_RESERVE(m->arena, t->zones, t->zone_capacity, (size_t)first_zone + r->zone_count);
        t->cell_count += r->cell_count;
        t->zone_count += r->zone_count;
        for (uint32_t c = 0; c < r->cell_count; c++) {
            t->cells[first_cell + c] = r->cells[c];
            t->cells[first_cell + c].node = take_node(k, r->cells[c].node) - 1;
        }
        if (r->zone_count) memcpy(t->zones + first_zone, r->zones, r->zone_count * sizeof *r->zones);
        t->regions[i] = (struct summary_region){region,    first_cell, r->cell_count, first_zone, r->zone_count,
                                                r->extent, r->uses,    r->flagged,    r->host};
    }
}

static void take_interface(struct maker *k)
{
    struct nf_module *m = k->m;
    const struct nf_function *f = k->f;
    k->t->parameters = NF_NEW(m->arena, uint32_t, f->parameter_count + 1);
    for (uint32_t i = 0; i < NF_HOST_NODES; i++)
        take_node(k, f->analysis->host_store + i);
    for (uint32_t i = 0; i < f->parameter_count; i++)
        if (f->analysis->parameter_nodes[i]) k->t->parameters[i] = take_node(k, f->analysis->parameter_nodes[i]);
    if (f->analysis->return_node) k->t->result = take_node(k, f->analysis->return_node);
}

static void take_variables(struct maker *k)
{
    struct nf_module *m = k->m;
    struct nf_function_summary *t = k->t;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        struct nf_value v = m->analysis->values[m->variables[i]];
        if (v.node < k->first || v.node >= k->first + k->count) continue;
        NF_RESERVE(m->arena, t->variables, t->variable_capacity, (size_t)t->variable_count + 1);
        t->variables[t->variable_count++] =
            (struct summary_variable){m->variables[i], take_node(k, v.node) - 1, v.offset};
    }
}

/* ---- Edges ---- */

struct stack {
    uint32_t *at, count, capacity;
};

static void push(struct maker *k, struct stack *stack, uint32_t node)
{
    NF_RESERVE(k->m->arena, stack->at, stack->capacity, (size_t)stack->count + 1);
    stack->at[stack->count++] = node;
}

/* Adds edges from node `from` of the summary to all nodes of the summary that it reaches through inner nodes only.
 * `reached`, by node: the `from` + 1 of the last walk that reached it. */
static void bypass(struct maker *k, uint32_t from, uint32_t *reached, struct stack *stack)
{
    struct nf_graph *g = k->m->graph;
    struct nf_function_summary *t = k->t;
    push(k, stack, t->nodes[from].actual);
    while (stack->count) {
        uint32_t node = stack->at[--stack->count];
        for (uint32_t e = g->nodes[node].edges; e; e = g->edges[e].next) {
            uint32_t to = g->edges[e].to, target = k->node_index[to - k->first];
            if (reached[to - k->first] == from + 1) continue;
            reached[to - k->first] = from + 1;
            if (target) {
                NF_RESERVE(k->m->arena, t->edges, t->edge_capacity, (size_t)t->edge_count + 1);
                t->edges[t->edge_count++] = (struct nf_edge){target - 1, from};
            } else if (g->nodes[to].kind == NF_NODE_PLAIN) { /* take_gates() says why other gates end the path */
                push(k, stack, to);
            }
        }
    }
}

/* The predecessors of each node: node i has from[at[i]] up to, not including, from[at[i + 1]]. */
struct sources {
    uint32_t *at, *from;
};

static struct sources find_sources(struct maker *k)
{
    const struct nf_graph *g = k->m->graph;
    uint32_t first = k->first, count = k->count, edges = 0;
    struct sources s = {NF_NEW_ARRAY(k->m->arena, uint32_t, (size_t)count + 2), NULL};
    /* First at[i + 2] counts the predecessors of node i. Prefix sums make at[i + 1] the beginning of its list, and
     * filling the list advances at[i + 1] to its end, which is the beginning of the next list. */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = g->nodes[first + i].edges; e; e = g->edges[e].next)
            s.at[g->edges[e].to - first + 2]++, edges++;
    for (uint32_t i = 0; i < count; i++)
        s.at[i + 2] += s.at[i + 1];
    s.from = NF_NEW_ARRAY(k->m->arena, uint32_t, (size_t)edges + 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = g->nodes[first + i].edges; e; e = g->edges[e].next)
            s.from[s.at[g->edges[e].to - first + 1]++] = i;
    return s;
}

/* Returns by node whether a path leads from it to a node of the summary. X of a function that no instruction calls is
 * left out, unless kernels share H: no caller shares it. */
static bool *find_leading_back(struct maker *k, struct stack *stack)
{
    bool *leads_back = NF_NEW_ARRAY(k->m->arena, bool, (size_t)k->count + 1);
    struct sources sources = find_sources(k);
    bool shares_exposed = k->f->analysis->call_sites || k->m->analysis->shares_host;
    for (uint32_t i = 0; i < k->t->node_count; i++)
        if (i != NF_HOST_EXPOSED || shares_exposed) push(k, stack, k->t->nodes[i].actual - k->first);
    while (stack->count) {
        uint32_t node = stack->at[--stack->count];
        for (uint32_t s = sources.at[node]; s < sources.at[node + 1]; s++) {
            if (leads_back[sources.from[s]]) continue;
            leads_back[sources.from[s]] = true;
            push(k, stack, sources.from[s]);
        }
    }
    nf_arena_drop(k->m->arena, sources.at);
    nf_arena_drop(k->m->arena, sources.from);
    return leads_back;
}

/* Adds the gates (nodes that are not plain) on a path from a node of the summary back to a node of the summary. Other
 * gates are not needed: evidence that flows into them inside the callee is part of their intrinsic sets, and evidence
 * that never flows back to the caller is found when each instance is solved. */
static void take_gates(struct maker *k)
{
    struct nf_graph *g = k->m->graph;
    struct stack stack = {NULL, 0, 0};
    bool *leads_back = find_leading_back(k, &stack);
    bool *reached = NF_NEW_ARRAY(k->m->arena, bool, (size_t)k->count + 1);
    for (uint32_t i = 0; i < k->t->node_count; i++)
        push(k, &stack, k->t->nodes[i].actual);
    while (stack.count) {
        uint32_t node = stack.at[--stack.count];
        if (g->nodes[node].kind != NF_NODE_PLAIN) take_node(k, node);
        for (uint32_t e = g->nodes[node].edges; e; e = g->edges[e].next) {
            uint32_t to = g->edges[e].to - k->first;
            if (reached[to] || !leads_back[to]) continue;
            reached[to] = true;
            push(k, &stack, g->edges[e].to);
        }
    }
    nf_arena_drop(k->m->arena, reached);
    nf_arena_drop(k->m->arena, leads_back);
    nf_arena_drop(k->m->arena, stack.at);
}

static void make_edges(struct maker *k)
{
    struct nf_module *m = k->m;
    /* bypass() walks over all inner nodes once for each node of the summary. If that would not be near linear in the
     * size of the SCC, the summary contains all nodes instead. */
    if ((uint64_t)k->t->node_count * k->count > 64u * (uint64_t)k->count + (1u << 22)) {
        for (uint32_t i = 0; i < k->count; i++)
            take_node(k, k->first + i);
        close_over_regions(k);
    }
    nf_arena_drop(m->arena, k->intrinsic); /* no further nodes are added */
    k->intrinsic = NULL;
    uint32_t *reached = NF_NEW_ARRAY(m->arena, uint32_t, (size_t)k->count + 1);
    struct stack stack = {NULL, 0, 0};
    for (uint32_t i = 0; i < k->t->node_count; i++)
        bypass(k, i, reached, &stack);
    nf_arena_drop(m->arena, reached);
    nf_arena_drop(m->arena, stack.at);
}

static void take_copy_list(struct maker *k)
{
    struct nf_module *m = k->m;
    struct nf_graph *g = m->graph;
    struct nf_function_summary *t = k->t;
    for (uint32_t i = 0; i < t->region_count; i++) {
        if (t->regions[i].host) continue;
        for (uint32_t l = g->regions[t->regions[i].actual].copies; l; l = g->links[l].next) {
            const struct nf_copy *copy = &g->copies[g->links[l].copy];
            struct nf_place to = nf_find(m, copy->target, copy->target_offset);
            struct nf_place from = nf_find(m, copy->source, copy->source_offset);
            /* A copy is in the lists of both of its regions, but must be added once. */
            bool target_here = to.region == t->regions[i].actual;
            if (!target_here && !g->regions[to.region].host) continue;
            NF_RESERVE(m->arena, t->copies, t->copy_capacity, (size_t)t->copy_count + 1);
            uint32_t target = take_region(k, to.region) - 1, source = take_region(k, from.region) - 1;
            t->copies[t->copy_count++] = (struct nf_copy){.target = target,
                                                          .target_offset = to.offset,
                                                          .source = source,
                                                          .source_offset = from.offset,
                                                          .size = copy->size,
                                                          .view = copy->view};
        }
    }
}

void nf_summarize_function(struct nf_module *m, struct nf_function *f)
{
    struct nf_graph *g = m->graph;
    uint32_t first = f->analysis->first_node, count = f->analysis->last_node - first;
    struct maker k = {.m = m, .f = f, .first = first, .count = count, .first_region = f->analysis->host};
    nf_drop_summary(m, f);
    k.t = f->analysis->summary = NF_NEW(m->arena, struct nf_function_summary, 1);
    k.node_index = NF_NEW_ARRAY(m->arena, uint32_t, (size_t)count + 1);
    k.region_index = NF_NEW_ARRAY(m->arena, uint32_t, (size_t)(g->region_count - k.first_region) + 1);
    k.intrinsic = nf_base_sets(m, first, count);
    nf_propagate(m, k.intrinsic, first, count);
    take_interface(&k);
    take_variables(&k);
    close_over_regions(&k);
    take_gates(&k);
    close_over_regions(&k);
    make_edges(&k);
    take_copy_list(&k);
    nf_arena_drop(m->arena, k.node_index);
    nf_arena_drop(m->arena, k.region_index);
}

void nf_drop_summary(struct nf_module *m, struct nf_function *f)
{
    struct nf_function_summary *t = f->analysis->summary;
    if (!t) return;
    void *const arrays[] = {t->nodes, t->edges, t->regions, t->cells, t->zones, t->copies, t->variables};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        nf_arena_drop(m->arena, arrays[i]);
    f->analysis->summary = NULL;
}

uint32_t nf_summary_surplus(const struct nf_function *f)
{
    const struct nf_function_summary *t = f->analysis->summary;
    uint32_t surplus = 0;
    for (uint32_t i = 0; i < t->region_count; i++)
        if (t->regions[i].cell_count > NF_FEW_CELLS) surplus += t->regions[i].cell_count - NF_FEW_CELLS;
    return surplus;
}

void nf_collapse_large_regions(struct nf_module *m, const struct nf_function *f)
{
    const struct nf_function_summary *t = f->analysis->summary;
    for (uint32_t i = 0; i < t->region_count; i++)
        if (t->regions[i].cell_count > NF_FEW_CELLS) nf_collapse(m, nf_find(m, t->regions[i].actual, 0).region, 1);
}

/* ---- The copy in the caller ---- */

/* Makes copies of the summary's regions: made[i] is that of region i, or the caller's H for H with `share_host`. */
static void copy_regions(struct nf_module *m, const struct nf_function_summary *t, uint32_t *made, uint32_t base,
                         bool share_host)
{
    struct nf_graph *g = m->graph;
    for (uint32_t i = 0; i < t->region_count; i++) {
        const struct summary_region *from = &t->regions[i];
        if (from->host && share_host) {
            made[i] = g->host;
            g->regions[nf_find(m, g->host, 0).region].uses |= from->uses & NF_WRITTEN;
            continue;
        }
        made[i] = nf_region(m);
        struct nf_region *r = &g->regions[made[i]];
        r->host = from->host;
        r->extent = from->extent;
        r->uses = from->uses;
        r->flagged = from->flagged & 15;
        NF_RESERVE(m->arena, r->cells, r->cell_capacity, from->cell_count);
        for (uint32_t c = 0; c < from->cell_count; c++) {
            r->cells[c] = t->cells[from->first_cell + c];
            r->cells[c].node += base;
        }
        r->cell_count = from->cell_count;
        NF_RESERVE(m->arena, r->zones, r->zone_capacity, from->zone_count);
        if (from->zone_count) memcpy(r->zones, t->zones + from->first_zone, from->zone_count * sizeof *r->zones);
        r->zone_count = from->zone_count;
    }
}

static void share_host_nodes(struct nf_module *m, uint32_t base)
{
    struct nf_graph *g = m->graph;
    const uint32_t own[NF_HOST_NODES] = {g->host_store, g->host_wide, g->exposed};
    for (uint32_t i = 0; i < NF_HOST_NODES; i++) {
        nf_edge(m, base + i, own[i]);
        nf_edge(m, own[i], base + i);
    }
    nf_unify_exposed(m, base + NF_HOST_EXPOSED);
}

uint32_t nf_apply_summary(struct nf_module *m, const struct nf_function *callee, bool share_host)
{
    struct nf_graph *g = m->graph;
    const struct nf_function_summary *t = callee->analysis->summary;
    uint32_t base = g->node_count, *made = NF_NEW_ARRAY(m->arena, uint32_t, (size_t)t->region_count + 1);
    for (uint32_t i = 0; i < t->node_count; i++) {
        uint32_t node = nf_node(m, t->nodes[i].base);
        /* A shared X of the callee becomes a plain node, connected with X of the caller. */
        bool shared = share_host && i == NF_HOST_EXPOSED;
        g->nodes[node].kind = shared ? NF_NODE_PLAIN : t->nodes[i].kind;
    }
    copy_regions(m, t, made, base, share_host);
    for (uint32_t i = 0; i < t->node_count; i++) {
        if (!t->nodes[i].region) continue;
        g->nodes[base + i].region = made[t->nodes[i].region - 1];
        g->nodes[base + i].offset = t->nodes[i].offset;
    }
    for (uint32_t i = 0; i < t->edge_count; i++)
        nf_edge(m, base + t->edges[i].next, base + t->edges[i].to);
    if (share_host) share_host_nodes(m, base);
    for (uint32_t i = 0; i < t->copy_count; i++)
        nf_copy_regions(m, made[t->copies[i].target], made[t->copies[i].source], &t->copies[i]);
    nf_arena_drop(m->arena, made);
    return base;
}

uint32_t nf_summary_parameter(const struct nf_function *callee, uint32_t index, uint32_t base)
{
    uint32_t node = callee->analysis->summary->parameters[index];
    return node ? base + node - 1 : 0;
}

uint32_t nf_summary_result(const struct nf_function *callee, uint32_t base)
{
    return callee->analysis->summary->result ? base + callee->analysis->summary->result - 1 : 0;
}

bool nf_summary_variable(const struct nf_function *callee, uint32_t index, uint32_t base, uint32_t *id,
                         struct nf_value *copy)
{
    const struct nf_function_summary *t = callee->analysis->summary;
    if (index >= t->variable_count) return false;
    *id = t->variables[index].id;
    *copy = (struct nf_value){base + t->variables[index].node, t->variables[index].offset};
    return true;
}

uint32_t nf_summary_node_count(const struct nf_function *callee)
{
    return callee->analysis->summary->node_count;
}

uint32_t nf_summary_actual(const struct nf_function *callee, uint32_t index)
{
    return callee->analysis->summary->nodes[index].actual;
}
