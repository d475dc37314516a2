/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solve.c - sets flow along the edges until nothing changes.
 *
 * The lattice is small (a dozen bits of evidence) and sets only grow, so every node is looked at a bounded number of
 * times: near linear in the edges.
 *
 *     a = {private}   b = {}        a -> b, b -> c        b = c = {private}, a stays as it is
 *
 * A cycle (a loop's phi) needs no special care: once around, nothing is new.
 *
 * needs: a component's finished graph.  gives: a set for each of its nodes.
 */
#include "graph/parts.h"

static nf_set filtered(nf_set set, uint32_t edge)
{
    if (edge & NF_EDGE_MEET) return 0;
    set &= (nf_set)~NF_PIECES;
    if (edge & NF_EDGE_NARROW && set & NF_WEAK) set = (nf_set)((set & ~NF_WEAK) | NF_NARROW);
    if (edge & NF_EDGE_PROMOTE && set & NF_NARROW) set |= NF_WEAK;
    if (edge & NF_EDGE_LOSE) set &= (nf_set)~NF_MARKED;
    if (edge & NF_EDGE_LOSE && set & (NF_LOCAL | NF_PRIVATE)) set |= NF_LOST;
    if (edge & NF_EDGE_MARK && set & (NF_LOCAL | NF_PRIVATE)) set |= NF_MARKED;
    if (edge & NF_EDGE_SHED && set & (NF_LOCAL | NF_PRIVATE)) set |= NF_SHED;
    if (edge & NF_EDGE_MIX && set & (NF_LOCAL | NF_PRIVATE)) set |= NF_MIXED;
    return set;
}

void nf_propagate(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count)
{
    const struct nf_graph *g = m->graph;
    uint32_t *stack = NULL, capacity = 0, depth = 0;
    uint8_t *stacked = NULL;
    uint32_t stacked_capacity = 0;
    NF_RESERVE(m->arena, stack, capacity, (size_t)count + 1);
    NF_RESERVE(m->arena, stacked, stacked_capacity, (size_t)count + 1);
    for (uint32_t i = count; i-- > 0;)
        if (masks[i]) stack[depth++] = i, stacked[i] = 1;
    while (depth) {
        uint32_t node = stack[--depth];
        stacked[node] = 0;
        if (masks[node] & NF_PIECES && masks[node] & NF_NARROW) masks[node] |= NF_WEAK;
        for (uint32_t e = g->nodes[first + node].edges; e; e = g->edges[e].next) {
            uint32_t to = NF_EDGE_NODE(g->edges[e].to) - first;
            nf_set more = filtered(masks[node], g->edges[e].to) & (nf_set)~masks[to];
            if (!more) continue;
            masks[to] |= more;
            if (!stacked[to]) stack[depth++] = to, stacked[to] = 1;
        }
    }
    nf_drop(m->arena, stack);
    nf_drop(m->arena, stacked);
}
