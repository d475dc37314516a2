/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.c - traces four stages line by line, to debug a wrong result.
 *
 * The letters of nf_options.dump select the stages: r the module as read, c the constraints, s the solution, w the
 * output.
 *
 *     s  instance 4 of %57, called from 2, emitted as 4: %60 {local} %61 {private, global}
 *
 * needs: the module after the traced stage.  gives: lines of text, passed to the caller's function.
 */
#include "report/report.h"

static bool is_traced(const struct nf_module *m, char letter)
{
    return m->options->dump && m->options->dump_line && strchr(m->options->dump, letter);
}

static void put_line(struct nf_module *m, struct nf_text *line)
{
    m->options->dump_line(m->options->dump_user, line->at ? line->at : "");
    line->count = 0;
}

static void print_set(struct nf_text *line, nf_set set)
{
    bool first = true;
    nf_print(line, "{");
    for (unsigned n = 0; n < NF_SPACE_COUNT; n++) {
        if (!nf_has(set, n)) continue;
        nf_print(line, "%s%s", first ? "" : ", ", nf_space_name(nf_space(n)));
        first = false;
    }
    nf_print(line, "}");
}

void nf_dump_read(struct nf_module *m)
{
    struct nf_text line = {.arena = m->arena};
    if (!is_traced(m, 'r')) return;
    nf_print(&line, "r  version 0x%08x, %u words, id bound %u, %u functions, %u kernels, %u-bit addresses", m->version,
             m->count, m->bound, m->function_count - 1, m->kernel_count, m->address_bits);
    put_line(m, &line);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        nf_print(&line, "r  function %%%u at word %u, %u parameters%s%s%s%s", f->id, nf_input_word(m, f->at),
                 f->parameter_count, f->entry_at ? ", kernel" : "", f->exported ? ", exported" : "",
                 f->imported ? ", imported" : "", f->address_taken ? ", address taken" : "");
        put_line(m, &line);
    }
}

void nf_dump_constraints(struct nf_module *m)
{
    struct nf_text line = {.arena = m->arena};
    const struct nf_graph *g = m->graph;
    if (!is_traced(m, 'c')) return;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        for (uint32_t node = f->body ? f->analysis->first_node : f->analysis->last_node; node < f->analysis->last_node;
             node++) {
            nf_print(&line, "c  %%%u node %u at word %u, evidence 0x%03x, points to %u+%d, flows to", f->id, node,
                     g->nodes[node].origin, g->nodes[node].base, g->nodes[node].region, g->nodes[node].offset);
            for (uint32_t e = g->nodes[node].edges; e; e = g->edges[e].next)
                nf_print(&line, " %u", g->edges[e].to);
            put_line(m, &line);
        }
    }
}

void nf_dump_solution(struct nf_module *m)
{
    struct nf_text line = {.arena = m->arena};
    if (!is_traced(m, 's')) return;
    for (uint32_t i = 2; i < m->analysis->instance_count; i++) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        const struct nf_function *f = &m->functions[instance->function];
        if (!instance->live) continue;
        nf_print(&line, "s  instance %u of %%%u%s, called from %u, emitted as %u:", i, f->id,
                 instance->open ? " (open)" : "", instance->caller, instance->same_as);
        for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
            if (!nf_is_generic(m, nf_result_type(m, at))) continue;
            nf_print(&line, " %%%u ", nf_result_id(m, at));
            print_set(&line, nf_set_of(m, instance, nf_result_id(m, at)));
        }
        put_line(m, &line);
    }
}

void nf_dump_written(struct nf_module *m, const nf_counts *counts, const struct nf_words *output)
{
    struct nf_text line = {.arena = m->arena};
    if (!is_traced(m, 'w')) return;
    nf_print(&line, "w  %u words, id bound %u, %u functions, %u of them clones", output->count,
             output->count > 3 ? output->at[3] : 0, counts->functions, counts->clones);
    put_line(m, &line);
}
