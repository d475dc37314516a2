/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposure.c - exposed provenance: addresses whose bits the analysis no longer follows, and *numbers*, which may equal
 * them.
 *
 *     h = (uint)(p >> 4);             p is exposed: p -> X
 *     q = (int *)(t * 16ul);          t * 16 is a number: {spaces of X}, or global
 *
 * The exposed addresses of a kernel are one set: edges connect the node X of a caller with those of its callees
 * (nf_graph.exposed). A number is a node with the evidence NF_NUMBER and without an edge from X: nf_evidence() adds the
 * spaces of X. A load of a part of a pointer-sized word exposes the word, and a store to a part makes it a number. A
 * store of 0 to a part adds no bits, but the new word may lie outside of its window, so it is loose.
 *
 * The hard case is the memory to which a number points. If the module converts any number to a pointer
 * (infer/numbers.c), all numbers and all exposed addresses point into H; otherwise each keeps its own region.
 *
 * needs: a node, or the address of a partial access.  gives: edges to X, evidence, places unified with H.
 */
#include "graph/internal.h"

/* Unifies the place of `v`, a number or an exposed address, with H, if numbers point into memory. */
static void point_to_host(struct nf_module *m, struct nf_value v)
{
    if (m->graph->numbers_point_to_host) nf_unify(m, v, (struct nf_value){m->graph->host_wide, 0});
}

/* Adds the set of `node` to X, through a new node whose origin is the current instruction, so that explanations can
 * name the instruction that exposed the address (report/why.c). */
static void note_exposed(struct nf_module *m, uint32_t node)
{
    uint32_t here = nf_node(m, 0);
    nf_edge(m, node, here);
    nf_edge(m, here, m->graph->exposed);
}

void nf_expose(struct nf_module *m, struct nf_value v)
{
    struct nf_graph *g = m->graph;
    if (!v.node || v.node == g->exposed) return;
    note_exposed(m, v.node);
    if (g->numbers_point_to_host && !nf_is_host(m, v)) nf_unify(m, v, (struct nf_value){g->exposed, 0});
    point_to_host(m, v);
}

void nf_unify_exposed(struct nf_module *m, uint32_t node)
{
    if (m->graph->numbers_point_to_host && m->graph->nodes[node].region)
        nf_unify(m, (struct nf_value){node, 0}, (struct nf_value){m->graph->exposed, 0});
}

struct nf_value nf_make_number(struct nf_module *m)
{
    struct nf_value number = {nf_node(m, NF_NUMBER), 0};
    point_to_host(m, number);
    return number;
}

void nf_expose_if_number(struct nf_module *m, uint32_t address, uint32_t other)
{
    if (!address && !other) return;
    uint32_t both = nf_node_of_kind(m, NF_NODE_IF_ANY);
    nf_edge(m, address, both);
    nf_edge(m, other, both);
    nf_edge(m, both, m->graph->exposed);
    if (address) point_to_host(m, (struct nf_value){address, 0});
    if (other) point_to_host(m, (struct nf_value){other, 0});
}

/* ---- Parts of pointer-sized words in memory ---- */

void nf_read_part(struct nf_module *m, struct nf_value address, uint32_t size)
{
    if (!address.node || !size) return;
    if (nf_is_host(m, address))
        note_exposed(m, m->graph->host_store);
    else
        nf_expose(m, (struct nf_value){nf_cell_at(m, address, size, false), 0});
}

void nf_mark_number(struct nf_module *m, uint32_t cell)
{
    m->graph->nodes[cell].base |= NF_LOOSE | NF_NUMBER;
    if (m->graph->numbers_point_to_host) nf_unify_later(m, cell, m->graph->host_wide);
}

void nf_write_part(struct nf_module *m, struct nf_value address, uint32_t size, bool zero)
{
    if (!address.node || !size) return;
    struct nf_value cell = {nf_cell_at(m, address, size, true), 0};
    m->graph->nodes[cell.node].base |= zero ? NF_LOOSE | NF_NULL : NF_NUMBER;
    if (zero)
        nf_collapse(m, nf_place_of(m, cell).region, 1), nf_run_pending(m);
    else if (!nf_is_host(m, address))
        point_to_host(m, cell);
}
