/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.c - invariants of the constraint graph, and of its solution.
 *
 *     region: cells [0,8) [8,16)        cells are in the order of their offsets, and share no byte
 *     p -> q, p: {private}              q has at least the set that p passes on: {private, ...}
 *
 * needs: the graph; the instances.  gives: the unchanged graph, or a refusal.
 */
#include "check/check.h"

#include "infer/infer.h"

static void broken(struct nf_module *m, const char *what, uint32_t index)
{
    nf_fail(m->arena, NF_REFUSED, 0, "internal error in the graph: %s %u", what, index);
}

/* ---- The graph ---- */

static void check_nodes(struct nf_module *m)
{
    const struct nf_graph *g = m->graph;
    for (uint32_t i = 1; i < g->node_count; i++) {
        const struct nf_node *n = &g->nodes[i];
        if (n->region >= g->region_count) broken(m, "no region has node", i);
        for (uint32_t e = n->edges; e; e = g->edges[e].next)
            if (e >= g->edge_count || !g->edges[e].to || g->edges[e].to >= g->node_count)
                broken(m, "an edge leads nowhere from node", i);
    }
}

static void check_cells(struct nf_module *m, uint32_t region)
{
    const struct nf_graph *g = m->graph;
    const struct nf_region *r = &g->regions[region];
    uint64_t end = 0;
    for (uint32_t i = 0; i < r->cell_count; i++) {
        const struct nf_cell *cell = &r->cells[i];
        if (!cell->node || cell->node >= g->node_count) broken(m, "a cell has no node in region", region);
        if (cell->offset < end || !cell->size) broken(m, "cells overlap in region", region);
        end = (uint64_t)cell->offset + cell->size;
    }
    for (uint32_t i = 0; i < r->zone_count; i++)
        if (!r->zones[i].stride || r->zones[i].low >= r->zones[i].high)
            broken(m, "an array is empty in region", region);
}

/* Checks that the chain of parents of the region ends. Chains only get shorter while the graph is used. */
static void check_parents(struct nf_module *m, uint32_t region)
{
    const struct nf_graph *g = m->graph;
    uint32_t steps = 0;
    for (uint32_t up = region; g->regions[up].parent; up = g->regions[up].parent)
        if (g->regions[up].parent >= g->region_count || ++steps > g->region_count)
            broken(m, "it is merged with itself, region", region);
}

static void check_copies(struct nf_module *m)
{
    const struct nf_graph *g = m->graph;
    for (uint32_t i = 1; i < g->copy_count; i++) {
        const struct nf_copy *copy = &g->copies[i];
        bool valid = copy->target && copy->target < g->region_count && copy->source && copy->source < g->region_count;
        if (!valid) broken(m, "no region has copy", i);
        if (copy->queued) broken(m, "a visit is still due of copy", i);
    }
}

void nf_check_graph(struct nf_module *m)
{
    check_nodes(m);
    check_copies(m);
    for (uint32_t i = 1; i < m->graph->region_count; i++) {
        check_parents(m, i);
        if (!m->graph->regions[i].parent) check_cells(m, i);
    }
}

/* ---- The solution ---- */

/* Checks that the set of each node of the instance has the node's own evidence and all that its predecessors pass
 * on. */
static void check_sets(struct nf_module *m, const struct nf_instance *instance)
{
    const struct nf_graph *g = m->graph;
    const struct nf_function_analysis *f = m->functions[instance->function].analysis;
    uint32_t first = f->first_node;
    if (instance->first_node != first) broken(m, "the nodes differ of instance of function", instance->function);
    for (uint32_t i = first; i < f->last_node; i++) {
        const struct nf_node *n = &g->nodes[i];
        nf_set passed = nf_transfer((enum nf_node_kind)n->kind, instance->masks[i - first]);
        if (n->base & (nf_set)~instance->masks[i - first]) broken(m, "its own evidence lacks node", i);
        for (uint32_t e = n->edges; e; e = g->edges[e].next)
            if (passed & (nf_set)~instance->masks[g->edges[e].to - first])
                broken(m, "it does not pass on its set, node", i);
    }
}

static void check_callees(struct nf_module *m, uint32_t index)
{
    const struct nf_instance *instance = nf_instance_at(m, index);
    const struct nf_function_analysis *f = m->functions[instance->function].analysis;
    for (uint32_t i = 0; i < f->call_count; i++) {
        uint32_t callee = instance->callees[i];
        if (!callee || callee >= m->analysis->instance_count || !nf_instance_at(m, callee)->live)
            broken(m, "a call has no instance in instance", index);
        if (nf_instance_at(m, callee)->function != f->calls[i].callee) broken(m, "a call differs in instance", index);
    }
}

void nf_check_solution(struct nf_module *m)
{
    for (uint32_t i = 1; i < m->analysis->instance_count; i++) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (!instance->live) continue;
        uint32_t same = instance->same_as;
        if (nf_instance_at(m, same)->same_as != same) broken(m, "its twin has a twin, instance", i);
        check_sets(m, instance);
        check_callees(m, i);
    }
}
