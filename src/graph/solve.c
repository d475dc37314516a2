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

static nf_set replaced(nf_set set, nf_set what, nf_set by)
{
    return set & what ? (nf_set)((set & ~what) | by) : set;
}

/* What an edge adds to the evidence of an address. */
static nf_set tagged(nf_set set, uint32_t edge)
{
    if (!(set & (NF_LOCAL | NF_PRIVATE))) return set;
    if (edge & NF_EDGE_LOSE) set |= NF_LOST;
    if (edge & NF_EDGE_MARK) set |= NF_MARKED;
    if (edge & NF_EDGE_SHED) set |= NF_SHED;
    if (edge & NF_EDGE_MIX) set |= NF_MIXED;
    if (edge & NF_EDGE_DOWN) set |= NF_DOWN;
    if ((edge & NF_EDGE_TOP) == NF_EDGE_NARROW) set |= NF_PART;
    return set;
}

/* A pointer is never made of the top or the end of an address alone, nor of a remainder: it has its space from the bits
 * between, or from the quotient. If they stand where they did, and nothing was divided before. */
static nf_set part(nf_set set, uint32_t edge)
{
    if ((edge & NF_EDGE_ABOVE) == NF_EDGE_ABOVE)
        return tagged(replaced(set, NF_WEAK | NF_NARROW | NF_FEW, NF_ABOVE), edge & (NF_EDGE_SHED | NF_EDGE_MIX));
    if (nf_leaves_few(edge))
        set = replaced(set, NF_HOST, NF_FEW);
    else
        set = replaced(set, NF_WEAK | NF_ABOVE, NF_NARROW);
    if (!nf_is_part(edge)) return tagged(set, edge);
    if (edge & NF_EDGE_MARK) set = replaced(set, NF_NARROW, NF_NARROW | NF_WEAK);
    nf_set moved = edge & NF_EDGE_MIX ? NF_MIXED : edge & NF_EDGE_DOWN ? NF_SHED | NF_DOWN : NF_SHED;
    return set & moved ? set : set & (nf_set) ~(NF_LOCAL | NF_PRIVATE | NF_MARKED);
}

static nf_set filtered(nf_set set, uint32_t edge)
{
    if (edge & NF_EDGE_MEET) return 0;
    if ((edge & NF_EDGE_TOP) == NF_EDGE_TOP) return part(set, edge);
    if (nf_is_open_mask(edge) && set & NF_MARKED) edge |= NF_EDGE_LOSE;
    if (edge & NF_EDGE_LOSE) set &= (nf_set) ~(NF_MARKED | NF_ABOVE);
    nf_set above = edge & NF_EDGE_KEEP ? 0 : NF_ABOVE;
    if (edge & NF_EDGE_NARROW) set = replaced(set, NF_WEAK | above, NF_NARROW);
    if (edge & NF_EDGE_PROMOTE) set = replaced(set, NF_NARROW | above, NF_NARROW | NF_WEAK);
    return tagged(set, edge);
}

/* What a cell's contents are besides what flows in: pieces may make a whole; a number over the top of an address took its
 * tag, which is not there any more when the number is set to 0, or masked off. */
static nf_set in_memory(const struct nf_node *node, nf_set set)
{
    nf_set pieces = node->marks & NF_MARK_PLACED ? NF_NARROW : NF_NARROW | NF_ABOVE;
    bool over = node->marks & NF_MARK_PUT && !(node->marks & NF_MARK_COVERED) && set & NF_ABOVE;
    bool ended = (node->marks & NF_MARK_CLEARED && set & NF_ABOVE) || (node->marks & NF_MARK_ENDED && set & NF_PART);
    bool lost = node->marks & NF_MARK_CUT || over || ended;
    if (node->marks & NF_MARK_WHOLE && set & pieces) set |= NF_WEAK;
    if (lost && set & (NF_LOCAL | NF_PRIVATE)) set |= NF_LOST;
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
        masks[node] = in_memory(&g->nodes[first + node], masks[node]);
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
