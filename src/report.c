/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - what was done with each generic access, and why what is ambiguous is so.
 *
 * An access is an instruction of the input; it counts once, as the worst that it is in any instance:
 *     unknown     nothing is known of the pointer: a hole in the analysis, dispatched over every space
 *     dispatched  several spaces: a run-time tag
 *     predicated  several spaces, decided by a select of this function: no tag of its own
 *     static      one space
 *     dead        the pointer can only be null, or the function is never reached
 * For each ambiguous one the report says where each space comes from: the chain of instructions that brought it, found
 * by walking the edges backwards from the pointer's node to where the evidence begins.
 *
 * needs: instances.  gives: counts, the report, the text of static mode's errors.
 */
#include "output.h"

enum verdict { DEAD, STATIC, PREDICATED, DISPATCHED, UNKNOWN };

static bool is_access(const struct nf_module *m, uint32_t at)
{
    switch (nf_role_at(m, at)) {
    case NF_ROLE_load:
    case NF_ROLE_store:
    case NF_ROLE_copy_memory:
    case NF_ROLE_atomic:
    case NF_ROLE_async_copy:
    case NF_ROLE_block_read:
    case NF_ROLE_out:
    case NF_ROLE_vload:
    case NF_ROLE_gather:
    case NF_ROLE_scatter:
    case NF_ROLE_vstore: return true;
    default: return false;
    }
}

/* Operands that are pointers to what is accessed: not the value that a store or an exchange puts there. */
static bool is_pointer_operand(const struct nf_module *m, uint32_t at, uint32_t word)
{
    enum nf_role role = nf_role_at(m, at);
    uint32_t first = nf_operand_at(m, at, 0) - at;
    if (role == NF_ROLE_store) return word == first;
    if (role == NF_ROLE_vstore) return word == first + 4;
    return true;
}

static bool is_generic_operand(const struct nf_module *m, uint32_t at, const struct nf_operands *walk)
{
    uint32_t id = m->words[at + walk->at];
    if (walk->kind != NF_OPERAND_ID || !is_pointer_operand(m, at, walk->at)) return false;
    return m->def[id] && nf_opcode(m, m->def[id]) != OpFunction && nf_is_generic(m, nf_result_type(m, m->def[id]));
}

static nf_set evidence_of(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    uint32_t node = m->values[id].node;
    return m->def[id] < m->body_at || !node ? 0 : instance->masks[node - m->functions[instance->function].first_node];
}

static enum verdict judge(const struct nf_module *m, const struct nf_instance *instance, uint32_t at,
                          uint32_t *worst_id)
{
    enum verdict worst = DEAD;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        if (!is_generic_operand(m, at, &walk)) continue;
        uint32_t id = m->words[at + walk.at];
        bool dead;
        nf_set evidence = evidence_of(m, instance, id), set = nf_effective_set(m, instance, id, &dead);
        enum verdict verdict = dead ? DEAD : nf_single(set) && set != NF_GENERIC ? STATIC : DISPATCHED;
        bool hole = !(evidence & (NF_SPACES | NF_WEAK | NF_NARROW)) && evidence & NF_HOLE;
        if (verdict == DISPATCHED && hole) verdict = UNKNOWN;
        if (verdict == DISPATCHED && nf_is_split(m, instance, id)) verdict = PREDICATED;
        if (verdict >= worst) *worst_id = id;
        if (verdict > worst) worst = verdict;
    }
    return worst;
}

/* ---- Why ---- */

static const char *string_at(const struct nf_module *m, uint32_t word)
{
    return nf_string(m, word);
}

static uint32_t name_word(const struct nf_module *m, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpName && m->words[at + 1] == id) return at + 2;
    return 0;
}

static void print_function(struct nf_module *m, struct nf_text *text, uint32_t function)
{
    const struct nf_function *f = &m->functions[function];
    uint32_t word = f->entry_at ? f->entry_at + 3 : name_word(m, f->id);
    if (!function)
        nf_print_json_string(m, text, "");
    else if (word)
        nf_print_json_string(m, text, string_at(m, word));
    else
        nf_print(m, text, "\"%%%u\"", f->id);
}

/* File and line by the last OpLine or DebugLine before the instruction in its block; false when there is none. */
static bool find_line(const struct nf_module *m, const struct nf_function *f, uint32_t at, uint32_t *file,
                      uint32_t *line)
{
    bool known = false;
    for (uint32_t i = f->at; i < at; i = nf_next(m, i)) {
        uint32_t opcode = nf_opcode(m, i);
        if (opcode == OpLine) {
            *file = m->words[i + 1];
            *line = m->words[i + 2];
            known = true;
        } else if (opcode == OpNoLine || nf_ends_block(opcode)) {
            known = false;
        }
    }
    return known;
}

static void print_source(struct nf_module *m, struct nf_text *text, const struct nf_function *f, uint32_t at)
{
    uint32_t file, line;
    struct nf_text where = {0};
    if (find_line(m, f, at, &file, &line) && nf_opcode(m, m->def[file]) == OpString)
        nf_print(m, &where, "%s:%u", string_at(m, m->def[file] + 2), line);
    nf_print_json_string(m, text, where.at ? where.at : "");
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
    uint32_t id = nf_result_id(m, at), word = id ? name_word(m, id) : 0, file, line;
    const struct nf_function *f = function_around(m, at);
    nf_print(m, text, "%s", nf_op_find(nf_opcode(m, at))->name);
    if (id) nf_print(m, text, " %%%u", id);
    if (word && *string_at(m, word)) nf_print(m, text, " (%s)", string_at(m, word));
    if (f && (word = name_word(m, f->id))) nf_print(m, text, " in %s", string_at(m, word));
    if (f && find_line(m, f, at, &file, &line) && nf_opcode(m, m->def[file]) == OpString)
        nf_print(m, text, " at %s:%u", string_at(m, m->def[file] + 2), line);
}

/* Who flows into whom, for one component: built when the first ambiguity of it is explained. */
struct backward {
    uint32_t component, *heads, *from, *next, *previous, count;
};

static void build_backward(struct nf_module *m, struct backward *b, const struct nf_function *f)
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
static const char *explain_space(struct nf_module *m, struct nf_text *text, const struct nf_instance *instance,
                                 struct backward *b, uint32_t node, nf_set space)
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
    nf_print_json_string(m, text, chain.at);
    return chain.at;
}

/* Static mode's error for one access, as a compiler would say it. */
static void complain(struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t id, nf_set set,
                     const char *const *chains)
{
    const struct nf_function *f = &m->functions[instance->function];
    uint32_t file, line, word = name_word(m, f->id);
    struct nf_text *log = &m->log;
    if (m->options->mode != NF_MODE_STATIC) return;
    if (find_line(m, f, at, &file, &line) && nf_opcode(m, m->def[file]) == OpString)
        nf_print(m, log, "%s:%u: ", string_at(m, m->def[file] + 2), line);
    nf_print(m, log, "error: kernel %s, function ",
             instance->kernel ? string_at(m, m->functions[instance->kernel].entry_at + 3) : "(none)");
    if (f->entry_at || word)
        nf_print(m, log, "%s", string_at(m, f->entry_at ? f->entry_at + 3 : word));
    else
        nf_print(m, log, "%%%u", f->id);
    nf_print(m, log, ": %s through %%%u (word %u) may be in", nf_op_find(nf_opcode(m, at))->name, id,
             nf_input_word(m, at));
    for (unsigned n = 0, count = 0; n < NF_SPACE_COUNT; n++)
        if (set >> n & 1) nf_print(m, log, "%s %s", count++ ? " or" : "", nf_space_name((nf_set)(1u << n)));
    nf_print(m, log, " memory\n");
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++)
        if (chains[n]) nf_print(m, log, "    %s\n", chains[n]);
}

static void explain(struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t id,
                    struct backward *b)
{
    struct nf_text *text = &m->ambiguous;
    const struct nf_function *f = &m->functions[instance->function];
    const char *chains[NF_SPACE_COUNT] = {NULL};
    bool dead, first = true;
    nf_set set = nf_effective_set(m, instance, id, &dead);
    if (set == NF_GENERIC) set = nf_set_of(m, instance, id);
    uint32_t node = m->def[id] >= m->body_at ? m->values[id].node : 0;
    if (b->component != f->component) build_backward(m, b, f);
    nf_print(m, text, "%s\n    {\"kernel\": ", m->ambiguous_count++ ? "," : "");
    print_function(m, text, instance->kernel);
    nf_print(m, text, ", \"function\": ");
    print_function(m, text, instance->function);
    nf_print(m, text, ", \"instruction\": \"%s %%%u (word %u)\", \"source\": ", nf_op_find(nf_opcode(m, at))->name, id,
             nf_input_word(m, at));
    print_source(m, text, f, at);
    nf_print(m, text, ", \"spaces\": [");
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        if (!(set >> n & 1)) continue;
        nf_print(m, text, "%s\"%s\"", first ? "" : ", ", nf_space_name((nf_set)(1u << n)));
        first = false;
    }
    nf_print(m, text, "], \"because\": [");
    first = true;
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        if (!(set >> n & 1)) continue;
        nf_print(m, text, "%s", first ? "" : ", ");
        first = false;
        if (node)
            chains[n] = explain_space(m, text, instance, b, node, (nf_set)(1u << n));
        else
            nf_print_json_string(m, text, nf_space_name((nf_set)(1u << n)));
    }
    nf_print(m, text, "]}");
    complain(m, instance, at, id, set, chains);
}

/* ---- Counting ---- */

static bool has_generic_operand(const struct nf_module *m, uint32_t at)
{
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (is_generic_operand(m, at, &walk)) return true;
    return false;
}

static void count_function(struct nf_module *m, const struct nf_function *f, struct backward *b)
{
    for (uint32_t at = f->body; at && at < f->end; at = nf_next(m, at)) {
        if (!is_access(m, at) || !has_generic_operand(m, at)) continue;
        enum verdict worst = DEAD;
        uint32_t worst_id = 0, worst_instance = 0;
        for (uint32_t i = f->instances; i; i = m->instances[i].next) {
            uint32_t id = 0;
            if (!m->instances[i].live) continue;
            enum verdict verdict = judge(m, &m->instances[i], at, &id);
            if (verdict >= worst && id) worst = verdict, worst_id = id, worst_instance = i;
        }
        m->counts.generic++;
        m->counts.dead += worst == DEAD;
        m->counts.is_static += worst == STATIC;
        m->counts.predicated += worst == PREDICATED;
        m->counts.dispatched += worst == DISPATCHED;
        m->counts.unknown += worst == UNKNOWN;
        if (worst > STATIC && m->ambiguous_count < 1000) explain(m, &m->instances[worst_instance], at, worst_id, b);
    }
}

void nf_count_accesses(struct nf_module *m)
{
    struct backward b = {0};
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].reachable) count_function(m, &m->functions[i], &b);
}

void nf_write_report(struct nf_module *m, nf_outcome outcome, uint64_t microseconds)
{
    static const char *const outcomes[] = {"unchanged", "specialized", "refused"};
    const nf_counts *c = &m->counts;
    struct nf_text *r = &m->report;
    nf_print(m, r, "{\n  \"result\": \"%s\",\n", outcomes[outcome]);
    nf_print(m, r, "  \"input\": {\"bytes\": %zu, \"kernels\": %u, \"generic\": %s},\n", (size_t)m->input_count * 4,
             m->kernel_count, m->uses_generic ? "true" : "false");
    nf_print(m, r,
             "  \"accesses\": {\"generic\": %u, \"static\": %u, \"predicated\": %u, \"dispatched\": %u, \"dead\": %u, "
             "\"unknown\": %u},\n",
             c->generic, c->is_static, c->predicated, c->dispatched, c->dead, c->unknown);
    nf_print(m, r, "  \"instances\": {\"functions\": %u, \"clones\": %u},\n", c->functions, c->clones);
    nf_print(m, r, "  \"time_us\": %llu,\n", (unsigned long long)microseconds);
    nf_print(m, r, "  \"ambiguous\": [%s%s]\n}\n", m->ambiguous.at ? m->ambiguous.at : "",
             m->ambiguous_count ? "\n  " : "");
}
