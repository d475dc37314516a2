/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seen.c - numbers that are the top of an address with a tag, wherever they have got to.
 *
 *     union { char *p; ushort s[4]; } w;
 *     ushort count = w.s[3];              the tag, where w.p may be in several spaces: a number that is *seen*
 *     if (count > 2) ...                  refused (rewrite/observed.c)
 *
 * The top of a word is taken out of it in memory, as a vector's last component, or by a shift, and is one more piece of an
 * address while it is only moved. So it is followed, through variables and calls, until somebody computes with it. What goes
 * back up is part of a word again, and no longer followed.
 *
 * Nothing is done for modules that take no top off, nor where each word has addresses of one space.
 *
 * needs: instances, their classes.  gives: nf_seen().
 */
#include "infer/parts.h"

/* Of an instance's solution, the nodes whose edges have not been followed yet. */
struct walk {
    struct nf_module *m;
    uint32_t *stack, count, capacity;
    bool news; /* something was seen for the first time */
};

static struct nf_instance *solution_of(const struct nf_module *m, uint32_t index)
{
    return nf_instance_at(m, nf_instance_at(m, index)->solution);
}

/* Is the node one of what is in the host's memory, the function's or a callee's? What was put there is lost from sight: all
 * numbers come from there. */
static bool is_host_node(const struct nf_function_analysis *f, uint32_t node)
{
    if (node < NF_HOST_NODES) return true;
    for (uint32_t c = 0; c < f->call_count; c++)
        if (f->calls[c].base && f->first_node + node - f->calls[c].base < NF_HOST_NODES) return true;
    return false;
}

static void see(struct walk *w, uint32_t index, uint32_t node, uint8_t how)
{
    struct nf_instance *instance = solution_of(w->m, index);
    const struct nf_function_analysis *f = w->m->functions[instance->function].analysis;
    if (instance->seen && (instance->seen[node] & how) == how) return;
    if (is_host_node(f, node)) return;
    if (!instance->seen) instance->seen = NF_NEW_ARRAY(w->m->arena, uint8_t, f->last_node - f->first_node);
    instance->seen[node] |= how;
    w->news = true;
    NF_RESERVE(w->m->arena, w->stack, w->capacity, (size_t)w->count + 1);
    w->stack[w->count++] = node;
}

/* Does the edge do no more than take what is above all addresses out of a word? */
static bool takes_top(uint32_t edge)
{
    return (edge & NF_EDGE_FILTERS) == NF_EDGE_TOP;
}

/* Are the numbers still low ones behind the edge? What a shift makes is back in a word. */
static bool stays_down(const struct nf_module *m, uint32_t edge, uint32_t to)
{
    uint32_t filters = edge & NF_EDGE_FILTERS, origin = m->graph->nodes[to].origin;
    if (edge & NF_EDGE_MEET || (filters & NF_EDGE_ABOVE) == NF_EDGE_ABOVE) return false;
    if ((filters & NF_EDGE_TOP) == NF_EDGE_PROMOTE) return false;
    uint32_t opcode = origin >= m->body_at ? nf_opcode(m, origin) : OpNop;
    return opcode != OpShiftLeftLogical && opcode != OpIMul && opcode != OpBitFieldInsert;
}

static bool is_address(nf_set evidence)
{
    return evidence & (NF_PRIVATE | NF_LOCAL);
}

static void follow_edges(struct walk *w, uint32_t index)
{
    const struct nf_module *m = w->m;
    const struct nf_instance *instance = solution_of(m, index);
    uint32_t first = m->functions[instance->function].analysis->first_node;
    while (w->count) {
        uint32_t node = w->stack[--w->count];
        uint8_t how = instance->seen[node];
        for (uint32_t e = m->graph->nodes[first + node].edges; e; e = m->graph->edges[e].next) {
            uint32_t to = NF_EDGE_NODE(m->graph->edges[e].to);
            /* Where it meets addresses it is part of one again. */
            bool whole = is_address(instance->masks[to - first]);
            bool low = stays_down(m, m->graph->edges[e].to, to) && !whole;
            if (low) see(w, index, to - first, how);
        }
    }
}

/* Has the top become one with the rest of its word, as bytes have of which nobody knows which they are? */
static bool is_lost_among(const struct nf_module *m, uint32_t top, uint32_t word)
{
    for (uint32_t e = m->graph->nodes[top].edges; e; e = m->graph->edges[e].next)
        if (m->graph->edges[e].to == word) return true;
    return false;
}

/* The tops of words whose class has a tag. One that lost it has none to be seen, and of one that was shifted, or put together,
 * nobody knows what is there. */
static void find_tops(struct walk *w, uint32_t index)
{
    const struct nf_module *m = w->m;
    const struct nf_instance *instance = nf_instance_at(m, index);
    const struct nf_function_analysis *f = m->functions[instance->function].analysis;
    for (uint32_t n = 0; n < f->last_node - f->first_node; n++) {
        nf_set evidence = instance->masks[n];
        bool shifted = evidence & (NF_LOST | NF_SHED) && !(evidence & NF_MARKED);
        if (!is_address(evidence) || shifted) continue;
        for (uint32_t e = m->graph->nodes[f->first_node + n].edges; e; e = m->graph->edges[e].next) {
            uint32_t top = NF_EDGE_NODE(m->graph->edges[e].to);
            if (!takes_top(m->graph->edges[e].to) || nf_form(instance, f->first_node + n)) continue;
            if (is_lost_among(m, top, f->first_node + n)) continue;
            uint8_t how = NF_SEEN | (evidence & NF_MARKED ? NF_SEEN_MARKED : 0);
            see(w, index, top - f->first_node, how);
        }
    }
    follow_edges(w, index);
}

/* A call, and the instances on its two sides. */
struct crossing {
    const struct nf_call *call;
    uint32_t caller, target;
};

/* What is seen on one side of a call is seen on the other; `back`: of the callee's, in the caller. */
static void cross(struct walk *w, const struct crossing *x, bool back)
{
    const struct nf_module *m = w->m;
    const struct nf_function *callee = &m->functions[x->call->callee];
    uint32_t base = x->call->base, first = callee->analysis->first_node;
    uint32_t count = base ? nf_summary_node_count(callee) : callee->analysis->last_node - first;
    uint32_t index = back ? x->caller : x->target;
    const uint8_t *from = solution_of(m, back ? x->target : x->caller)->seen;
    for (uint32_t n = 0; from && n < count; n++) {
        uint32_t mine = base ? base + n - nf_instance_at(m, x->caller)->first_node : n;
        uint32_t its = base ? nf_summary_actual(callee, n) - first : n;
        uint8_t how = from[back ? its : mine];
        if (how) see(w, index, back ? mine : its, how);
    }
    follow_edges(w, index);
}

static void cross_calls(struct walk *w, uint32_t index)
{
    const struct nf_module *m = w->m;
    const struct nf_instance *caller = nf_instance_at(m, index);
    const struct nf_function_analysis *f = m->functions[caller->function].analysis;
    for (uint32_t c = 0; caller->live && c < f->call_count; c++) {
        struct crossing x = {&f->calls[c], index, caller->callees[c]};
        if (solution_of(m, index) == solution_of(m, x.target)) continue;
        cross(w, &x, false);
        cross(w, &x, true);
    }
}

void nf_find_seen(struct nf_module *m)
{
    struct walk w = {.m = m};
    if (!m->graph->has_tops || m->options->mode == NF_MODE_HINT || m->address_bits == 32) return;
    for (uint32_t i = 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live) find_tops(&w, i);
    while (w.news) {
        w.news = false;
        for (uint32_t i = 1; i < m->analysis->instance_count; i++)
            cross_calls(&w, i);
    }
    nf_drop(m->arena, w.stack);
}

uint8_t nf_seen(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    const uint8_t *seen = nf_instance_at(m, instance->solution)->seen;
    uint32_t node = seen && m->def[id] >= m->body_at ? m->analysis->values[id].node : 0;
    return node ? seen[node - instance->first_node] : 0;
}
