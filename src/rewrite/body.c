/* SPDX-License-Identifier: Apache-2.0 */
/*
 * body.c - rewrites the body of an instance, instruction by instruction.
 *
 *     %g = OpPtrCastToGeneric %_ptr_Generic_int %l          (gone: g is l)
 *     %e = OpInBoundsPtrAccessChain %_ptr_Generic_int %g %i    %e = OpInBoundsPtrAccessChain %_ptr_Workgroup_int %l %i
 *     %v = OpLoad %int %e                                   %v = OpLoad %int %e
 *
 * An instruction that computes a generic pointer (access chain, bitcast, phi, select, parameter, result) is emitted
 * once for each space in its set, and an access through a pointer in several spaces branches on a condition (split.c)
 * or is dispatched (dispatch.c).
 *
 * needs: the instances.  gives: bodies, helpers, and the types and constants that they need.
 */
#include "rewrite/internal.h"

/* Copies an instruction with an unknown opcode. Its ids cannot be mapped, because any of its words may be an id. So it
 * is refused in a clone, with a generic result (except in hint mode), and with a pointer in several spaces. */
static void emit_unknown(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    if (!o->body.keep_ids)
        nf_fail(m->arena, NF_REFUSED, at, "unknown instruction %u is in a function with pointers to different spaces",
                nf_opcode(m, at));
    for (uint32_t i = 1; i < nf_length(m, at); i++) {
        uint32_t id = nf_word(m, at, i);
        if (id >= m->bound || !m->def[id]) continue;
        if (m->def[id] < m->body_at) nf_mapped(o, id);
        if (nf_is_generic(m, id) && !nf_keeps_generic(o))
            nf_fail(m->arena, NF_REFUSED, at, "unknown instruction %u returns a generic pointer", nf_opcode(m, at));
        if (nf_is_generic_value(m, id) && !nf_single(nf_tuple_of(o, id)->set))
            nf_fail(m->arena, NF_REFUSED, at, "unknown instruction %u has an operand that may point to several spaces",
                    nf_opcode(m, at));
    }
    nf_append_words(&o->bodies, m->words + at, nf_length(m, at));
}

static void emit_generic(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    bool generic_result = nf_is_generic(m, nf_result_type(m, at));
    switch (nf_role_at(m, at)) {
    case NF_ROLE_chain:
    case NF_ROLE_copy: nf_emit_parts(o, at); break;
    case NF_ROLE_bitcast: nf_emit_bitcast(o, at); break;
    case NF_ROLE_cast:
    case NF_ROLE_cast_explicit:
        if (generic_result && nf_is_generic_value(m, nf_operand(m, at, 0)))
            nf_emit_bitcast(o, at); /* DPC++ casts generic pointers to Generic */
        else if (generic_result)
            nf_emit_cast_to_generic(o, at);
        else
            nf_emit_cast_to_concrete(o, at);
        break;
    case NF_ROLE_select: nf_emit_select(o, at); break;
    case NF_ROLE_phi: nf_emit_phi(o, at); break;
    case NF_ROLE_to_integer: nf_emit_to_integer(o, at); break;
    case NF_ROLE_to_pointer: nf_emit_to_pointer(o, at); break;
    case NF_ROLE_compare: nf_emit_compare(o, at); break;
    case NF_ROLE_semantics: nf_emit_semantics(o, at); break;
    case NF_ROLE_return: nf_emit_return(o, at); break;
    case NF_ROLE_null:
    case NF_ROLE_construct:
    case NF_ROLE_extract:
    case NF_ROLE_insert:
    case NF_ROLE_extract_dynamic:
    case NF_ROLE_shuffle:
    case NF_ROLE_pass:
    case NF_ROLE_convert:
    case NF_ROLE_choose:
    case NF_ROLE_order:
    case NF_ROLE_number: nf_emit_plain(o, at); break;
    case NF_ROLE_call_indirect: nf_emit_indirect_call(o, at); break;
    case NF_ROLE_nothing:
    case NF_ROLE_touch: nf_emit_silent(o, at); break;
    default: nf_emit_access(o, at); break;
    }
}

static void emit_instruction(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at);
    const struct nf_op *op = nf_op_find(opcode);
    if (o->body.tuple_variables && nf_emit_tuple_variable(o, at)) return;
    if (o->concrete_memory && nf_emit_concrete_parts(o, at)) return;
    if (o->body.raw_of && nf_emit_code_pointer(o, at)) return;
    if (op->role == NF_ROLE_compare_bits && nf_emit_window_comparison(o, at)) return;
    if (nf_is_unknown(op))
        emit_unknown(o, at);
    else if (opcode == OpFunctionCall)
        nf_emit_call(o, at);
    else if (opcode == OpPhi)
        nf_emit_phi(o, at);
    else if (nf_touches_generic(m, at) || opcode == OpReturnValue || opcode == OpGenericPtrMemSemantics ||
             (o->concrete_memory && nf_stores_typed_pointer(o, at)))
        emit_generic(o, at);
    else if (!m->analysis->gather_nodes || !nf_emit_gather(o, at))
        nf_emit_plain(o, at);
}

/* Emits a load or an extract of a concrete pointer with a new result id, and its conversion from the memory form. */
static void emit_from_memory(struct nf_output *o, uint32_t at)
{
    uint32_t id = nf_result_id(o->m, at), own = o->body.renamed[id], raw = nf_new_id(o);
    o->body.renamed[id] = raw;
    emit_instruction(o, at);
    o->body.renamed[id] = own;
    nf_emit_loaded_pointer(o, at, raw);
}

/* Assigns ids to all results except generic pointers, which get their sets. The parts of phis get ids as well, because
 * in a loop a use may precede its phi. */
static void prepare(struct nf_output *o)
{
    struct nf_module *m = o->m;
    const struct nf_instance *instance = nf_instance_at(m, o->body.instance);
    for (uint32_t at = o->body.f->parameters; at < o->body.f->end; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (!id) continue;
        if (!nf_is_generic_value(m, id)) {
            o->body.renamed[id] = nf_output_id(o, id);
            continue;
        }
        bool dead;
        nf_set set = nf_value_set(m, instance, id, &dead);
        struct nf_tuple *tuple = nf_new_tuple(o, id);
        tuple->set = set;
        tuple->dead = dead;
        if (nf_opcode(m, at) != OpPhi) continue;
        for (unsigned n = 0; n < NF_PARTS; n++)
            if (nf_has(set, n)) tuple->part[n] = nf_part_id(o, tuple, id);
        if (!nf_single(set)) tuple->tag = nf_new_id(o);
        tuple->made = true;
    }
}

static bool is_variable(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpVariable || nf_opcode(m, at) == OpUntypedVariableKHR;
}

static bool stays_at_head(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpLabel || is_variable(m, at) || nf_debug_at(m, at) != NF_DEBUG_NONE;
}

static void begin_block(struct nf_output *o, uint32_t label)
{
    o->body.block.closed = false;
    o->body.block.label = nf_mapped(o, label);
    o->body.block.line_at = o->body.block.scope_at = 0;
}

/* Records the debug line or scope that takes effect at `at`. */
static void note_line(struct nf_output *o, uint32_t at)
{
    switch (nf_debug_at(o->m, at)) {
    case NF_DEBUG_LINE: o->body.block.line_at = at; break;
    case NF_DEBUG_NO_LINE: o->body.block.line_at = 0; break;
    case NF_DEBUG_SCOPE: o->body.block.scope_at = at; break;
    case NF_DEBUG_NO_SCOPE: o->body.block.scope_at = 0; break;
    default: break;
    }
}

/* Emits all variables after the label of the first block. Shipped translators write some variables in the middle of the
 * block, where they would move to another block if an access before them were split. */
static void emit_variables(struct nf_output *o)
{
    if (!nf_has_role(o->m, NF_ROLE_variable)) return;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(o->m, at))
        if (is_variable(o->m, at)) emit_instruction(o, at);
}

void nf_rewrite_instance(struct nf_output *o, uint32_t index)
{
    struct nf_module *m = o->m;
    struct nf_instance *instance = nf_instance_at(m, index);
    uint32_t label = 0;
    o->body.instance = index;
    o->body.f = &m->functions[instance->function];
    o->body.keep_ids = instance->emitted_id == o->body.f->id;
    o->body.number_parameters = NF_NEW(m->arena, uint32_t, 2 * (size_t)o->body.f->parameter_count + 1);
    o->body.by_value = NF_NEW(m->arena, uint32_t, 2 * (size_t)o->body.f->parameter_count + 1);
    nf_remember_copy(o, o->body.f->id, instance->emitted_id, NF_COPY_SAME);
    prepare(o);
    nf_note_phi_casts(o);
    nf_mark_needed_tags(o);
    nf_find_tuple_variables(o);
    o->body.function_at = o->bodies.count;
    nf_emit_head(o);
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        o->body.at = at;
        if (o->body.by_value_count && !stays_at_head(m, at)) nf_copy_arguments(o);
        if (o->body.number_parameter_count && !stays_at_head(m, at)) nf_convert_integer_parameters(o);
        if (opcode == OpLabel) {
            label = nf_declared_id(m, at);
            begin_block(o, label);
        }
        if (opcode == OpExtInst || opcode == OpLine || opcode == OpNoLine) note_line(o, at);
        if (nf_begins_block_end(m, at)) nf_close_block(o, label);
        if (o->concrete_memory && nf_loads_typed_pointer(o, at))
            emit_from_memory(o, at);
        else if (!is_variable(m, at))
            emit_instruction(o, at);
        if (nf_ends_block(opcode) && o->body.exit_label) o->body.exit_label[label] = o->body.block.label;
        if (at != o->body.f->body) continue;
        emit_variables(o);
        o->body.variables_at = o->bodies.count;
        nf_declare_copies(o);
        o->body.entry_at = o->bodies.count;
    }
    nf_fill_in_phis(o);
    nf_declare_temporary_variables(o);
}
