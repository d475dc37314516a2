/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pieces.c - are numbers that may be pieces of addresses put together to whole ones?
 *
 *     %w = OpUConvert %ulong %key          a number of the host's, made wider: no address
 *     %u = OpShiftLeftLogical %ulong %w %ulong_32
 *     %a = OpBitwiseOr %ulong %u %low      one, if %key may be the upper half of an address
 *
 * What a kernel writes for the host as numbers of 32 bits may be pieces of addresses. What these point to is looked for in
 * the host's memory only if the kernel puts pieces together that it reads there; else every sum that comes out of an
 * arena would make the arena a buffer. Nearly all kernels shift something up: so the sets are solved with nothing in them
 * but narrow numbers, to see whether one of these gets wide.
 *
 * The hard case is a function that is called: its numbers may be anybody's. Then whatever a caller can reach may hold pieces.
 *
 * needs: a component's finished graph, with summaries.  gives: NF_PUTS_PIECES.
 */
#include "infer/parts.h"

/* Does a narrow number get wide, of those in `masks` and those that the nodes have in any case? */
static bool gets_wide(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count)
{
    const struct nf_graph *g = m->graph;
    for (uint32_t i = 0; i < count; i++)
        masks[i] |= g->nodes[first + i].base & (NF_NARROW | NF_ABOVE);
    nf_propagate(m, masks, first, count);
    for (uint32_t i = 0; i < count; i++)
        if (masks[i] & NF_WEAK) return true;
    return false;
}

/* Where a kernel's local memory lies in which nothing has been put yet: what the parameter points to. */
static void leave_out_local(struct nf_module *m, const struct nf_function *f, uint32_t parameter, nf_set *masks)
{
    struct nf_graph *g = m->graph;
    uint32_t node = f->analysis->parameter_nodes[parameter];
    if (!node || g->nodes[node].base != NF_LOCAL || !g->nodes[node].region) return;
    uint32_t region = nf_find(m, g->nodes[node].region, 0).region;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t other = f->analysis->parameter_nodes[i];
        if (!other || g->nodes[other].base == NF_LOCAL || !g->nodes[other].region) continue;
        if (nf_find(m, g->nodes[other].region, 0).region == region) return;
    }
    const struct nf_region *r = &g->regions[region];
    for (uint32_t i = 0; !r->host && i < r->cell_count; i++) {
        masks[r->cells[i].node - f->analysis->first_node] = 0;
        if (r->cells[i].top) masks[r->cells[i].top - f->analysis->first_node] = 0;
    }
}

/* What callers, or the host, may bring as pieces. */
static void take_given(struct nf_module *m, const struct nf_function *f, nf_set *masks)
{
    bool from_host = nf_is_root(m, f) && !f->analysis->call_sites;
    enum { HOST_NODES = 3 };
    for (uint32_t i = HOST_NODES; i < nf_summary_node_count(f); i++)
        masks[nf_summary_actual(f, i) - f->analysis->first_node] = NF_NARROW;
    for (uint32_t i = 0; from_host && i < f->parameter_count; i++)
        leave_out_local(m, f, i, masks);
}

void nf_find_pieces(struct nf_module *m, const uint32_t *functions, uint32_t count)
{
    const struct nf_function_analysis *component = m->functions[functions[0]].analysis;
    uint32_t first = component->first_node, nodes = component->last_node - first;
    if (!(m->graph->finds & NF_HAS_PIECES) || m->graph->finds & NF_PUTS_PIECES) return;
    nf_set *masks = NF_NEW_ARRAY(m->arena, nf_set, (size_t)nodes + 1);
    for (uint32_t i = 0; i < count; i++)
        if (m->functions[functions[i]].analysis->summary) take_given(m, &m->functions[functions[i]], masks);
    if (gets_wide(m, masks, first, nodes)) m->graph->finds |= NF_PUTS_PIECES;
    m->graph->finds &= (uint8_t)~NF_HAS_PIECES;
    nf_drop(m->arena, masks);
}

void nf_find_pieces_of_host(struct nf_module *m, uint32_t first)
{
    struct nf_graph *g = m->graph;
    uint32_t count = g->node_count - first;
    if (!(g->finds & NF_HAS_PIECES) || g->finds & (NF_PUTS_PIECES | NF_READS_WIDE) || !g->late_count) return;
    nf_set *masks = NF_NEW_ARRAY(m->arena, nf_set, (size_t)count + 1);
    if (gets_wide(m, masks, first, count)) g->finds |= NF_PUTS_PIECES;
    nf_drop(m->arena, masks);
}
