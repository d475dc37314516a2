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
    return set & moved ? set : set & (nf_set) ~(NF_LOCAL | NF_PRIVATE | NF_MARKED | NF_HOLE);
}

static nf_set filtered(nf_set set, uint32_t edge)
{
    if (edge & NF_EDGE_MEET) return 0;
    if ((edge & NF_EDGE_TOP) == NF_EDGE_TOP) return part(set, edge);
    if (nf_is_open_mask(edge) && set & NF_MARKED) edge |= NF_EDGE_LOSE;
    if (edge & NF_EDGE_LOSE) set &= (nf_set) ~(NF_MARKED | NF_ABOVE);
    /* Who reads bytes puts the next one on top, and moves the others down. */
    if (edge & NF_EDGE_LOWERS) set = replaced(set, NF_ABOVE, NF_NARROW);
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
    bool over = node->marks & NF_MARK_PUT && !(node->marks & NF_MARK_COVERED) && set & (NF_ABOVE | NF_FEW);
    bool ended =
        (node->marks & NF_MARK_CLEARED && set & (NF_ABOVE | NF_FEW)) || (node->marks & NF_MARK_ENDED && set & NF_PART);
    bool lost = node->marks & NF_MARK_CUT || over || ended;
    if (node->marks & NF_MARK_WHOLE && set & pieces) set |= NF_WEAK;
    if (lost && set & (NF_LOCAL | NF_PRIVATE)) set |= NF_LOST;
    return set;
}

/* Nodes whose edges are to be looked at. */
struct work {
    nf_set *masks;
    uint32_t *stack, depth, capacity;
    uint8_t *stacked;
    uint32_t stacked_capacity;
    nf_set seen; /* all evidence that was met */
};

static void push(struct work *w, uint32_t node)
{
    if (!w->stacked[node]) w->stack[w->depth++] = node, w->stacked[node] = 1;
}

static void flow(const struct nf_graph *g, struct work *w, uint32_t first)
{
    while (w->depth) {
        uint32_t node = w->stack[--w->depth];
        w->stacked[node] = 0;
        nf_set set = w->masks[node] = in_memory(&g->nodes[first + node], w->masks[node]);
        w->seen |= set;
        for (uint32_t e = g->nodes[first + node].edges; e; e = g->edges[e].next) {
            uint32_t to = NF_EDGE_NODE(g->edges[e].to) - first;
            nf_set more = filtered(set, g->edges[e].to) & (nf_set)~w->masks[to];
            if (!more) continue;
            w->masks[to] |= more;
            push(w, to);
        }
    }
}

/* A pointer that is made of digits of the host's, and of nothing else, is one of the host's, if it is any: whatever put them
 * together. So it is global also where it meets others later. */
static bool is_made_of_digits(nf_set set)
{
    return set & NF_HOLE && set & (NF_NARROW | NF_FEW) && !(set & (NF_SPACES | NF_WEAK));
}

static void take_digits(struct work *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_made_of_digits(w->masks[i])) continue;
        w->masks[i] |= NF_WEAK;
        push(w, i);
    }
}

static void solve(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count, bool whole)
{
    struct work w = {.masks = masks};
    NF_RESERVE(m->arena, w.stack, w.capacity, (size_t)count + 1);
    NF_RESERVE(m->arena, w.stacked, w.stacked_capacity, (size_t)count + 1);
    for (uint32_t i = count; i-- > 0;)
        if (masks[i]) push(&w, i);
    do {
        flow(m->graph, &w, first);
        if (whole && w.seen & NF_HOLE) take_digits(&w, count);
    } while (w.depth);
    nf_drop(m->arena, w.stack);
    nf_drop(m->arena, w.stacked);
}

void nf_propagate(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count)
{
    solve(m, masks, first, count, false);
}

void nf_propagate_all(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count)
{
    solve(m, masks, first, count, true);
}
