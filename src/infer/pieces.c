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
 * The hard case is a function that is called: its numbers may be anybody's. Then whatever a caller can reach may hold pieces. But
 * compilers make two functions of a kernel, of which one only calls the other: into local memory nothing was put before that.
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

/* A walk over the memory that callers, or the host, reach. */
struct walk {
    struct nf_module *m;
    const struct nf_function *f;
    nf_set *masks;
    bool begins; /* the kernel: nothing has been put into its local memory yet */
    bool *seen;  /* by region, from the component's first on */
    uint32_t *regions, count, capacity;
};

static void give(struct walk *w, uint32_t node)
{
    if (node) w->masks[node - w->f->analysis->first_node] = NF_NARROW;
}

static void walk_to(struct walk *w, uint32_t region)
{
    if (!region) return;
    region = nf_find(w->m, region, 0).region;
    bool *seen = &w->seen[region - w->f->analysis->host];
    if (*seen) return;
    *seen = true;
    NF_RESERVE(w->m->arena, w->regions, w->capacity, (size_t)w->count + 1);
    w->regions[w->count++] = region;
}

/* What is in the region may be from elsewhere, and what its addresses point to. Not what its short numbers do: nobody gets there
 * who does not put pieces together. */
static void take_region(struct walk *w, uint32_t region)
{
    const struct nf_graph *g = w->m->graph;
    const struct nf_region *r = &g->regions[region];
    for (uint32_t i = 0; i < r->cell_count; i++) {
        give(w, r->cells[i].node);
        give(w, r->cells[i].top);
        if (nf_is_wide(w->m, r, &r->cells[i])) walk_to(w, g->nodes[r->cells[i].node].region);
    }
    for (uint32_t l = r->copies; l; l = g->links[l].next)
        if (g->copies[g->links[l].copy].view) walk_to(w, g->copies[g->links[l].copy].source);
}

/* A value that is passed, or returned. */
static void take_value(struct walk *w, const struct nf_type *type, uint32_t node)
{
    if (!node) return;
    give(w, node);
    if (type->size * 8 >= w->m->address_bits) walk_to(w, w->m->graph->nodes[node].region);
}

static bool is_called_by_host_alone(const struct nf_module *m, const struct nf_function *f)
{
    return f->entry_at && !f->analysis->call_sites && !m->options->library;
}

/* Does the kernel do nothing before it calls that function, but for moving its own arguments? Compilers make such ones. */
static bool begins_with_call(const struct nf_module *m, const struct nf_function *kernel, const struct nf_function *f)
{
    for (uint32_t at = kernel->body; at < kernel->end; at = nf_next(m, at)) {
        switch (nf_opcode(m, at)) {
        case OpLabel:
        case OpVariable:
        case OpLoad: break;
        case OpStore:
            if (!nf_is_own_variable(m, m->words[at + 1])) return false;
            break;
        case OpFunctionCall: return m->words[at + 3] == m->words[f->at + 2];
        default: return false;
        }
    }
    return false;
}

/* Is it a kernel, or called by nobody but kernels that do nothing else? */
static bool begins_kernel(const struct nf_module *m, const struct nf_function *f)
{
    uint32_t calls = 0;
    if (is_called_by_host_alone(m, f)) return true;
    if (nf_is_root(m, f)) return false;
    for (uint32_t i = 1; i < m->function_count; i++)
        calls += is_called_by_host_alone(m, &m->functions[i]) && begins_with_call(m, &m->functions[i], f);
    return calls == f->analysis->call_sites;
}

static void take_parameters(struct walk *w)
{
    struct nf_module *m = w->m;
    const struct nf_function *f = w->f;
    uint32_t at = f->parameters;
    for (uint32_t i = 0; i < f->parameter_count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter) continue;
        uint32_t node = f->analysis->parameter_nodes[i++];
        if (w->begins && m->graph->nodes[node].base == NF_LOCAL)
            give(w, node);
        else
            take_value(w, nf_type(m, m->words[at + 1]), node);
    }
}

/* What callers, or the host, may bring as pieces. */
static void take_given(struct nf_module *m, const struct nf_function *f, nf_set *masks)
{
    const struct nf_graph *g = m->graph;
    struct walk w = {.m = m, .f = f, .masks = masks, .begins = begins_kernel(m, f)};
    w.seen = NF_NEW_ARRAY(m->arena, bool, (size_t)(g->region_count - f->analysis->host) + 1);
    take_parameters(&w);
    take_value(&w, nf_type(m, f->result_type), f->analysis->return_node);
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t node = m->analysis->values[m->variables[i]].node;
        bool given = !w.begins || m->words[m->def[m->variables[i]] + 3] != NF_STORAGE_WORKGROUP;
        if (given && node >= f->analysis->first_node && node < f->analysis->last_node)
            walk_to(&w, g->nodes[node].region);
    }
    while (w.count)
        take_region(&w, w.regions[--w.count]);
    nf_drop(m->arena, w.seen);
    nf_drop(m->arena, w.regions);
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
