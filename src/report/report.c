/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - counts the generic accesses by the form in which they are written, and reports why accesses are ambiguous.
 *
 * An access is an instruction of the input. An access counts once, with its worst verdict in any instance, here from
 * worst to best:
 *     unknown     the analysis found no space for the pointer: dispatched over every space
 *     dispatched  several spaces: a run-time tag
 *     predicated  several spaces, selected by a condition of this function: no tag
 *     static      one space
 *     dead        the pointer can only be null or undefined; accesses of unreachable functions are not counted
 * For each ambiguous access, up to MAX_EXPLAINED of them, the report says where each space comes from (why.c).
 *
 * needs: the instances.  gives: counts, the report, and the text of static mode's errors.
 */
#include "report/report.h"

enum { MAX_EXPLAINED = 1000 }; /* largest number of ambiguous accesses in a report */

static bool is_access(const struct nf_module *m, uint32_t at)
{
    switch (nf_role_at(m, at)) {
    case NF_ROLE_load:
    case NF_ROLE_store:
    case NF_ROLE_copy_memory:
    case NF_ROLE_atomic:
    case NF_ROLE_async_copy:
    case NF_ROLE_send:
    case NF_ROLE_receive:
    case NF_ROLE_block_read:
    case NF_ROLE_out:
    case NF_ROLE_vload:
    case NF_ROLE_gather:
    case NF_ROLE_scatter:
    case NF_ROLE_printf: /* dispatched on its format, which it reads */
    case NF_ROLE_vstore: return true;
    default: return false;
    }
}

/* Returns true if the operand is an address that is accessed, and not a value that is stored or printed. */
static bool is_pointer_operand(const struct nf_module *m, uint32_t at, uint32_t word)
{
    enum nf_role role = nf_role_at(m, at);
    uint32_t first = nf_operand_at(m, at, 0) - at;
    if (role == NF_ROLE_store) return word == first;
    if (role == NF_ROLE_vstore) return word == first + 4;
    if (role == NF_ROLE_printf) return word == first + 2;
    return true;
}

static bool is_generic_operand(const struct nf_module *m, uint32_t at, uint32_t word)
{
    uint32_t id = nf_word(m, at, word);
    if (nf_gathered_type(m, at)) return is_pointer_operand(m, at, word) && nf_type_of(m, id) == nf_gathered_type(m, at);
    return nf_is_generic_value(m, id) && is_pointer_operand(m, at, word);
}

nf_verdict nf_access_verdict(const struct nf_module *m, const struct nf_instance *instance, uint32_t at,
                             uint32_t *worst_id)
{
    nf_verdict worst = NF_VERDICT_DEAD;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        if (!is_generic_operand(m, at, ids.at)) continue;
        uint32_t id = nf_current_id(&ids);
        bool dead, gathers = nf_gathered_type(m, at);
        nf_set evidence = nf_evidence(instance, nf_pointer_node(m, at, id));
        nf_set set = nf_pointer_set(m, instance, at, id, &dead);
        nf_verdict verdict = dead                                  ? NF_VERDICT_DEAD
                             : nf_single(set) && set != NF_GENERIC ? NF_VERDICT_STATIC
                                                                   : NF_VERDICT_DISPATCHED;
        bool unknown = !(evidence & (NF_SPACES | NF_FROM_HOST | NF_NUMBER)) && evidence & NF_UNKNOWN;
        if (verdict == NF_VERDICT_DISPATCHED && unknown) verdict = NF_VERDICT_UNKNOWN;
        if (verdict == NF_VERDICT_DISPATCHED && !gathers && nf_is_split(m, instance, id))
            verdict = NF_VERDICT_PREDICATED;
        if (verdict >= worst) *worst_id = id;
        if (verdict > worst) worst = verdict;
    }
    return worst;
}

/* ---- Ambiguous accesses ---- */

/* In static mode, adds the error for one access to the log, in the form of a compiler's error. */
static void log_static_error(const struct nf_module *m, struct nf_text *log, const nf_ambiguous_access *a)
{
    if (m->options->mode != NF_MODE_STATIC) return;
    if (*a->source) nf_print(log, "%s: ", a->source);
    nf_print(log, "error: kernel %s, function %s: %s through %%%u (word %u) may be in",
             a->kernel ? a->kernel_name : "(none)", a->function_name, a->opcode_name, a->pointer, a->word);
    for (unsigned n = 0, count = 0; n < NF_SPACE_COUNT; n++)
        if (nf_has(a->spaces, n)) nf_print(log, "%s %s", count++ ? " or" : "", nf_space_name(nf_space(n)));
    nf_print(log, " memory\n");
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++)
        if (a->because[n]) nf_print(log, "    %s\n", a->because[n]);
}

static void print_ambiguity(struct nf_text *text, const nf_ambiguous_access *a)
{
    static const char *const verdicts[] = {"dead", "static", "predicated", "dispatched", "unknown"};
    bool first = true;
    nf_print(text, "    {\"kernel\": ");
    nf_print_json_string(text, a->kernel_name);
    nf_print(text, ", \"function\": ");
    nf_print_json_string(text, a->function_name);
    nf_print(text, ", \"instruction\": \"%s %%%u (word %u)\"", a->opcode_name, a->pointer, a->word);
    nf_print(text, ", \"word\": %u, \"pointer\": %u, \"verdict\": \"%s\", \"source\": ", a->word, a->pointer,
             verdicts[a->verdict]);
    nf_print_json_string(text, a->source);
    nf_print(text, ", \"spaces\": [");
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        if (!nf_has(a->spaces, n)) continue;
        nf_print(text, "%s\"%s\"", first ? "" : ", ", nf_space_name(nf_space(n)));
        first = false;
    }
    nf_print(text, "], \"because\": [");
    first = true;
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        if (!a->because[n]) continue;
        nf_print(text, "%s", first ? "" : ", ");
        nf_print_json_string(text, a->because[n]);
        first = false;
    }
    nf_print(text, "]}");
}

static void note_ambiguity(struct nf_module *m, struct nf_account *account, nf_ambiguous_access ambiguity)
{
    NF_RESERVE(m->arena, account->ambiguities, account->ambiguity_capacity, (size_t)account->ambiguity_count + 1);
    account->ambiguities[account->ambiguity_count++] = ambiguity;
    log_static_error(m, &account->log, &ambiguity);
}

/* ---- Counting ---- */

bool nf_accesses_generic(const struct nf_module *m, uint32_t at)
{
    if (!is_access(m, at) || (!nf_takes_generic(m, at) && !nf_gathered_type(m, at))) return false;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (is_generic_operand(m, at, ids.at)) return true;
    return false;
}

static void count_function(struct nf_module *m, struct nf_account *account, const struct nf_function *f,
                           struct nf_backward *b)
{
    for (uint32_t at = f->body; at && at < f->end; at = nf_next(m, at)) {
        if (!nf_is_generic_access(m, at)) continue;
        nf_verdict worst = NF_VERDICT_DEAD;
        uint32_t worst_id = 0, worst_instance = 0;
        for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next) {
            uint32_t id = 0;
            if (!nf_instance_at(m, i)->live) continue;
            nf_verdict verdict = nf_access_verdict(m, nf_instance_at(m, i), at, &id);
            if (verdict >= worst && id) worst = verdict, worst_id = id, worst_instance = i;
        }
        account->counts.generic++;
        account->counts.dead += worst == NF_VERDICT_DEAD;
        account->counts.is_static += worst == NF_VERDICT_STATIC;
        account->counts.predicated += worst == NF_VERDICT_PREDICATED;
        account->counts.dispatched += worst == NF_VERDICT_DISPATCHED;
        account->counts.unknown += worst == NF_VERDICT_UNKNOWN;
        if (worst <= NF_VERDICT_STATIC || account->ambiguity_count == MAX_EXPLAINED) continue;
        nf_ambiguous_access ambiguity = nf_explain(m, worst_instance, at, worst_id, b);
        ambiguity.verdict = worst;
        note_ambiguity(m, account, ambiguity);
    }
}

void nf_count_accesses(struct nf_module *m, struct nf_account *account)
{
    struct nf_backward b = {0};
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].reachable) count_function(m, account, &m->functions[i], &b);
}

static void print_figures(struct nf_text *r, const struct nf_module *m, const nf_counts *c)
{
    nf_print_number(r, "  \"input\": {\"bytes\": ", (uint64_t)m->input_count * 4);
    nf_print_number(r, ", \"kernels\": ", m->kernel_count);
    nf_print_number(r,
                    m->uses_generic ? ", \"generic\": true},\n  \"accesses\": {\"generic\": "
                                    : ", \"generic\": false},\n  \"accesses\": {\"generic\": ",
                    c->generic);
    nf_print_number(r, ", \"static\": ", c->is_static);
    nf_print_number(r, ", \"predicated\": ", c->predicated);
    nf_print_number(r, ", \"dispatched\": ", c->dispatched);
    nf_print_number(r, ", \"dead\": ", c->dead);
    nf_print_number(r, ", \"unknown\": ", c->unknown);
    nf_print_number(r, "},\n  \"instances\": {\"functions\": ", c->functions);
    nf_print_number(r, ", \"clones\": ", c->clones);
}

void nf_write_report(const struct nf_module *m, struct nf_account *account, nf_outcome outcome, uint64_t microseconds)
{
    static const char *const outcomes[] = {"unchanged", "specialized", "refused"};
    struct nf_text *r = &account->report;
    enum { USUAL = 640 }; /* bytes: more than a report without ambiguities has */
    NF_RESERVE(r->arena, r->at, r->capacity, USUAL);
    nf_print(r, "{\n  \"result\": \"%s\",\n", outcomes[outcome]);
    print_figures(r, m, &account->counts);
    nf_print_number(r, "},\n  \"time_us\": ", microseconds);
    nf_print(r, ",\n  \"ambiguous\": [");
    for (uint32_t i = 0; i < account->ambiguity_count; i++) {
        nf_print(r, "%s\n", i ? "," : "");
        print_ambiguity(r, &account->ambiguities[i]);
    }
    nf_print(r, "%s]\n}\n", account->ambiguity_count ? "\n  " : "");
}
