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
 * And the other way around: a long number of which no more than half is ever used is what a short one is.
 *
 * needs: a component's finished graph, with summaries.  gives: NF_PUTS_PIECES; answers.
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

/* ---- Numbers of which only the lower half is used ---- */

static bool is_low_mask(const struct nf_module *m, uint32_t id)
{
    int64_t value;
    return nf_is_number(m, id, &value) && value >= 0 && !((uint64_t)value >> m->address_bits / 2);
}

/* Does the instruction leave the lower half of a number at the most? */
static bool leaves_half(const struct nf_module *m, uint32_t at)
{
    switch (nf_opcode(m, at)) {
    case OpBitwiseAnd: return is_low_mask(m, m->words[at + 3]) || is_low_mask(m, m->words[at + 4]);
    case OpUMod: return is_low_mask(m, m->words[at + 4]);
    case OpUConvert:
    case OpSConvert: return nf_number_width(m, nf_result_id(m, at)) <= m->address_bits / 2;
    default: return false;
    }
}

/* Not far from where it is made: who uses it elsewhere, or for something else, sees all of it. */
bool nf_is_seen_as_half(const struct nf_constrainer *c, uint32_t at)
{
    enum { FAR = 64 };
    const struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at), uses = c->uses[id].count, use = nf_next(m, at);
    if (!uses || uses == UINT8_MAX || c->uses[id].leaves) return false;
    for (int i = 0; uses && i < FAR && use < c->f->end; i++, use = nf_next(m, use))
        if (leaves_half(m, use)) uses -= m->words[use + 3] == id || (nf_length(m, use) > 4 && m->words[use + 4] == id);
    return !uses;
}

/* What a parameter was copied to, or is in. */
struct low_half {
    struct nf_module *m;
    uint32_t ids[16], count;
    uint32_t *calls; /* how many may still be followed */
    bool again;      /* something was found behind a use of it */
};

static bool is_low_half(struct nf_module *m, const struct nf_function *f, uint32_t index, uint32_t *calls);

static bool is_followed(const struct low_half *l, uint32_t id)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->ids[i] == id) return true;
    return false;
}

static bool follow(struct low_half *l, uint32_t id, uint32_t at)
{
    if (is_followed(l, id)) return true;
    if (l->count == sizeof l->ids / sizeof *l->ids) return false;
    l->ids[l->count++] = id;
    l->again |= l->m->def[id] < at;
    return true;
}

/* Does the instruction, of which the word `word` is followed, leave the lower half of it at the most, or pass it on? */
static bool takes_low_half(struct low_half *l, uint32_t at, uint32_t word)
{
    const struct nf_module *m = l->m;
    uint32_t opcode = nf_opcode(m, at);
    enum nf_role role = nf_role_at(m, at);
    if (role == NF_ROLE_compare || role == NF_ROLE_compare_bits) return true;
    switch (opcode) {
    case OpFunctionCall:
        return word > 3 && is_low_half(l->m, &m->functions[m->index_of[m->words[at + 3]]], word - 4, l->calls);
    case OpStore: return word == 1 || (nf_is_own_variable(m, m->words[at + 1]) && follow(l, m->words[at + 1], at));
    case OpBitwiseAnd:
    case OpUMod:
    case OpUConvert:
    case OpSConvert:
        if (leaves_half(m, at)) return true;
        if (opcode == OpUMod) return false;
        break;
    case OpLoad:
    case OpPhi:
    case OpCopyObject:
    case OpIAdd:
    case OpISub:
    case OpIMul: break;
    default: return false;
    }
    return follow(l, nf_result_id(m, at), at);
}

static bool uses_low_half(struct low_half *l, uint32_t at)
{
    const struct nf_module *m = l->m;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (is_followed(l, m->words[at + ids.at]) && !takes_low_half(l, at, ids.at)) return false;
    return true;
}

static bool is_low_half(struct nf_module *m, const struct nf_function *f, uint32_t index, uint32_t *calls)
{
    enum { MOST_ROUNDS = 4 };
    struct low_half l = {.m = m, .calls = calls};
    uint32_t at = f->parameters;
    if (!*calls || !f->body || index >= f->parameter_count) return false;
    --*calls;
    for (uint32_t i = 0;; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpFunctionParameter && i++ == index) break;
    l.ids[l.count++] = nf_result_id(m, at);
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        l.again = false;
        for (at = f->body; at < f->end; at = nf_next(m, at))
            if (!uses_low_half(&l, at)) return false;
        if (!l.again) return true;
    }
    return false;
}

bool nf_is_low_half(struct nf_module *m, const struct nf_function *f, uint32_t index)
{
    uint32_t calls = 16;
    return is_low_half(m, f, index, &calls);
}
