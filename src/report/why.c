/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why.c - explains why an access is ambiguous: for each space, the chain of instructions from which the pointer gets
 * the space.
 *
 *     %p = OpSelect %_ptr_Generic_int %c %a %b      private: OpVariable %a, then OpSelect %p
 *     %v = OpLoad %int %p                           local: OpVariable %b (tile), then OpSelect %p
 *
 * A breadth-first search follows the edges backwards from the pointer's node to the nearest node that introduces the
 * evidence. A long chain names its first eight instructions and its last one. If the evidence comes from a caller, the
 * chain begins at the parameter or memory that the caller passes. If a pointer has a space only because it is converted
 * from a computed number, there are two chains for this space: one for the exposed address (or for the host's memory,
 * if no address of the space is exposed), and one for the number.
 *
 *     private: OpVariable %a, exposed by OpUDiv %d; as a number: OpIMul %n, then OpConvertUToPtr %p
 *
 * needs: the instances.  gives: an nf_ambiguous_access, whose texts live in the arena.
 */
#include "report/report.h"

static void describe_origin(struct nf_module *m, struct nf_text *text, uint32_t at)
{
    if (!at) {
        nf_print(text, "the host's memory");
        return;
    }
    uint32_t id = nf_result_id(m, at), word = id ? nf_name_word(m, id) : 0;
    const struct nf_function *f = nf_function_around(m, at);
    nf_print(text, "%s", nf_op_find(nf_opcode(m, at))->name);
    if (id) nf_print(text, " %%%u", id);
    if (word && *nf_string(m, word)) nf_print(text, " (%s)", nf_string(m, word));
    if (f && (word = nf_name_word(m, f->id))) nf_print(text, " in %s", nf_string(m, word));
    const char *source = f ? nf_source_of(m, f, at) : "";
    if (*source) nf_print(text, " at %s", source);
}

static void build_backward(struct nf_module *m, struct nf_backward *b, const struct nf_function *f)
{
    const struct nf_graph *g = m->graph;
    uint32_t nodes = f->analysis->last_node - f->analysis->first_node, edges = 0;
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t e = g->nodes[f->analysis->first_node + i].edges; e; e = g->edges[e].next)
            edges++;
    b->component = f->analysis->component;
    b->heads = NF_NEW(m->arena, uint32_t, nodes + 1);
    b->from = NF_NEW(m->arena, uint32_t, edges + 1);
    b->next = NF_NEW(m->arena, uint32_t, edges + 1);
    b->previous = NF_NEW(m->arena, uint32_t, nodes + 1);
    b->queue = NF_NEW(m->arena, uint32_t, nodes + 1);
    b->count = 1;
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t e = g->nodes[f->analysis->first_node + i].edges; e; e = g->edges[e].next) {
            uint32_t to = g->edges[e].to - f->analysis->first_node;
            b->from[b->count] = i;
            b->next[b->count] = b->heads[to];
            b->heads[to] = b->count++;
        }
    }
}

/* Returns the evidence that implies `space` by itself. It lacks NF_NUMBER, which implies `space` only if an address in
 * `space` is exposed, or known to the host. */
static nf_set evidence_for(nf_set space)
{
    return space == NF_GLOBAL ? NF_GLOBAL | NF_FROM_HOST : space;
}

/* Returns true if the node introduces the evidence: by its own evidence, or as a gate that derives it from other
 * evidence. */
static bool begins_at(const struct nf_module *m, const struct nf_instance *instance, uint32_t at, nf_set evidence)
{
    return m->graph->nodes[instance->first_node + at].base & evidence || !(instance->masks[at] & evidence);
}

/* Searches backwards from the node `start`, breadth first, for the nearest node that introduces the evidence. Returns
 * true if there is such a node. Sets `*last` to it, or else to the last node visited. Node numbers are relative to the
 * SCC's first node. */
static bool find_source(struct nf_module *m, const struct nf_instance *instance, struct nf_backward *b, uint32_t start,
                        nf_set evidence, uint32_t *last)
{
    const struct nf_function_analysis *f = m->functions[instance->function].analysis;
    uint32_t head = 0, tail = 0;
    memset(b->previous, 0, (f->last_node - f->first_node + 1) * sizeof *b->previous);
    b->previous[start] = start + 1;
    b->queue[tail++] = start;
    while (head < tail) {
        uint32_t at = *last = b->queue[head++];
        if (begins_at(m, instance, at, evidence)) return true;
        for (uint32_t e = b->heads[at]; e; e = b->next[e]) {
            uint32_t from = b->from[e];
            if (b->previous[from] || !(nf_evidence_from(m, instance, f->first_node + from) & evidence)) continue;
            b->previous[from] = at + 1;
            b->queue[tail++] = from;
        }
    }
    return false;
}

/* Prints the path that the search found, from `at` to `start`, as the instructions of the nodes. The node of the
 * exposed addresses has no instruction: the path to it ends at the instruction that exposed the address. A path through
 * NF_NODE_APART contains an instruction that exposes the address and computes a number from it. */
static void print_way(struct nf_module *m, const struct nf_backward *b, uint32_t first_node, uint32_t at,
                      uint32_t start, struct nf_text *text)
{
    enum { MOST_STEPS = 8 };
    const struct nf_node *nodes = m->graph->nodes + first_node;
    bool to_exposed = nodes[start].kind == NF_NODE_EXPOSED, exposes = false;
    for (uint32_t step = 0, next; at != start || !to_exposed; at = next) {
        next = b->previous[at] - 1;
        bool last = at == start || (to_exposed && next == start);
        exposes |= (to_exposed && last) || nodes[at].kind == NF_NODE_APART;
        if (last || (nodes[next].origin != nodes[at].origin && step < MOST_STEPS)) {
            nf_print(text, "%s%s", step ? ", " : "", exposes ? "exposed by " : step ? "then " : "");
            describe_origin(m, text, nodes[at].origin);
            exposes = false;
            step++;
        }
        if (at == start) break;
    }
}

static void print_chain(struct nf_module *m, const struct nf_instance *instance, struct nf_backward *b, uint32_t start,
                        nf_set evidence, struct nf_text *text)
{
    uint32_t at = start;
    bool kernel = m->functions[instance->function].entry_at;
    bool found = find_source(m, instance, b, start, evidence, &at);
    if (!found && m->graph->nodes[instance->first_node + at].origin)
        nf_print(text, "from %s by ", kernel ? "the host" : "a caller");
    else if (!found && instance->first_node + at == instance->exposed)
        nf_print(text, "exposed in a caller");
    print_way(m, b, instance->first_node, at, start, text);
}

/* Returns the chain of one space. A computed number may be any exposed address, or any address that the host knows. So
 * the chain of a space that only a number implies has two parts: how an address of the space was exposed, or `the
 * host's memory`; and how the number reached the access. */
static const char *explain_space(struct nf_module *m, const struct nf_instance *instance, struct nf_backward *b,
                                 uint32_t node, nf_set space)
{
    uint32_t start = node - instance->first_node, exposed = instance->exposed - instance->first_node;
    nf_set evidence = evidence_for(space);
    struct nf_text chain = {.arena = m->arena};
    nf_print(&chain, "%s: ", nf_space_name(space));
    if (instance->masks[start] & evidence || !(instance->masks[start] & NF_NUMBER)) {
        print_chain(m, instance, b, start, evidence, &chain);
        return chain.at;
    }
    if (instance->masks[exposed] & space)
        print_chain(m, instance, b, exposed, space, &chain);
    else
        nf_print(&chain, "the host's memory");
    nf_print(&chain, "; as a number: ");
    print_chain(m, instance, b, start, NF_NUMBER, &chain);
    return chain.at;
}

struct nf_ambiguous_access nf_explain(struct nf_module *m, uint32_t index, uint32_t at, uint32_t id,
                                      struct nf_backward *b)
{
    const struct nf_instance *instance = nf_instance_at(m, index);
    const struct nf_function *f = &m->functions[instance->function], *kernel = &m->functions[instance->kernel];
    bool dead;
    nf_set set = nf_pointer_set(m, instance, at, id, &dead);
    if (set == NF_GENERIC) set = nf_set_of(m, instance, id);
    struct nf_ambiguous_access a = {.word = nf_input_word(m, at), .pointer = id, .function = f->id, .spaces = set};
    a.kernel = instance->kernel ? kernel->id : 0;
    a.kernel_name = instance->kernel ? nf_function_name(m, kernel) : "";
    a.function_name = nf_function_name(m, f);
    a.opcode_name = nf_op_find(nf_opcode(m, at))->name;
    a.source = nf_source_of(m, f, at);
    uint32_t node = nf_pointer_node(m, at, id);
    if (b->component != f->analysis->component) build_backward(m, b, f);
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        nf_set space = nf_space(n);
        if (set & space) a.because[n] = node ? explain_space(m, instance, b, node, space) : nf_space_name(space);
    }
    return a;
}
