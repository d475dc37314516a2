/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - calls, and function 0, which calls each root with all arguments that the host can pass.
 *
 *     %r = OpFunctionCall %p %f %a      a flows into the parameter of a copy of f's summary, whose result is r
 *
 * A call of an earlier SCC copies the summary of the callee, which has the effect of inlining; in a crowded graph the
 * calls of an SCC share the copy. Calls inside one SCC share the nodes of the callee: the fixed point solves recursion.
 *
 * The hard case is a function without a body. Its effects may be known by its name (module/known_imports.c); otherwise
 * it may capture all of its arguments and return any of them later.
 *
 * needs: summaries of the callees.  gives: nf_function_analysis.calls and the values of results.
 */
#include "infer/internal.h"

static void note_call(struct nf_module *m, struct nf_function *f, struct nf_call call)
{
    NF_RESERVE(m->arena, f->analysis->calls, f->analysis->call_capacity, (size_t)f->analysis->call_count + 1);
    f->analysis->calls[f->analysis->call_count++] = call;
}

/* Handles memmove, or memset if `moves` is false. Returns the target pointer, the result of a call that has one. */
static struct nf_value call_memory(struct nf_constrainer *c, uint32_t at, bool moves)
{
    struct nf_module *m = c->m;
    uint32_t byte = nf_argument(m, at, 1); /* of memmove: the pointer to the source */
    struct nf_value target = nf_value_of(c, nf_argument(m, at, 0)), source = nf_value_of(c, byte);
    int64_t size;
    bool known = nf_constant(m, nf_argument(m, at, 2), &size) && size > 0 && size < NF_MAX_OFFSET;
    nf_note_use_at(m, target, NF_WRITTEN);
    if (moves) {
        nf_copy_memory(m, target, source, nf_copied_size(c, nf_argument(m, at, 2)));
        nf_run_pending(m);
    } else if (target.node && !nf_is_zero(m, byte)) {
        nf_smear_offsets(m, target, 1, 0, 0);
        nf_write_part(m, target, 1, false);
    } else if (!known || size % nf_word_size(m) || nf_may_cut_words(m, target)) {
        nf_note_use_at(m, target, NF_CUT);
        nf_write_part(m, target, 1, true);
    }
    if (!moves && nf_is_zero(m, byte)) nf_note_use_at(m, target, NF_ZEROED);
    return target;
}

static struct nf_value call_global(struct nf_constrainer *c, const struct nf_type *type)
{
    struct nf_value v = nf_of_node(nf_node(c->m, NF_GLOBAL));
    nf_unify(c->m, v, nf_of_node(c->m->graph->host_wide));
    return nf_as_typed(c->m, type, v);
}

static struct nf_value call_imported(struct nf_constrainer *c, uint32_t at, const struct nf_type *type,
                                     const struct nf_function *callee)
{
    enum nf_import what = nf_import_of(c->m, callee);
    if (nf_argument_count(c->m, at) < callee->parameter_count) what = NF_IMPORT_UNKNOWN;
    switch (what) {
    case NF_IMPORT_MOVE:
    case NF_IMPORT_FILL: return nf_as_typed(c->m, type, call_memory(c, at, what == NF_IMPORT_MOVE));
    case NF_IMPORT_OUT: return nf_written_out(c, at);
    case NF_IMPORT_GLOBAL: return nf_is_generic(c->m, type->id) ? call_global(c, type) : nf_nothing;
    default: return nf_constrain_unknown(c, at, type);
    }
}

/* Passes the arguments to the copy of the callee's summary at node `base`, 0: to the callee. Returns the result. */
static struct nf_value bind_call(struct nf_constrainer *c, uint32_t at, const struct nf_function *callee, uint32_t base)
{
    struct nf_module *m = c->m;
    for (uint32_t i = 0; i < callee->parameter_count && i < nf_argument_count(m, at); i++) {
        uint32_t parameter = base ? nf_summary_parameter(callee, i, base) : callee->analysis->parameter_nodes[i];
        struct nf_value v = nf_value_or_count(c, nf_argument(m, at, i));
        if (!v.node || !parameter) continue;
        nf_flow_value(m, nf_type(m, nf_type_of_parameter(m, callee, i)), v, nf_of_node(parameter));
    }
    return nf_of_node(base ? nf_summary_result(callee, base) : callee->analysis->return_node);
}

/* Returns a copy of the callee's summary for this call; in a crowded graph all its calls in the SCC share one copy. The
 * module-scope variables of the copy are unified with the caller's. In function 0, the host, only those that kernels
 * can write are unified: the others have their initial content in each kernel. */
static uint32_t copy_callee(struct nf_constrainer *c, struct nf_function *callee, bool share_host)
{
    struct nf_module *m = c->m;
    if (callee->analysis->copied_in == c->f->analysis->component &&
        nf_is_graph_too_large(m, nf_summary_node_count(callee)))
        return callee->analysis->copied_to;
    uint32_t base = nf_apply_summary(m, callee, share_host), id;
    struct nf_value copy;
    callee->analysis->copied_in = c->f->analysis->component;
    callee->analysis->copied_to = base;
    for (uint32_t i = 0; nf_summary_variable(callee, i, base, &id, &copy); i++) {
        if (c->f == m->functions && !nf_is_writable_variable(m, id)) continue;
        nf_unify(m, copy, nf_value_of(c, id));
    }
    nf_run_pending(m);
    return base;
}

struct nf_value nf_constrain_call(struct nf_constrainer *c, uint32_t at, const struct nf_type *type,
                                  uint32_t callee_index)
{
    struct nf_module *m = c->m;
    struct nf_function *callee = &m->functions[callee_index];
    if (!callee->body) return call_imported(c, at, type, callee);
    uint32_t base = 0;
    if (callee->analysis->component != c->f->analysis->component)
        base = copy_callee(c, callee, true);
    else
        callee->analysis->call_sites--;
    note_call(m, c->f, (struct nf_call){at, callee_index, base});
    struct nf_value result = bind_call(c, at, callee, base);
    return nf_is_tracked_type(m, type) ? nf_as_typed(m, type, result) : nf_nothing;
}

/* The callee may be any function whose address is taken and that has the same number of parameters. */
struct nf_value nf_constrain_indirect_call(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value result = nf_nothing;
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (!m->functions[i].address_taken || m->functions[i].parameter_count != nf_argument_count(m, at)) continue;
        struct nf_value v = nf_constrain_call(c, at, type, i);
        if (!v.node) continue;
        if (!result.node) result = nf_fresh_value(m, type);
        nf_flow_value(m, type, v, result);
    }
    return nf_as_typed(m, type, result);
}

void nf_constrain_return(struct nf_constrainer *c, uint32_t at)
{
    uint32_t id = nf_returned_value(c->m, at);
    if (c->f->analysis->return_node)
        nf_flow_value(c->m, nf_type_of(c->m, id), nf_value_or_count(c, id), nf_of_node(c->f->analysis->return_node));
}

/* ---- The root: calls by the host ---- */

/* Gives a parameter of a kernel, or of an exported function, all values that the host can pass. */
static void host_argument(struct nf_module *m, const struct nf_function *f, uint32_t index, struct nf_value parameter,
                          struct nf_value host)
{
    struct nf_graph *g = m->graph;
    const struct nf_type *type = nf_type(m, nf_type_of_parameter(m, f, index));
    nf_set space = type->kind == NF_KIND_POINTER ? nf_space_of(m, type) : 0;
    bool filled = space == NF_LOCAL && m->options->library; /* by the function's caller in another module */
    if (type->aggregate || space == NF_PRIVATE || filled) { /* by value: a private copy of host data */
        nf_copy_memory(m, parameter, host, NF_TO_END), nf_run_pending(m);
    } else if (space == NF_LOCAL) {
        nf_place_of(m, parameter);
    } else if (space) {
        g->nodes[parameter.node].base |= NF_NULL;
        nf_unify(m, parameter, host);
    } else if (type->kind == NF_KIND_POINTER) {
        g->nodes[parameter.node].base |= NF_TAGGED; /* a generic parameter of an exported function */
        nf_unify(m, parameter, host);
    } else {
        nf_flow(m, host, parameter);
    }
}

/* Adds the call of a function by the host. The call has an H and an X of its own, unless all kernels share one H. */
static void call_from_host(struct nf_constrainer *c, struct nf_function *f)
{
    struct nf_module *m = c->m;
    struct nf_graph *g = m->graph, outer = *g;
    bool share_host = m->analysis->shares_host;
    uint32_t base = copy_callee(c, f, share_host);
    if (!share_host) {
        g->host_store = base + NF_HOST_STORE;
        g->host_wide = base + NF_HOST_WIDE;
        g->exposed = base + NF_HOST_EXPOSED;
        g->host = g->nodes[g->host_store].region;
    }
    note_call(m, c->f, (struct nf_call){0, (uint32_t)(f - m->functions), base});
    struct nf_value host = nf_of_node(g->host_wide);
    f->analysis->written_arguments = NF_NEW(m->arena, bool, (size_t)f->parameter_count + 1);
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        struct nf_value parameter = nf_of_node(nf_summary_parameter(f, i, base));
        if (parameter.node) host_argument(m, f, i, parameter, host);
    }
    nf_run_pending(m);
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        struct nf_value parameter = nf_of_node(nf_summary_parameter(f, i, base));
        f->analysis->written_arguments[i] =
            parameter.node && g->regions[nf_place_of(m, parameter).region].uses & NF_WRITTEN;
    }
    g->host = outer.host;
    g->host_store = outer.host_store;
    g->host_wide = outer.host_wide;
    g->exposed = outer.exposed;
}

void nf_constrain_root(struct nf_constrainer *c)
{
    struct nf_module *m = c->m;
    c->f = &m->functions[0];
    c->component++;
    c->f->analysis->component = c->component;
    c->f->analysis->first_node = m->graph->node_count;
    nf_begin_host(m);
    for (uint32_t i = 1; i < m->function_count; i++)
        if (nf_is_root(m, &m->functions[i])) call_from_host(c, &m->functions[i]);
    nf_run_pending(m);
    c->f->analysis->last_node = m->graph->node_count;
}
