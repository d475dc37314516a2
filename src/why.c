/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why.c - why an access is ambiguous: for each space the chain of instructions that brought it.
 *
 *     %p = OpSelect %_ptr_Generic_int %c %a %b      private: OpVariable %a, then OpSelect %p
 *     %v = OpLoad %int %p                           local: OpVariable %b (tile), then OpSelect %p
 *
 * Found by walking the edges backwards, breadth first, from the pointer's node to the nearest node that has the
 * evidence by itself. Where a caller brought it, the chain begins at what the caller handed over.
 *
 * needs: instances.  gives: an nf_ambiguous_access, whose texts live in the arena.
 */
#include "output.h"

static uint32_t name_word(const struct nf_module *m, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpName && m->words[at + 1] == id) return at + 2;
    return 0;
}

static const char *function_name(struct nf_module *m, const struct nf_function *f)
{
    uint32_t word = f->entry_at ? f->entry_at + 3 : name_word(m, f->id);
    struct nf_text name = {0};
    if (word) return nf_string(m, word);
    nf_print(m, &name, "%%%u", f->id);
    return name.at;
}

/* The last line before the instruction in its block; 0 when there is none. */
static uint32_t line_before(const struct nf_module *m, const struct nf_function *f, uint32_t at)
{
    uint32_t line = 0;
    for (uint32_t i = f->at; i < at; i = nf_next(m, i)) {
        enum nf_debug debug = nf_debug_at(m, i);
        if (debug == NF_DEBUG_LINE) line = i;
        if (debug == NF_DEBUG_NO_LINE || nf_ends_block(nf_opcode(m, i))) line = 0;
    }
    return line;
}

/* The definition of `id` if it is an instruction `opcode`, otherwise 0. */
static uint32_t definition(const struct nf_module *m, uint32_t id, uint32_t opcode)
{
    return id < m->bound && m->def[id] && nf_opcode(m, m->def[id]) == opcode ? m->def[id] : 0;
}

/* The OpString that names the file. */
static uint32_t file_of(const struct nf_module *m, uint32_t line)
{
    if (nf_opcode(m, line) == OpLine) return definition(m, m->words[line + 1], OpString);
    uint32_t source = nf_length(m, line) > 6 ? definition(m, m->words[line + 5], OpExtInst) : 0;
    return source && nf_length(m, source) > 5 ? definition(m, m->words[source + 5], OpString) : 0;
}

static int64_t number_of_line(const struct nf_module *m, uint32_t line)
{
    int64_t number = 0;
    if (nf_opcode(m, line) == OpLine) return m->words[line + 2];
    nf_constant(m, m->words[line + 6], &number);
    return number;
}

/* "FILE:LINE", "" when the module does not say. */
static const char *source_of(struct nf_module *m, const struct nf_function *f, uint32_t at)
{
    uint32_t line = line_before(m, f, at), file = line ? file_of(m, line) : 0;
    struct nf_text where = {0};
    int64_t number = file ? number_of_line(m, line) : 0; /* 0: what the compiler has made by itself */
    if (!number) return "";
    nf_print(m, &where, "%s:%lld", nf_string(m, file + 2), (long long)number);
    return where.at;
}

static const struct nf_function *function_around(const struct nf_module *m, uint32_t at)
{
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].at <= at && at < m->functions[i].end) return &m->functions[i];
    return NULL;
}

static void describe_origin(struct nf_module *m, struct nf_text *text, uint32_t at)
{
    if (!at) {
        nf_print(m, text, "the host's memory");
        return;
    }
    uint32_t id = nf_result_id(m, at), word = id ? name_word(m, id) : 0;
    const struct nf_function *f = function_around(m, at);
    nf_print(m, text, "%s", nf_op_find(nf_opcode(m, at))->name);
    if (id) nf_print(m, text, " %%%u", id);
    if (word && *nf_string(m, word)) nf_print(m, text, " (%s)", nf_string(m, word));
    if (f && (word = name_word(m, f->id))) nf_print(m, text, " in %s", nf_string(m, word));
    const char *source = f ? source_of(m, f, at) : "";
    if (*source) nf_print(m, text, " at %s", source);
}

static void build_backward(struct nf_module *m, struct nf_backward *b, const struct nf_function *f)
{
    const struct nf_graph *g = m->graph;
    uint32_t nodes = f->last_node - f->first_node, edges = 0;
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t e = g->nodes[f->first_node + i].edges; e; e = g->edges[e].next)
            edges++;
    b->component = f->component;
    b->heads = NF_NEW(m, uint32_t, nodes + 1);
    b->from = NF_NEW(m, uint32_t, edges + 1);
    b->next = NF_NEW(m, uint32_t, edges + 1);
    b->previous = NF_NEW(m, uint32_t, nodes + 1);
    b->count = 1;
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t e = g->nodes[f->first_node + i].edges; e; e = g->edges[e].next) {
            uint32_t to = NF_EDGE_NODE(g->edges[e].to) - f->first_node;
            b->from[b->count] = i;
            b->next[b->count] = b->heads[to];
            b->heads[to] = b->count++;
        }
    }
}

/* Evidence that stands for `space`. */
static nf_set evidence_for(nf_set space)
{
    return space == NF_GLOBAL ? NF_GLOBAL | NF_WEAK | NF_NARROW : space;
}

/* Breadth first against the flow, to the nearest node that has the evidence by itself. */
static const char *explain_space(struct nf_module *m, const struct nf_instance *instance, struct nf_backward *b,
                                 uint32_t node, nf_set space)
{
    const struct nf_function *f = &m->functions[instance->function];
    const struct nf_graph *g = m->graph;
    uint32_t nodes = f->last_node - f->first_node, *queue = NF_NEW(m, uint32_t, nodes + 1), head = 0, tail = 0;
    uint32_t start = node - f->first_node, found = UINT32_MAX, farthest = start;
    memset(b->previous, 0, (nodes + 1) * sizeof *b->previous);
    b->previous[start] = start + 1;
    queue[tail++] = start;
    while (head < tail && found == UINT32_MAX) {
        uint32_t at = queue[head++];
        farthest = at;
        if (g->nodes[f->first_node + at].base & evidence_for(space)) {
            found = at;
            break;
        }
        for (uint32_t e = b->heads[at]; e; e = b->next[e]) {
            uint32_t from = b->from[e];
            if (b->previous[from] || !(instance->masks[from] & evidence_for(space))) continue;
            b->previous[from] = at + 1;
            queue[tail++] = from;
        }
    }
    struct nf_text chain = {0};
    nf_print(m, &chain, "%s: ", nf_space_name(space));
    uint32_t at = found == UINT32_MAX ? farthest : found, last = UINT32_MAX;
    for (int steps = 0; steps < 8; steps++) {
        uint32_t origin = g->nodes[f->first_node + at].origin;
        if (origin != last) {
            if (steps && last != UINT32_MAX) nf_print(m, &chain, ", then ");
            if (!steps && found == UINT32_MAX) nf_print(m, &chain, "from a caller by ");
            describe_origin(m, &chain, origin);
            last = origin;
        }
        if (at == start) break;
        at = b->previous[at] - 1;
    }
    return chain.at;
}

struct nf_ambiguous_access nf_explain(struct nf_module *m, uint32_t index, uint32_t at, uint32_t id,
                                      struct nf_backward *b)
{
    const struct nf_instance *instance = &m->instances[index];
    const struct nf_function *f = &m->functions[instance->function], *kernel = &m->functions[instance->kernel];
    bool dead;
    nf_set set = nf_pointer_set(m, instance, at, id, &dead);
    if (set == NF_GENERIC) set = nf_set_of(m, instance, id);
    struct nf_ambiguous_access a = {.word = nf_input_word(m, at), .pointer = id, .function = f->id, .spaces = set};
    a.kernel = instance->kernel ? kernel->id : 0;
    a.kernel_name = instance->kernel ? function_name(m, kernel) : "";
    a.function_name = function_name(m, f);
    a.opcode_name = nf_op_find(nf_opcode(m, at))->name;
    a.source = source_of(m, f, at);
    uint32_t node = nf_pointer_node(m, at, id);
    if (b->component != f->component) build_backward(m, b, f);
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        nf_set space = (nf_set)(1u << n);
        if (set & space) a.because[n] = node ? explain_space(m, instance, b, node, space) : nf_space_name(space);
    }
    return a;
}
