/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constrain.c - turns instructions that may use addresses into nodes, edges, cells and copies.
 *
 *     %s = OpLoad %_ptr_Generic_int %cell          s: the node of the cell at address %cell
 *          OpStore %cell %g                        g flows into that node
 *     %p = OpPhi %_ptr_Generic_int %s %a %t %b     s and t flow into p
 *
 * Most instructions need no node: their result is the node of an operand at another offset. Nodes are made where values
 * merge (phi, select, parameters) and where evidence originates (variables, host memory, integers that become
 * pointers). Functions are processed by SCC of the call graph, callees first; calls.c connects them.
 *
 * The hard case is a use before the definition, as in a loop's phi: it is connected at the end of the function body.
 *
 * needs: a module that was read, and its types.  gives: graph, values, each function's nodes, calls and summary.
 */
#include "infer/internal.h"

/* Defers connecting the operands of a phi or an access chain: they may be defined later in the body. */
static void defer(struct nf_constrainer *c, uint32_t at, struct nf_value v)
{
    NF_RESERVE(c->m->arena, c->late, c->late_capacity, (size_t)c->late_count + 1);
    c->late[c->late_count++] = (struct nf_late){at, v};
}

static struct nf_value phi(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!nf_is_tracked_type(m, type)) return nf_nothing;
    struct nf_value v = nf_fresh_value(m, type);
    defer(c, at, v);
    return v;
}

static void connect_phi(struct nf_constrainer *c, uint32_t at, struct nf_value result)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    uint32_t count = nf_phi_count(m, at);
    struct nf_value near[16], *values = count > 16 ? NF_NEW(m->arena, struct nf_value, count) : near;
    for (uint32_t i = 0; i < count; i++)
        values[i] = nf_value_or_count(c, nf_phi_value(m, at, i));
    nf_join_values(m, type, values, count, result);
}

/* Connects the leading index of an access chain to its result, as in (char *)p + ((ulong)q - (ulong)p): an index that
 * holds an address, or is computed from the distance of two memories, may lead from the base into another memory. Host
 * data and other numbers are treated as counts. An index of unknown origin is treated as a count, until an instance
 * shows that it holds an address (numbers.c). */
static void connect_index(struct nf_constrainer *c, uint32_t at, struct nf_value result)
{
    struct nf_value index = nf_value_of(c, nf_leading_index(c->m, at));
    if (!c->m->graph->nodes[index.node].region && !c->m->graph->unifies_indices) return;
    uint32_t address = nf_node_of_kind(c->m, NF_NODE_IF_ADDRESS);
    nf_edge(c->m, index.node, address);
    nf_edge(c->m, address, result.node);
    if (nf_is_host(c->m, index)) return;
    nf_unify(c->m, index, result);
    nf_smear_offsets(c->m, result, 1, 0, 0);
}

static void connect_deferred(struct nf_constrainer *c)
{
    struct nf_module *m = c->m;
    for (uint32_t i = 0; i < c->late_count; i++) {
        uint32_t at = m->graph->origin = c->late[i].at;
        if (nf_role_at(m, at) == NF_ROLE_chain)
            connect_index(c, at, c->late[i].value);
        else
            connect_phi(c, at, c->late[i].value);
    }
    c->late_count = 0;
}

static bool is_constant_chain(const struct nf_module *m, uint32_t at)
{
    uint32_t operand = 1;
    while (operand < nf_operand_count(m, at) && nf_constant(m, nf_operand(m, at, operand), &(int64_t){0}))
        operand++;
    return operand == nf_operand_count(m, at);
}

/* Returns the address of an access chain for which fills() is true. Its stores write no address, so elements remain
 * separate cells: variable indices count as 0; the only index of an OpPtrAccessChain counts as 7 if it is 8 * n + 7. */
static struct nf_value fill_address(struct nf_constrainer *c, uint32_t at, uint32_t base)
{
    const struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at), further = 0;
    bool steps = (opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain) && nf_length(m, at) == 5;
    if (steps) nf_multiple_before(c, nf_chain_index(m, at, 0), &further);
    return nf_offset_by(nf_value_of(c, base), (int64_t)further * nf_size_of(nf_type(m, nf_type_of(m, base)->element)));
}

/* Returns the address that an access chain, whose base carries none, gets from its indices: (char *)0 + (ulong)p. */
static struct nf_value chain_from_null(struct nf_constrainer *c, uint32_t at)
{
    struct nf_value result = nf_nothing;
    for (uint32_t i = 1; i < nf_operand_count(c->m, at); i++) {
        struct nf_value index = nf_operand_value(c, at, i);
        if (!index.node) continue;
        if (!result.node) result = nf_number_pointer(c->m);
        nf_flow(c->m, index, result);
        nf_smear_offsets(c->m, result, 1, 0, 0);
    }
    return result;
}

/* Returns true for an access chain with a variable index that is only used to store zeros or constant counts. */
static bool fills(const struct nf_constrainer *c, uint32_t at)
{
    bool chain = nf_role_at(c->m, at) == NF_ROLE_chain && nf_chain_base(c->m, at);
    return chain && c->fills[nf_result_id(c->m, at)] == NF_FILL && !is_constant_chain(c->m, at);
}

static struct nf_value chain(struct nf_constrainer *c, uint32_t at)
{
    if (fills(c, at)) return fill_address(c, at, nf_chain_base(c->m, at));
    struct nf_value v = nf_chain_value(c, at);
    if (!v.node) return chain_from_null(c, at);
    if (!nf_is_generic(c->m, nf_result_type(c->m, at)) || !nf_has_address_index(c, at)) return v;
    struct nf_value result = nf_with_evidence(c->m, v, 0); /* connect_index() will connect the index to it */
    defer(c, at, result);
    return result;
}

/* Returns true for a variable of the function that holds a number, or a vector of numbers, narrower than an address and
 * is only loaded and stored whole: its bytes are not a part of a pointer-sized word. */
static bool holds_short_number(const struct nf_constrainer *c, uint32_t variable)
{
    const struct nf_module *m = c->m;
    if (!nf_is_function_variable(m, variable) || !c->whole[variable]) return false;
    const struct nf_type *type = nf_type(m, nf_type_of(m, variable)->element);
    return !type->aggregate && !nf_is_tracked_type(m, type);
}

/* Returns true for an access of a word or more that states an alignment below that of a word. */
static bool may_span_words(const struct nf_module *m, uint32_t at, uint32_t operands, uint32_t size)
{
    bool known = operands + 1 < nf_length(m, at) && nf_word(m, at, operands) & NF_MEMORY_ALIGNED;
    return known && nf_word(m, at, operands + 1) < nf_word_size(m) && size >= nf_word_size(m);
}

/* Marks the cell of an access that may span two words as a number, and loose. */
static void note_alignment(struct nf_module *m, uint32_t at, uint32_t operands, struct nf_value v, uint32_t size)
{
    if (may_span_words(m, at, operands, size) && v.node && !nf_is_host(m, v))
        nf_mark_number(m, nf_cell_at(m, v, size, false));
}

/* Returns a loaded value. Forwards the last store into a promotable variable to loads of it in the same block. */
static struct nf_value load(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t variable = nf_load_pointer(m, at);
    if (m->analysis->promotable[variable] && c->stored_in[variable] == c->block &&
        nf_type_of(m, c->stored[variable]) == type)
        return nf_as_typed(m, type, nf_value_or_count(c, c->stored[variable]));
    /* Built-in variables hold counts. */
    if (nf_type_of(m, variable)->storage == NF_STORAGE_INPUT) return nf_nothing;
    if (holds_short_number(c, variable)) return nf_nothing;
    struct nf_value address = nf_operand_value(c, at, 0);
    if (nf_is_concrete_pointer(type) && address.node)
        nf_note_cell(m, nf_result_id(m, at), nf_cell_at(m, address, nf_size_of(type), false));
    note_alignment(m, at, 4, address, nf_size_of(type));
    return nf_load_from(m, type, address);
}

/* Returns true, in hint mode, for a pointer of private or local storage class: the driver may represent a generic
 * pointer to the same memory by a different integer. */
static bool is_hint_private_or_local(const struct nf_module *m, const struct nf_type *type)
{
    return m->options->mode == NF_MODE_HINT && nf_is_concrete_pointer(type) &&
           nf_space_of(m, type) & (NF_PRIVATE | NF_LOCAL);
}

/* Returns the integer of a pointer. In hint mode, the integer of a private or local pointer has NF_UNKNOWN, so that a
 * pointer converted from it stays generic (mode_policy.c). */
static struct nf_value to_integer(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *from = nf_operand_type(c, at, 0);
    struct nf_value v = nf_convert_shape(m, from, type, nf_operand_value(c, at, 0));
    if (!nf_is_tracked_type(m, type)) {
        nf_expose(m, v);
        return nf_nothing;
    }
    if (!is_hint_private_or_local(m, from) || !v.node) return v;
    m->analysis->converts_concrete_pointers = true;
    return nf_with_evidence(m, v, NF_UNKNOWN);
}

static void store(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    uint32_t variable = nf_store_pointer(m, at);
    if (m->analysis->promotable[variable]) {
        c->stored[variable] = nf_store_object(m, at);
        c->stored_in[variable] = c->block;
    }
    const struct nf_type *type = nf_operand_type(c, at, 1);
    struct nf_value address = nf_operand_value(c, at, 0);
    if (holds_short_number(c, variable)) return;
    if (fills(c, m->def[variable])) {
        bool whole = nf_is_tracked_type(m, type), words = whole && !may_span_words(m, at, 3, nf_size_of(type));
        uint32_t fill = nf_is_zero(m, nf_store_object(m, at)) ? NF_ZEROED : words ? NF_COUNTED : 0;
        nf_note_use_at(m, address, words ? fill : fill | NF_CUT);
        if (!whole) return;
    }
    nf_store_value(c, nf_store_object(m, at), address);
    note_alignment(m, at, 3, address, nf_size_of(type));
    if (!address.node || !is_hint_private_or_local(m, type) || m->analysis->promotable[variable]) return;
    /* A generic pointer that is loaded from the cell, as from a union, must stay generic as well. */
    uint32_t cell = nf_cell_at(m, address, nf_size_of(type), true);
    m->graph->nodes[cell].base |= NF_UNKNOWN;
    m->analysis->converts_concrete_pointers = true;
}

static struct nf_value constrain_result(struct nf_constrainer *c, uint32_t at, enum nf_role role,
                                        const struct nf_type *type)
{
    struct nf_module *m = c->m;
    switch (role) {
    case NF_ROLE_variable: return nf_new_variable(c, at, NF_PRIVATE);
    case NF_ROLE_load: return load(c, at, type);
    case NF_ROLE_store:
        if (nf_opcode(m, at) == OpStore)
            store(c, at);
        else
            nf_vector_store(c, nf_store_object(m, at), nf_store_pointer(m, at)); /* a block */
        return nf_nothing;
    case NF_ROLE_copy_memory: nf_copy_between(c, at, 0, 1); return nf_nothing;
    case NF_ROLE_async_copy: nf_copy_between(c, at, 1, 2); return nf_nothing;
    case NF_ROLE_send: return nf_pass_packet(c, at, true, type);
    case NF_ROLE_receive: return nf_pass_packet(c, at, false, type);
    case NF_ROLE_chain: return nf_as_typed(m, type, chain(c, at));
    case NF_ROLE_convert: return nf_resize_integer(c, at, type);
    case NF_ROLE_copy:
    case NF_ROLE_pass:
        return nf_as_typed(
            m, type, nf_convert_shape(m, nf_operand_type(c, at, 0), type, nf_value_or_count(c, nf_operand(m, at, 0))));
    case NF_ROLE_to_integer: return to_integer(c, at, type);
    case NF_ROLE_to_pointer: return nf_to_pointer(c, at, type);
    case NF_ROLE_cast:
    case NF_ROLE_cast_explicit: return nf_as_typed(m, type, nf_operand_value(c, at, 0));
    case NF_ROLE_bitcast: return nf_bitcast(c, at, type);
    case NF_ROLE_extract: return nf_extract(c, at, type);
    case NF_ROLE_insert: return nf_insert(c, at, type);
    case NF_ROLE_construct: return type->aggregate ? nf_construct(c, type, at) : nf_numeric_result(c, at);
    case NF_ROLE_shuffle: return nf_shuffle(c, at, type);
    case NF_ROLE_extract_dynamic: return nf_extract_dynamic(c, at, type);
    case NF_ROLE_add:
    case NF_ROLE_mask:
    case NF_ROLE_combine: return nf_carried(c, at);
    case NF_ROLE_subtract: return nf_subtracted(c, at);
    case NF_ROLE_choose:
    case NF_ROLE_order: return nf_chosen(c, at);
    case NF_ROLE_number: return nf_numeric_result(c, at);
    case NF_ROLE_out: return nf_written_out(c, at);
    case NF_ROLE_expose: nf_expose_operands(c, at, 0); return nf_nothing;
    case NF_ROLE_select: return nf_selected(c, at, type);
    case NF_ROLE_phi: return phi(c, at, type);
    case NF_ROLE_return: nf_constrain_return(c, at); return nf_nothing;
    case NF_ROLE_atomic: return nf_constrain_atomic(c, at, type);
    case NF_ROLE_block_read: return nf_vector_load(c, nf_operand(m, at, 0), type);
    case NF_ROLE_gather: return nf_gather(c, at, type);
    case NF_ROLE_scatter: nf_scatter(c, at); return nf_nothing;
    case NF_ROLE_vload: return nf_vector_load(c, nf_extended_operand(m, at, 1), type);
    case NF_ROLE_vstore:
        nf_vector_store(c, nf_extended_operand(m, at, 0), nf_extended_operand(m, at, 2));
        return nf_nothing;
    case NF_ROLE_call: return nf_constrain_call(c, at, type, m->index_of[nf_callee(m, at)]);
    case NF_ROLE_call_indirect: return nf_constrain_indirect_call(c, at, type);
    case NF_ROLE_compare:
    case NF_ROLE_compare_bits: nf_compared(c, at); return nf_nothing;
    case NF_ROLE_unknown: return nf_constrain_unknown(c, at, nf_result_type(m, at) ? type : NULL);
    default: return nf_nothing;
    }
}

/* Marks the memory that the instruction may write, with NF_WRITTEN. */
static void note_writes(struct nf_constrainer *c, uint32_t at)
{
    if (nf_written_operand(c->m, at) == NF_NO_OPERAND) return;
    for (struct nf_ids ids = nf_ids_at(c->m, at); nf_ids_next(&ids);)
        if (nf_writes_through(c->m, at, ids.at)) nf_note_use_at(c->m, nf_value_of(c, nf_current_id(&ids)), NF_WRITTEN);
}

static void constrain_body(struct nf_constrainer *c, struct nf_function *f)
{
    struct nf_module *m = c->m;
    c->f = f;
    uint32_t index = 0;
    for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
        m->graph->origin = at;
        if (nf_opcode(m, at) == OpFunctionParameter) {
            m->analysis->values[nf_value_id(m, at)] = nf_of_node(f->analysis->parameter_nodes[index++]);
            continue;
        }
        if (nf_opcode(m, at) == OpLabel) c->block = at;
        enum nf_role role = nf_role_at(m, at);
        uint32_t id = nf_result_id(m, at);
        const struct nf_type *type = &m->types[m->type_of[id]];
        struct nf_value v = constrain_result(c, at, role, type);
        if (id) m->analysis->values[id] = v;
        note_writes(c, at);
    }
    connect_deferred(c);
    m->graph->origin = 0;
}

static void open_function(struct nf_module *m, struct nf_function *f)
{
    f->analysis->parameter_nodes = NF_NEW(m->arena, uint32_t, f->parameter_count + 1);
    uint32_t at = f->parameters;
    for (uint32_t i = 0; i < f->parameter_count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter) continue;
        const struct nf_type *type = nf_type(m, nf_value_type(m, at));
        m->graph->origin = at;
        if (nf_is_tracked_type(m, type)) f->analysis->parameter_nodes[i] = nf_fresh_value(m, type).node;
        if (f->entry_at && nf_is_concrete_pointer(type))
            nf_note_use_at(m, nf_of_node(f->analysis->parameter_nodes[i]), NF_RAW);
        i++;
    }
    const struct nf_type *result = nf_type(m, f->result_type);
    if (nf_is_tracked_type(m, result))
        f->analysis->return_node = result->aggregate ? nf_fresh_content(m).node : nf_node(m, 0);
    m->graph->origin = 0;
}

/* Returns true if the function is called from outside of its SCC, or by the host. Other functions get no summary,
 * because a summary requires a walk over the whole SCC. */
static bool needs_summary(const struct nf_module *m, const struct nf_function *f)
{
    return f->body && (f->analysis->call_sites || nf_is_root(m, f));
}

static void summarize(struct nf_module *m, const uint32_t *functions, uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < count; i++) {
        m->functions[functions[i]].analysis->first_node = first;
        m->functions[functions[i]].analysis->last_node = m->graph->node_count;
    }
    for (uint32_t i = 0; i < count; i++)
        if (needs_summary(m, &m->functions[functions[i]])) nf_summarize_function(m, &m->functions[functions[i]]);
}

/* Returns true if the surplus cells of the summaries' copies make the graph too large, else adds them to `promised`. */
static bool exceeds_budget(struct nf_module *m, const uint32_t *functions, uint32_t count)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct nf_function *f = &m->functions[functions[i]];
        if (needs_summary(m, f)) cells += (uint64_t)f->analysis->call_sites * nf_summary_surplus(f);
    }
    if (cells && nf_is_graph_too_large(m, m->graph->promised + cells)) return true;
    m->graph->promised += cells;
    return false;
}

/* Summarizes a finished SCC, with fewer cells if the summaries would be too large. */
static void close_component(struct nf_module *m, const uint32_t *functions, uint32_t count, uint32_t first)
{
    summarize(m, functions, count, first);
    if (exceeds_budget(m, functions, count)) {
        for (uint32_t i = 0; i < count; i++)
            if (needs_summary(m, &m->functions[functions[i]]))
                nf_collapse_large_regions(m, &m->functions[functions[i]]);
        nf_run_pending(m);
        summarize(m, functions, count, first);
    }
}

static void begin_analysis(struct nf_module *m)
{
    m->analysis = NF_NEW(m->arena, struct nf_analysis, 1);
    struct nf_function_analysis *functions = NF_NEW(m->arena, struct nf_function_analysis, m->function_count);
    for (uint32_t i = 0; i < m->function_count; i++)
        m->functions[i].analysis = &functions[i];
}

/* Frees the data about function bodies, before the graph of function 0 is built: it has no body, and its copies of the
 * summaries of all roots need the memory. */
static void drop_notes(struct nf_constrainer *c)
{
    void *const notes[] = {c->stored, c->stored_in, c->whole, c->fills, c->late, c->bits, c->reach};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        nf_arena_drop(c->m->arena, notes[i]);
    *c = (struct nf_constrainer){.m = c->m, .made_in = c->made_in};
}

void nf_constrain(struct nf_module *m, struct nf_suspicion known)
{
    if (m->graph) nf_free_graph(m);
    begin_analysis(m);
    m->analysis->shares_host = nf_has_writable_variables(m);
    nf_find_constant_sets(m);
    uint32_t count, *order = nf_components(m, &count);
    m->analysis->order = order;
    m->analysis->order_count = count;
    struct nf_constrainer c = {.m = m};
    struct nf_graph *g = m->graph = NF_NEW(m->arena, struct nf_graph, 1);
    g->numbers_point_to_host = known.numbers;
    g->unifies_indices = known.indices;
    g->steps_out = known.steps;
    g->tracks_distances = known.distances;
    g->node_count = g->edge_count = g->region_count = g->copy_count = g->link_count = 1;
    NF_RESERVE(m->arena, g->nodes, g->node_capacity, (size_t)m->bound / 8 + 16);
    NF_RESERVE(m->arena, g->edges, g->edge_capacity, (size_t)m->bound / 10 + 16);
    NF_RESERVE(m->arena, g->regions, g->region_capacity, (size_t)m->bound / 16 + 8);
    m->analysis->values = NF_NEW(m->arena, struct nf_value, m->bound);
    m->analysis->promotable = NF_NEW(m->arena, uint8_t, m->bound);
    m->analysis->far = NF_NEW(m->arena, uint8_t, m->bound);
    m->analysis->takes_generic = NF_NEW(m->arena, uint8_t, m->count / 8 + 1);
    c.made_in = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    c.stored = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    c.stored_in = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    c.whole = NF_NEW_ARRAY(m->arena, bool, m->bound);
    c.bits = NF_NEW_ARRAY(m->arena, struct nf_bits, m->bound);
    c.fills = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    c.reach = NF_NEW_ARRAY(m->arena, struct nf_reach, m->bound);
    nf_collect_uses(&c);
    for (uint32_t i = 0, end; i < count; i = end) {
        uint32_t component = m->functions[order[i]].analysis->component;
        for (end = i; end < count && m->functions[order[end]].analysis->component == component; end++)
            continue;
        c.component = component;
        uint32_t first = g->node_count;
        nf_begin_host(m);
        for (uint32_t k = i; k < end; k++) {
            m->functions[order[k]].analysis->host_store = g->host_store;
            m->functions[order[k]].analysis->host = g->host;
            open_function(m, &m->functions[order[k]]);
        }
        for (uint32_t k = i; k < end; k++)
            if (m->functions[order[k]].body) constrain_body(&c, &m->functions[order[k]]);
        nf_run_pending(m);
        close_component(m, order + i, end - i, first);
    }
    drop_notes(&c);
    c.component = count;
    nf_constrain_root(&c);
    nf_arena_drop(m->arena, c.made_in);
}
