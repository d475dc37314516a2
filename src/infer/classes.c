/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classes.c - what an address looks like as an integer.
 *
 *     long link = (long)&node;     %i = OpConvertPtrToU %ulong %node     private nodes alone: the bare address
 *     if (link < 0) ...                                                  local ones as well: the canonical form
 *
 * A program that keeps addresses in integers sees what they look like: it tests their sign, divides them, shifts them up
 * to make room for flags. A tag in the top bits shows in all of that. Most such programs have all their objects in one
 * memory, and need no tag: a *class* is the set of all integers and memory cells whose bits can meet, and where the
 * addresses of a class have one space all of it holds bare device addresses. Any other class has the canonical form.
 *
 * A class is closed under the edges of the graph that an address takes, forth and back: what flows into a cell has the
 * form of all else that flows there, and of all that it flows to. Edges are those of one instance; a call ties the
 * copy of the callee's summary to the instance that is called. Integers that are compared are in one class too, although
 * nothing flows: a private and a local address may be the same number.
 *
 * The hard case is null. Where a device may have a variable at address 0, its bare address does not tell it from a null
 * pointer; so where anything of a class is compared, its addresses are *biased*: some gigabytes on, which shows in no
 * sign, no alignment and no top bits, and 0 stays null.
 *
 * needs: instances, which of them are live.  gives: nf_form(), for each node of each instance.
 */
#include "infer/parts.h"

struct classes {
    struct nf_module *m;
    uint32_t *parent;  /* by element: a node in an instance */
    uint32_t *first;   /* by instance: the element of its function's first node */
    uint32_t *leaders; /* by instance whose solution is shared: the first live one of those that share it; 0: none */
    uint32_t instances, count;
};

static const struct nf_function_analysis *function_of(const struct classes *k, uint32_t instance)
{
    return k->m->functions[nf_instance_at(k->m, instance)->function].analysis;
}

/* Instances of one component may share their solution: then they share their elements. */
static void number_elements(struct classes *k)
{
    uint64_t count = 0;
    for (uint32_t i = 1; i < k->instances; i++) {
        const struct nf_function_analysis *f = function_of(k, i);
        uint32_t solution = nf_instance_at(k->m, i)->solution;
        k->first[i] = solution == i ? (uint32_t)count : k->first[solution];
        if (solution == i) count += f->last_node - f->first_node;
        if (count >= UINT32_MAX) nf_fail(k->m->arena, NF_OUT_OF_MEMORY, 0, "too many instances");
    }
    k->count = (uint32_t)count;
}

/* What a component is made of is looked at once, not once for each of its functions. */
static void find_leaders(struct classes *k)
{
    k->leaders = NF_NEW_ARRAY(k->m->arena, uint32_t, k->instances);
    for (uint32_t i = k->instances - 1; i > 0; i--)
        if (nf_instance_at(k->m, i)->live) k->leaders[nf_instance_at(k->m, i)->solution] = i;
}

static bool leads(const struct classes *k, uint32_t index)
{
    return k->leaders[nf_instance_at(k->m, index)->solution] == index;
}

static uint32_t root_of(struct classes *k, uint32_t element)
{
    while (k->parent[element] != element)
        element = k->parent[element] = k->parent[k->parent[element]];
    return element;
}

static void join(struct classes *k, uint32_t a, uint32_t b)
{
    a = root_of(k, a);
    b = root_of(k, b);
    if (a < b)
        k->parent[b] = a;
    else
        k->parent[a] = b;
}

/* Is it more than a number? A number that becomes a pointer is none: it must come out again where it meets addresses, as
 * the end of a list may. */
static bool has_form(nf_set evidence)
{
    return evidence & (NF_PRIVATE | NF_LOCAL | NF_HOLE);
}

static void join_along_edges(struct classes *k, uint32_t index)
{
    const struct nf_graph *g = k->m->graph;
    const struct nf_instance *instance = nf_instance_at(k->m, index);
    const struct nf_function_analysis *f = function_of(k, index);
    for (uint32_t n = 0; n < f->last_node - f->first_node; n++) {
        if (!has_form(instance->masks[n])) continue;
        for (uint32_t e = g->nodes[f->first_node + n].edges; e; e = g->edges[e].next) {
            uint32_t to = NF_EDGE_NODE(g->edges[e].to) - f->first_node;
            bool numbers = nf_meets_as_numbers(g->edges[e].to);
            if (numbers ? instance->masks[n] & instance->masks[to] & NF_HOLE : has_form(instance->masks[to]))
                join(k, k->first[index] + n, k->first[index] + to);
        }
    }
}

/* The summary's copy in the caller is the callee's interface; inside one component every node is. */
static void join_call(struct classes *k, uint32_t index, const struct nf_call *call, uint32_t target)
{
    const struct nf_instance *caller = nf_instance_at(k->m, index), *instance = nf_instance_at(k->m, target);
    const struct nf_function *callee = &k->m->functions[call->callee];
    const struct nf_function_analysis *f = callee->analysis;
    uint32_t count = call->base ? nf_summary_node_count(callee) : f->last_node - f->first_node;
    if (!call->base && k->first[target] == k->first[index]) return;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t mine = call->base ? call->base + n - caller->first_node : n;
        uint32_t its = call->base ? nf_summary_actual(callee, n) - f->first_node : n;
        if (has_form(caller->masks[mine]) || has_form(instance->masks[its]))
            join(k, k->first[index] + mine, k->first[target] + its);
    }
}

/* What a class is made of, by its root: the spaces of its addresses, and what the graph says of its nodes. */
struct contents {
    uint8_t spaces, marks;
};

static void collect(struct classes *k, struct contents *contents, uint32_t index)
{
    const struct nf_instance *instance = nf_instance_at(k->m, index);
    const struct nf_function_analysis *f = function_of(k, index);
    for (uint32_t n = 0; n < f->last_node - f->first_node; n++) {
        struct contents *of = &contents[root_of(k, k->first[index] + n)];
        of->spaces |= instance->masks[n] & NF_SPACES;
        if (instance->masks[n] & NF_WEAK) of->spaces |= NF_GLOBAL;
        of->marks |= (uint8_t)k->m->graph->nodes[f->first_node + n].marks;
    }
}

static uint8_t form_of(const struct nf_module *m, struct contents contents)
{
    const nf_profile *profile = m->options->profile;
    bool may_be_zero = !profile || !(profile->flags & NF_PROFILE_NO_ADDRESS_ZERO);
    if (contents.spaces != NF_PRIVATE && contents.spaces != NF_LOCAL) return 0;
    if (contents.marks & NF_MARK_CANONICAL) return 0;
    /* There all instances of a function have the same code, as long as no program sees a difference. */
    if (m->options->mode == NF_MODE_DYNAMIC && !(contents.marks & NF_MARK_INTEGER)) return 0;
    if (!may_be_zero || !(contents.marks & NF_MARK_COMPARED)) return contents.spaces;
    return contents.marks & NF_MARK_CONSTANT ? 0 : contents.spaces | NF_BIASED;
}

static void join_all(struct classes *k)
{
    for (uint32_t i = 0; i < k->count; i++)
        k->parent[i] = i;
    for (uint32_t i = 1; i < k->instances; i++) {
        const struct nf_function_analysis *f = function_of(k, i);
        if (!nf_instance_at(k->m, i)->live) continue;
        if (leads(k, i)) join_along_edges(k, i);
        for (uint32_t c = 0; c < f->call_count; c++)
            join_call(k, i, &f->calls[c], nf_instance_at(k->m, i)->callees[c]);
    }
}

void nf_find_classes(struct nf_module *m)
{
    struct classes k = {.m = m, .instances = m->analysis->instance_count};
    /* There generic pointers have the device's own form; addresses of 32 bits have no room for another one. */
    if (m->options->mode == NF_MODE_HINT || m->address_bits == 32) return;
    k.first = NF_NEW_ARRAY(m->arena, uint32_t, k.instances);
    number_elements(&k);
    k.parent = NF_NEW_ARRAY(m->arena, uint32_t, (size_t)k.count + 1);
    struct contents *contents = NF_NEW_ARRAY(m->arena, struct contents, (size_t)k.count + 1);
    find_leaders(&k);
    join_all(&k);
    for (uint32_t i = 1; i < k.instances; i++)
        if (leads(&k, i)) collect(&k, contents, i);
    uint8_t *forms = NF_NEW(m->arena, uint8_t, (size_t)k.count + 1);
    for (uint32_t i = 0; i < k.count; i++)
        forms[i] = form_of(m, contents[root_of(&k, i)]);
    for (uint32_t i = 1; i < k.instances; i++)
        nf_instance_at(m, i)->forms = forms + k.first[i];
    nf_drop(m->arena, k.first);
    nf_drop(m->arena, k.parent);
    nf_drop(m->arena, k.leaders);
    nf_drop(m->arena, contents);
}

nf_set nf_form(const struct nf_instance *instance, uint32_t node)
{
    return node && instance->forms ? instance->forms[node - instance->first_node] : 0;
}

/* ---- Where pointers that the module itself calls private or local lie ---- */

/* Such a pointer's node has exactly its space, and no edge from or to the memory that it lies in. */
void nf_note_cell(struct nf_module *m, uint32_t at, uint32_t node)
{
    struct nf_analysis *a = m->analysis;
    if (!a->cell_nodes) a->cell_nodes = NF_NEW(m->arena, uint32_t, m->count);
    a->cell_nodes[at] = node;
}

uint32_t nf_cell_node(const struct nf_module *m, uint32_t at)
{
    return m->analysis->cell_nodes ? m->analysis->cell_nodes[at] : 0;
}
