/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - rewrites functions and calls, with a tuple for each generic parameter and result.
 *
 *     %f = OpFunction %int None (generic p)         %f = OpFunction %int None (tag, private p, global p)
 *     %r = OpFunctionCall %int %f %g                %r = OpFunctionCall %int %f %g_tag %g_private %g_global
 *
 * A result of several spaces is a struct of the tag and the parts. An instance with unknown callers (an exported
 * function, one that is called indirectly, or one that cannot be cloned) takes flat addresses instead, and converts
 * them to tuples after its variables.
 *
 * needs: instances with their sets.  gives: heads of functions, calls and returns.
 */
#include "rewrite/internal.h"

static void put_part_types(struct nf_output *o, struct nf_words *types, uint32_t type, nf_set set)
{
    if (!nf_single(set)) nf_append_word(types, nf_uint_type(o));
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (nf_has(set, n)) nf_append_word(types, nf_part_type(o, type, nf_space(n)));
}

/* Returns the set of the result of the function that is emitted for `instance`; 0 if it is not a generic pointer. */
static nf_set result_set(struct nf_output *o, uint32_t instance)
{
    struct nf_module *m = o->m;
    const struct nf_instance *i = nf_instance_at(m, instance);
    const struct nf_function *f = &m->functions[i->function];
    return nf_is_generic(m, f->result_type) ? nf_value_set_by(m, nf_evidence(i, f->analysis->return_node)) : 0;
}

/* Returns true if the function returns no generic pointer, or one in memory form: if its callers are unknown, or to
 * avoid a struct (a tuple) in a module with sub-groups and NF_FAULT_INTEL_ESCAPING_ADDRESSES, because that driver's
 * compiler hangs on functions that return structs. */
static bool returns_number(struct nf_output *o, uint32_t instance, nf_set set)
{
    bool no_tuples = o->m->uses_subgroups && nf_hides_escapes(o);
    return !set || nf_instance_at(o->m, instance)->takes_no_tuples || (no_tuples && !nf_single(set));
}

static uint32_t result_type(struct nf_output *o, uint32_t instance)
{
    struct nf_module *m = o->m;
    uint32_t type = m->functions[nf_instance_at(m, instance)->function].result_type;
    nf_set set = result_set(o, instance);
    if (returns_number(o, instance, set)) return nf_memory_type(o, type);
    if (nf_single(set)) return nf_part_type(o, type, set);
    struct nf_words members = {.arena = o->m->arena};
    put_part_types(o, &members, type, set);
    uint32_t id = nf_global(o, OpTypeStruct, 0, members.at, members.count);
    nf_arena_drop(m->arena, members.at);
    return id;
}

/* Records that a clone of the function takes a generic parameter in another form than one pointer. */
static void note_reshaped(struct nf_output *o)
{
    const uint32_t key[2] = {NF_RESHAPED_KEY, o->body.f->id};
    if (!nf_find_made(&o->build, key, 2)) nf_note_made(&o->build, key, 2, o->body.f->id);
}

static void emit_parameter(struct nf_output *o, uint32_t at, struct nf_words *types)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at);
    bool takes_no_tuples = nf_instance_at(m, o->body.instance)->takes_no_tuples;
    if (nf_is_generic(m, type) && (takes_no_tuples || !nf_single(nf_tuple_of(o, id)->set))) note_reshaped(o);
    if (!nf_is_generic(m, type) || takes_no_tuples) {
        uint32_t received = nf_is_generic(m, type) ? nf_new_id(o) : o->body.renamed[id];
        nf_append_word(types, nf_memory_type(o, type));
        NF_EMIT(o, OpFunctionParameter, nf_memory_type(o, type), received);
        if (!nf_is_generic(m, type)) return;
        o->body.number_parameters[o->body.number_parameter_count++] = received;
        o->body.number_parameters[o->body.number_parameter_count++] = id;
        return;
    }
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    put_part_types(o, types, type, tuple.set);
    if (!nf_single(tuple.set)) tuple.tag = nf_emit_new(o, OpFunctionParameter, (uint32_t[]){nf_uint_type(o)}, 1);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        if (!nf_has(tuple.set, n)) continue;
        tuple.part[n] = nf_part_id(o, &tuple, id);
        NF_EMIT(o, OpFunctionParameter, nf_part_type(o, type, nf_space(n)), tuple.part[n]);
    }
    nf_set_tuple(o, id, tuple);
}

/* Returns the control word, with Const replaced by Pure if the function uses a generic pointer: llvm-spirv marks
 * functions Const that load through such pointers, and a driver that trusts Const removes the stores that they read. */
static uint32_t checked_control(const struct nf_module *m, const struct nf_function *f)
{
    uint32_t control = nf_function_control(m, f->at);
    for (uint32_t at = f->body; control & NF_FUNCTION_CONST && at < f->end; at = nf_next(m, at))
        if (nf_takes_generic(m, at)) control = (control & ~(uint32_t)NF_FUNCTION_CONST) | NF_FUNCTION_PURE;
    return control;
}

/* Returns the function control of the output. A driver with NF_FAULT_INTEL_ESCAPING_ADDRESSES also moves stores over
 * the call of a function that has volatile accesses and queries the work-item's id, so the function loses DontInline if
 * nf_may_inline() permits that. OptNone keeps the control; any other DontInline of a callee is a hazard. */
static uint32_t function_control(struct nf_output *o)
{
    uint32_t control = checked_control(o->m, o->body.f);
    if (!(control & NF_FUNCTION_DONT_INLINE) || control & NF_FUNCTION_OPT_NONE) return control;
    if (nf_hides_escapes(o) && nf_may_inline(o)) return control & ~(uint32_t)NF_FUNCTION_DONT_INLINE;
    if (!o->body.f->entry_at) nf_note_hazard(o, NF_HAZARD_CALLED);
    return control;
}

void nf_emit_head(struct nf_output *o)
{
    struct nf_module *m = o->m;
    const struct nf_function *f = o->body.f;
    struct nf_words types = {.arena = o->m->arena};
    uint32_t result = result_type(o, o->body.instance), start = o->bodies.count;
    nf_append_word(&types, result);
    NF_EMIT(o, OpFunction, result, nf_instance_at(m, o->body.instance)->emitted_id, function_control(o), 0);
    for (uint32_t at = f->parameters; at < f->end && nf_opcode(m, at) != OpLabel && nf_opcode(m, at) != OpFunctionEnd;
         at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpFunctionParameter)
            emit_parameter(o, at, &types);
        else
            nf_append_words(&o->bodies, m->words + at, nf_length(m, at));
    }
    o->bodies.at[start + 4] = nf_global(o, OpTypeFunction, 0, types.at, types.count);
    nf_arena_drop(m->arena, types.at);
}

void nf_emit_return(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t value = nf_returned_value(m, at), type = nf_type_id_of(m, value), near[NF_PARTS + 1], count = 0;
    nf_set set = result_set(o, o->body.instance);
    if (returns_number(o, o->body.instance, set)) {
        NF_EMIT(o, OpReturnValue, nf_memory_form(o, value));
        return;
    }
    const struct nf_tuple tuple = *nf_tuple_of(o, value);
    if (nf_single(set)) {
        NF_EMIT(o, OpReturnValue, nf_part_as(o, &tuple, set, type));
        return;
    }
    near[count++] = nf_tag_as(o, &tuple);
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (nf_has(set, n)) near[count++] = nf_part_as(o, &tuple, nf_space(n), type);
    /* OpCompositeInsert is used, because shipped translators crash on OpCompositeConstruct of a struct. */
    uint32_t type_of_all = result_type(o, o->body.instance), all = nf_null(o, type_of_all);
    for (uint32_t i = 0; i < count; i++)
        all = NF_EMIT_NEW(o, OpCompositeInsert, type_of_all, near[i], all, i);
    NF_EMIT(o, OpReturnValue, all);
}

/* Returns true if the type of the function's result can hold a pointer that was passed as an argument. */
static bool gives_address(const struct nf_module *m, const struct nf_function *f)
{
    const struct nf_type *type = nf_type(m, f->result_type);
    return type->kind == NF_KIND_POINTER || type->aggregate;
}

static void put_argument(struct nf_output *o, struct nf_words *call, uint32_t id, nf_set set, bool escapes)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_type_id_of(m, id);
    const struct nf_tuple tuple = *nf_tuple_of(o, id);
    if (!nf_single(set)) nf_append_word(call, nf_tag_as(o, &tuple));
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(set & space)) continue;
        uint32_t part = nf_part_as(o, &tuple, space, type);
        nf_append_word(call, escapes ? nf_escaped_pointer(o, part, nf_part_type(o, type, space), space) : part);
    }
}

/* Appends an argument in its memory form; if `escapes`, passes a concrete pointer through nf_escaped_pointer(). */
static void put_plain_argument(struct nf_output *o, struct nf_words *call, uint32_t id, bool escapes)
{
    struct nf_module *m = o->m;
    const struct nf_type *type = nf_type_of(m, id);
    uint32_t argument = nf_memory_form(o, id);
    if (escapes && type->kind == NF_KIND_POINTER && !nf_is_generic_value(m, id) && type->element)
        argument = nf_escaped_pointer(o, argument, nf_memory_type(o, type->id), nf_space_of(m, type));
    nf_append_word(call, argument);
}

/* Converts the result of a call, a tuple of the callee's set, to the tuple of `id`, whose set may be larger. */
static void take_result(struct nf_output *o, uint32_t id, uint32_t result, uint32_t callee)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_type_id_of(m, id);
    nf_set set = result_set(o, callee);
    struct nf_tuple given = {.set = set, .made = true};
    if (nf_single(set)) {
        given.part[nf_number(set)] = result;
    } else {
        uint32_t member = 0;
        given.tag = NF_EMIT_NEW(o, OpCompositeExtract, nf_uint_type(o), result, member++);
        for (unsigned n = 0; n < NF_PARTS; n++)
            if (nf_has(set, n))
                given.part[n] =
                    NF_EMIT_NEW(o, OpCompositeExtract, nf_part_type(o, type, nf_space(n)), result, member++);
    }
    struct nf_tuple tuple = nf_define_tuple(o, id, &given, type);
    if (nf_single(tuple.set) && tuple.part[nf_number(tuple.set)] == result)
        nf_remember_copy(o, id, result, NF_COPY_SAME);
}

/* Returns the instance whose function the output calls for the call at `at`; 0 if the function has no body. */
static uint32_t callee_of(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t low = 0, high = o->body.f->analysis->call_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (o->body.f->analysis->calls[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == o->body.f->analysis->call_count || o->body.f->analysis->calls[low].at != at) return 0;
    return nf_instance_at(m, nf_instance_at(m, o->body.instance)->callees[low])->same_as;
}

void nf_emit_call(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t callee = callee_of(o, at), id = nf_value_id(m, at);
    const struct nf_function *f = nf_called_function(m, at);
    if (!callee) {
        nf_emit_import(o, at, f);
        return;
    }
    const struct nf_instance *target = nf_instance_at(m, callee);
    bool generic = nf_is_generic_value(m, id), escapes = gives_address(m, f);
    uint32_t result = generic ? nf_new_id(o) : o->body.renamed[id];
    struct nf_words call = {.arena = o->m->arena};
    nf_append_words(&call, (uint32_t[]){result_type(o, callee), result, target->emitted_id}, 3);
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t argument = nf_argument(m, at, i);
        nf_set evidence = nf_evidence(target, f->analysis->parameter_nodes[i]);
        if (!nf_is_generic_value(m, argument) || target->takes_no_tuples)
            put_plain_argument(o, &call, argument, escapes);
        else
            put_argument(o, &call, argument, nf_value_set_by(m, evidence), escapes);
    }
    nf_emit(o, OpFunctionCall, call.at, call.count);
    nf_arena_drop(m->arena, call.at);
    if (generic && returns_number(o, callee, result_set(o, callee)))
        nf_from_memory(o, result, id);
    else if (generic)
        take_result(o, id, result, callee);
}

/* Emits an indirect call. Its target may be any instance with unknown callers, so that arguments and result have memory
 * form. If the called pointer is generic, the call uses the part of its tuple that points to functions. */
void nf_emit_indirect_call(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t callee = nf_callee(m, at), id = nf_value_id(m, at), length = nf_length(m, at);
    bool generic = nf_is_generic_value(m, id);
    uint32_t *words = NF_NEW(m->arena, uint32_t, length), result = generic ? nf_new_id(o) : o->body.renamed[id];
    words[0] = nf_memory_type(o, nf_value_type(m, at));
    words[1] = result;
    words[2] = nf_is_generic_value(m, callee) && !nf_keeps_generic(o)
                   ? nf_part_as(o, nf_tuple_of(o, callee), NF_CODE, nf_type_id_of(m, callee))
                   : nf_memory_form(o, callee);
    for (uint32_t i = 0; i < nf_argument_count(m, at); i++)
        words[3 + i] = nf_memory_form(o, nf_argument(m, at, i));
    nf_emit(o, nf_opcode(m, at), words, length - 1);
    if (generic) nf_from_memory(o, result, id);
}
