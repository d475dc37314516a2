/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imports.c - rewrites calls of functions without a body (module/known_imports.c classifies them).
 *
 *     %e = OpFunctionCall %float %frexpf %x %g      %e = OpFunctionCall %float %frexpf %x %temporary
 *                                                   %n = OpLoad %int %temporary
 *                                                        OpStore %g_part %n
 *
 * In hint mode calls stay. Otherwise a function that writes one value through a pointer is declared with private
 * pointers, and gets a temporary. A function that takes only global memory is declared with global pointers, and gets
 * null for pointers to other spaces: a device without generic pointers can only provide that form. Memory functions
 * become helpers (memory_functions.c). The call of any other function that takes or returns a generic pointer is
 * refused.
 *
 * needs: nf_import_of(), the tuples of the arguments.  gives: declarations and calls.
 */
#include "rewrite/internal.h"

static void refuse_import(struct nf_output *o, uint32_t at, const struct nf_function *f)
{
    nf_fail(o->m->arena, NF_REFUSED, at, "function %%%u (%s) is imported and takes or returns a generic pointer", f->id,
            nf_linkage_name(o->m, f->id));
}

static bool takes_generic(const struct nf_module *m, const struct nf_function *f)
{
    if (nf_is_generic(m, f->result_type)) return true;
    for (uint32_t i = 0; i < f->parameter_count; i++)
        if (nf_is_generic(m, nf_type_of_parameter(m, f, i))) return true;
    return false;
}

/* ---- Memory functions ---- */

static struct nf_tuple pointer_tuple(struct nf_output *o, uint32_t id)
{
    if (nf_is_generic_value(o->m, id)) return *nf_tuple_of(o, id);
    struct nf_tuple tuple = {.set = nf_space_of(o->m, nf_type_of(o->m, id)), .made = true};
    if (!nf_single(tuple.set))
        nf_fail(o->m->arena, NF_REFUSED, o->body.at, "an argument of a memory function is not a pointer");
    tuple.part[nf_number(tuple.set)] = nf_mapped(o, id);
    return tuple;
}

static void emit_memory_function(struct nf_output *o, uint32_t at, bool moves)
{
    struct nf_module *m = o->m;
    uint32_t target = nf_argument(m, at, 0), source = nf_argument(m, at, 1), size = nf_argument(m, at, 2), value = 0;
    struct nf_tuple tuples[2] = {pointer_tuple(o, target)};
    uint32_t types[2] = {nf_type_id_of(m, target), 0}, id = nf_value_id(m, at);
    if (moves) {
        tuples[1] = pointer_tuple(o, source);
        types[1] = nf_type_id_of(m, source);
    } else {
        value = nf_mapped(o, source);
        if (nf_type_of(m, source)->size != 1) value = NF_EMIT_NEW(o, OpUConvert, nf_byte_type(o), value);
    }
    nf_memory_call(o, tuples, types, value, nf_mapped(o, size), nf_memory_type(o, nf_type_id_of(m, size)));
    if (nf_is_generic_value(m, id)) {
        nf_define_tuple(o, id, &tuples[0], types[0]);
    } else if (nf_type_of(m, id)->kind == NF_KIND_POINTER) {
        nf_rename_to(o, id, tuples[0].part[nf_number(tuples[0].set)]);
    }
}

/* ---- Functions that write a result through a pointer ---- */

static void emit_out_function(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t length = nf_length(m, at), *words = NF_NEW(m->arena, uint32_t, length);
    words[0] = nf_memory_type(o, nf_value_type(m, at));
    words[1] = o->body.renamed[nf_value_id(m, at)];
    words[2] = nf_callee(m, at);
    for (uint32_t i = 0; i < nf_argument_count(m, at); i++) {
        uint32_t id = nf_argument(m, at, i);
        words[3 + i] = nf_is_generic_value(m, id) ? nf_temporary(o, nf_pointee_in_memory(o, id), i) : nf_mapped(o, id);
    }
    nf_emit(o, OpFunctionCall, words, length - 1);
    for (uint32_t i = 0; i < nf_argument_count(m, at); i++)
        if (nf_is_generic_value(m, nf_argument(m, at, i))) nf_copy_back(o, at, nf_argument(m, at, i), words[3 + i]);
}

/* ---- Functions that take global memory only ---- */

static uint32_t declared_type(struct nf_output *o, uint32_t type, enum nf_import what)
{
    if (!nf_is_generic(o->m, type) || nf_keeps_generic(o)) return nf_memory_type(o, type);
    return what == NF_IMPORT_GLOBAL ? nf_byte_pointer(o, NF_GLOBAL) : nf_part_type(o, type, NF_PRIVATE);
}

static void take_global_result(struct nf_output *o, uint32_t id, uint32_t result)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_type_id_of(m, id), wanted = nf_part_type(o, type, NF_GLOBAL);
    struct nf_tuple given = {.set = NF_GLOBAL, .made = true};
    bool same = wanted == nf_byte_pointer(o, NF_GLOBAL);
    given.part[nf_number(NF_GLOBAL)] = same ? result : NF_EMIT_NEW(o, OpBitcast, wanted, result);
    nf_define_tuple(o, id, &given, type);
}

static void emit_global_function(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    struct nf_words call = {.arena = o->m->arena};
    uint32_t id = nf_value_id(m, at);
    bool generic_result = nf_is_generic_value(m, id);
    uint32_t result = generic_result ? nf_new_id(o) : o->body.renamed[id];
    nf_append_words(
        &call, (uint32_t[]){declared_type(o, nf_value_type(m, at), NF_IMPORT_GLOBAL), result, nf_callee(m, at)}, 3);
    for (uint32_t i = 0; i < nf_argument_count(m, at); i++) {
        uint32_t argument = nf_argument(m, at, i);
        nf_append_word(&call,
                       nf_is_generic_value(m, argument)
                           ? nf_as_byte_pointer(o, nf_tuple_of(o, argument), NF_GLOBAL, nf_type_id_of(m, argument))
                           : nf_mapped(o, argument));
    }
    nf_emit(o, OpFunctionCall, call.at, call.count);
    nf_arena_drop(m->arena, call.at);
    if (generic_result) take_global_result(o, id, result);
}

void nf_emit_import(struct nf_output *o, uint32_t at, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    if (nf_keeps_generic(o) || !nf_touches_generic(m, at)) {
        nf_emit_plain(o, at);
        return;
    }
    switch (nf_import_of(m, f)) {
    case NF_IMPORT_MOVE: emit_memory_function(o, at, true); break;
    case NF_IMPORT_FILL: emit_memory_function(o, at, false); break;
    case NF_IMPORT_OUT: emit_out_function(o, at); break;
    case NF_IMPORT_GLOBAL: emit_global_function(o, at); break;
    default: refuse_import(o, at, f);
    }
}

/* ---- Declarations ---- */

void nf_emit_declaration(struct nf_output *o, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    bool generic = takes_generic(m, f) && !nf_keeps_generic(o);
    enum nf_import what = nf_import_of(m, f);
    if (generic && what != NF_IMPORT_OUT && what != NF_IMPORT_GLOBAL) { /* its calls are replaced or refused */
        if (f->address_taken) refuse_import(o, f->at, f);
        return;
    }
    uint32_t *types = NF_NEW(m->arena, uint32_t, f->parameter_count + 1);
    types[0] = declared_type(o, f->result_type, what);
    for (uint32_t i = 0; i < f->parameter_count; i++)
        types[i + 1] = declared_type(o, nf_type_of_parameter(m, f, i), what);
    uint32_t function_type = generic ? nf_global(o, OpTypeFunction, 0, types, f->parameter_count + 1)
                                     : nf_memory_type(o, nf_function_type(m, f->at));
    for (uint32_t at = f->at, start = o->declarations.count; at < f->end;
         at = nf_next(m, at), start = o->declarations.count) {
        nf_append_words(&o->declarations, m->words + at, nf_length(m, at));
        uint32_t *words = o->declarations.at + start;
        if (nf_result_type(m, at)) words[1] = declared_type(o, words[1], what);
        if (nf_opcode(m, at) == OpFunction) words[4] = function_type;
        if (nf_result_id(m, at)) nf_remember_copy(o, nf_result_id(m, at), nf_result_id(m, at), NF_COPY_SAME);
    }
}
