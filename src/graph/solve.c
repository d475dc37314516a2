/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solve.c - propagates sets along the edges to the least fixed point.
 *
 *     a = {private}   b = {}        a -> b, b -> c        b = c = {private}, a stays as it is
 *
 * The lattice is small (eleven bits of evidence) and sets only grow, so every node is visited a bounded number of
 * times, also in a cycle. Only nodes change sets, edges do not: each kind of node has a monotone transfer function. So
 * there is a least solution, which does not depend on the order of propagation.
 *
 * needs: the finished graph of an SCC.  gives: the evidence of each of its nodes.
 */
#include "graph/internal.h"

static bool is_in_several_spaces(nf_set set)
{
    nf_set spaces = (set & NF_SPACES) | (set & NF_FROM_HOST ? NF_GLOBAL : 0);
    return spaces && !nf_single(spaces);
}

nf_set nf_transfer(enum nf_node_kind kind, nf_set set)
{
    switch (kind) {
    case NF_NODE_EXPOSED: return set & (nf_set)~NF_ANY_VALUE;
    case NF_NODE_IF_ANY: return set & (NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set : 0;
    case NF_NODE_IF_ADDRESS: return set & (NF_GLOBAL | NF_LOCAL | NF_PRIVATE) ? set : 0;
    case NF_NODE_APART: return is_in_several_spaces(set) ? set & (NF_SPACES | NF_FROM_HOST) : 0;
    case NF_NODE_CHANGED: return set & NF_NULL ? (set & (nf_set)~NF_NULL) | NF_COUNT : set;
    case NF_NODE_DISTANCE: /* null or a number may be an address in another space */
        if (!(set & (NF_NUMBER | NF_UNKNOWN | NF_COUNT | NF_NULL)) && !is_in_several_spaces(set))
            return set & NF_FROM_HOST ? NF_NUMBER : 0;
        /* fall through */
    case NF_NODE_UNITED: return set & NF_FROM_HOST ? set | NF_NUMBER : set; /* host data need not be addresses */
    default: return set;
    }
}

struct work {
    uint32_t *stack, depth;
    uint8_t *stacked; /* by node: it is on the stack */
};

static void push(struct work *w, uint32_t node)
{
    if (!w->stacked[node]) w->stack[w->depth++] = node, w->stacked[node] = 1;
}

/* Propagates sets along edges until the work list is empty. Nodes in it and in `masks` are numbered from `first`. */
static void run_work_list(const struct nf_graph *g, struct work *w, nf_set *masks, uint32_t first)
{
    while (w->depth) {
        uint32_t node = w->stack[--w->depth];
        w->stacked[node] = 0;
        nf_set set = nf_transfer(g->nodes[first + node].kind, masks[node]);
        for (uint32_t e = g->nodes[first + node].edges; e; e = g->edges[e].next) {
            uint32_t to = g->edges[e].to - first;
            if (!(set & (nf_set)~masks[to])) continue;
            masks[to] |= set;
            push(w, to);
        }
    }
}

nf_set *nf_base_sets(struct nf_module *m, uint32_t first, uint32_t count)
{
    nf_set *masks = NF_NEW_ARRAY(m->arena, nf_set, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        masks[i] = m->graph->nodes[first + i].base;
    return masks;
}

void nf_propagate(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count)
{
    struct work w = {.stack = NF_NEW_ARRAY(m->arena, uint32_t, (size_t)count + 1),
                     .stacked = NF_NEW_ARRAY(m->arena, uint8_t, (size_t)count + 1)};
    for (uint32_t i = count; i-- > 0;)
        if (masks[i]) push(&w, i);
    run_work_list(m->graph, &w, masks, first);
    nf_arena_drop(m->arena, w.stack);
    nf_arena_drop(m->arena, w.stacked);
}
