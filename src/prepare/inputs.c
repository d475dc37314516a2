/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inputs.c - turns built-in variables into variables of storage class Input that are loaded as a whole, the only form
 * that some drivers support. On the way to SPIR 1.2 they are loaded as a whole, and keep their storage class.
 *
 *     %c = OpBitcast %_ptr_Input_uchar %WorkgroupId
 *     %d = OpPtrAccessChain %_ptr_Input_uchar %c %ulong_8
 *     %e = OpBitcast %_ptr_Input_ulong %d                  %all = OpLoad %v3ulong %WorkgroupId
 *     %y = OpLoad %ulong %e                            ->  %y = OpCompositeExtract %ulong %all 1
 *
 *     %x = OpExtInst %ulong2 vloadn %i %c 2            ->  %copy = OpVariable %_ptr_Function_v3ulong Function
 *                                                          function entry: OpStore %copy (OpLoad %v3ulong %WorkgroupId)
 *                                                          %x = OpExtInst %ulong2 vloadn %i (%copy as bytes) 2
 *
 * A load from a constant offset within one component, or of several components, becomes a load of the whole variable
 * and extractions. Every other use of a pointer into the variable gets a pointer into a private copy, which each
 * function that uses it fills at its entry, so these uses need no special handling.
 *
 * A private copy has another storage class than the variable. Pointers to Input point to built-in variables only, so in
 * every such pointer type Function replaces Input. DPC++ declares built-in variables in CrossWorkgroup, to which other
 * pointers point as well. Pointers that are only used for reads are changed individually. If such a pointer merges with
 * other pointers, every CrossWorkgroup pointer type becomes a generic pointer type, except the types of variables, of
 * kernel parameters and of imports, which are cast. Inference then finds which pointers are global.
 *
 * Each function that uses such pointers has its own copies. If a pointer may outlive its function (it is returned,
 * stored or passed on), the kernel has the copies, and other functions get pointers to them as additional parameters.
 * Constants that are derived from the address of a built-in variable become instructions at the entry of each function
 * that uses them.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

/* ---- Types ---- */

static bool changes(const struct nf_inputs *p, uint32_t storage)
{
    return (storage == NF_STORAGE_INPUT && p->inputs_change) ||
           (storage == NF_STORAGE_CROSS_WORKGROUP && p->globals_change);
}

static bool type_changes(const struct nf_inputs *p, uint32_t type)
{
    const struct nf_type *t = nf_type(p->to.m, type);
    return t->kind == NF_KIND_POINTER && changes(p, t->storage);
}

/* Returns the original pointer type, which variables, kernels and imports keep. */
static uint32_t interface_type(struct nf_inputs *p, uint32_t type)
{
    if (!type_changes(p, type)) return type;
    if (!p->interface_id[type]) p->interface_id[type] = nf_build_id(&p->to.build);
    return p->interface_id[type];
}

static uint32_t private_pointer(struct nf_inputs *p, uint32_t element)
{
    return nf_edit_define(&p->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_FUNCTION, element}, 2);
}

/* Returns the type of `id`, which may be a pointer that is derived from a copy. */
static uint32_t derived_type(struct nf_inputs *p, uint32_t id)
{
    const struct nf_type *type = nf_type_of(p->to.m, id);
    bool stays = !p->addresses[id].variable || type->kind != NF_KIND_POINTER || type->storage == NF_STORAGE_GENERIC ||
                 changes(p, type->storage);
    return stays ? type->id : private_pointer(p, type->element);
}

/* ---- Loads of components ---- */

/* Writes a load of the variable and, unless it is a scalar, the extraction of the component that contains the loaded
 * bytes, as `id` if that is not 0. Returns the id of the component. */
static uint32_t put_component(struct nf_inputs *p, const struct nf_input_address *address,
                              const struct nf_input_part *part, uint32_t id)
{
    struct nf_edit *e = &p->to;
    uint32_t all = nf_edit_value(e, OpLoad, part->whole->id, address->variable, 0), component = part->component->id;
    if (part->whole == part->component) return all;
    if (!id) id = nf_build_id(&e->build);
    nf_edit_emit(e, address->index ? OpVectorExtractDynamic : OpCompositeExtract,
                 (uint32_t[]){component, id, all, address->index ? address->index : part->at}, 4);
    return id;
}

/* Writes the loaded bits of `component` as `result`. */
static void put_bits(struct nf_inputs *p, const struct nf_input_part *part, uint32_t component, uint32_t result)
{
    struct nf_edit *e = &p->to;
    const struct nf_type *type = part->result;
    uint32_t from = part->component->id, bits[] = {8 * part->shift, 0};
    if (part->shift) {
        uint32_t count = nf_edit_define(e, OpConstant, from, bits, part->component->size > 4 ? 2 : 1);
        component = nf_edit_value(e, OpShiftRightLogical, from, component, count);
    }
    if (type->size < part->component->size && type->kind == NF_KIND_INT) {
        nf_edit_emit(e, OpUConvert, (uint32_t[]){type->id, result, component}, 3);
        return;
    }
    if (type->size < part->component->size) {
        uint32_t number = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){8 * (uint32_t)type->size, 0}, 2);
        component = nf_edit_value(e, OpUConvert, number, component, 0);
    }
    nf_edit_emit(e, OpBitcast, (uint32_t[]){type->id, result, component}, 3);
}

/* Writes a load of several components as `result`: a vector of the components, cast to the type of the load. */
static void put_components(struct nf_inputs *p, const struct nf_input_address *address,
                           const struct nf_input_part *part, uint32_t result)
{
    struct nf_edit *e = &p->to;
    uint32_t all = nf_edit_value(e, OpLoad, part->whole->id, address->variable, 0), words[2 + NF_INPUT_COMPONENTS];
    words[0] = nf_edit_define(e, OpTypeVector, 0, (uint32_t[]){part->component->id, part->count}, 2);
    words[1] = words[0] == part->result->id ? result : nf_build_id(&e->build);
    for (uint32_t i = 0; i < part->count; i++) {
        words[2 + i] = nf_build_id(&e->build);
        nf_edit_emit(e, OpCompositeExtract, (uint32_t[]){part->component->id, words[2 + i], all, part->at + i}, 4);
    }
    nf_edit_emit(e, OpCompositeConstruct, words, 2 + part->count);
    if (words[1] != result) nf_edit_emit(e, OpBitcast, (uint32_t[]){part->result->id, result, words[1]}, 3);
}

/* Replaces the load at `at` by a load of the whole variable and, if the load reads only a part or another type,
 * instructions that make its result from the loaded value. */
static void put_load(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    const struct nf_input_address *address = &p->addresses[nf_load_pointer(e->m, at)];
    uint32_t result = nf_value_id(e->m, at), start = e->out.count;
    struct nf_input_part part;
    if (nf_is_whole_load(p, at)) {
        nf_edit_keep(e, at, nf_next(e->m, at));
        e->out.at[start + 3] = address->variable;
        return;
    }
    nf_reads_component(p, at, &part);
    if (part.count > 1) {
        put_components(p, address, &part, result);
        return;
    }
    bool is_component = part.result == part.component && part.whole != part.component;
    uint32_t component = put_component(p, address, &part, is_component ? result : 0);
    if (!is_component) put_bits(p, &part, component, result);
}

/* Returns true if the function gets pointers to its kernel's copies of built-in variables as additional parameters. */
static bool takes_copies(const struct nf_inputs *p, const struct nf_function *f)
{
    return p->passes_copies && f->body && !f->entry_at && !f->address_taken;
}

static bool is_copied(const struct nf_inputs *p, uint32_t variable)
{
    return p->addresses[variable].variable && p->marks[variable] & NF_INPUT_KEPT;
}

/* Returns the type of the pointer that replaces the variable in functions. */
static uint32_t copy_type(struct nf_inputs *p, uint32_t variable)
{
    const struct nf_type *type = nf_type_of(p->to.m, variable);
    return changes(p, type->storage) ? type->id : private_pointer(p, type->element);
}

static bool is_outside(const struct nf_function *f)
{
    return f->entry_at || !f->body;
}

/* Returns the function's new type: kernels and imports keep the original pointer types; pointers to copies are the last
 * parameters. */
static uint32_t function_type(struct nf_inputs *p, const struct nf_function *f)
{
    const struct nf_module *m = p->to.m;
    const struct nf_type *type = nf_type(m, f->type);
    bool is_interface = p->globals_change && is_outside(f);
    uint32_t *words = NF_NEW(m->arena, uint32_t, (size_t)type->count + m->variable_count + 1), count = type->count + 1;
    for (uint32_t i = 0; i < count; i++)
        words[i] = is_interface ? interface_type(p, nf_type_operand(m, type->at, i)) : nf_type_operand(m, type->at, i);
    for (uint32_t i = 0; takes_copies(p, f) && i < m->variable_count; i++)
        if (is_copied(p, m->variables[i])) words[count++] = copy_type(p, m->variables[i]);
    return nf_edit_define(&p->to, OpTypeFunction, 0, words, count);
}

/* Writes a call of a function whose signature does not change: casts pointer arguments and the result. */
static void put_interface_call(struct nf_inputs *p, uint32_t at, const struct nf_function *f)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    const struct nf_type *type = nf_type(m, f->type);
    uint32_t length = nf_length(m, at), *words = NF_NEW(m->arena, uint32_t, length);
    bool back = type_changes(p, f->result_type);
    memcpy(words, m->words + at + 1, (length - 1) * sizeof *words);
    for (uint32_t i = 3; i < length - 1; i++) {
        uint32_t wanted = i - 3 < type->count ? nf_parameter_type(m, type->at, i - 3) : 0;
        if (p->replacement[words[i]]) words[i] = p->replacement[words[i]];
        if (type_changes(p, wanted))
            words[i] = nf_edit_value(e, OpGenericCastToPtr, interface_type(p, wanted), words[i], 0);
    }
    if (back) {
        words[0] = interface_type(p, f->result_type);
        words[1] = nf_build_id(&e->build);
    }
    nf_edit_emit(e, OpFunctionCall, words, length - 1);
    if (back) nf_edit_emit(e, OpPtrCastToGeneric, (uint32_t[]){f->result_type, nf_value_id(m, at), words[1]}, 3);
}

/* Appends pointers to the private copies of built-in variables to the arguments of the call at `start` of the
 * output. */
static void add_copies(struct nf_inputs *p, uint32_t start)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (is_copied(p, m->variables[i])) nf_append_word(&p->to.out, p->replacement[m->variables[i]]);
    p->to.out.at[start] = nf_first_word(OpFunctionCall, p->to.out.count - start);
}

/* Returns true if the cast `opcode` from pointer `from` to the type `to` becomes a cast between generic pointers. */
static bool is_generic_cast(const struct nf_inputs *p, uint32_t opcode, uint32_t from, uint32_t to)
{
    const struct nf_type *type = nf_type_of(p->to.m, from);
    if (opcode == OpPtrCastToGeneric) return type->storage == NF_STORAGE_CROSS_WORKGROUP && type_changes(p, type->id);
    return opcode == OpGenericCastToPtr && type_changes(p, to);
}

/* Casts the result of the OpGenericCastToPtrExplicit at `start` of the output to a generic pointer. */
static void cast_result(struct nf_inputs *p, uint32_t start)
{
    struct nf_edit *e = &p->to;
    uint32_t type = e->out.at[start + 1], id = e->out.at[start + 2], pointer = nf_build_id(&e->build);
    e->out.at[start + 1] = interface_type(p, type);
    e->out.at[start + 2] = pointer;
    nf_edit_emit(e, OpPtrCastToGeneric, (uint32_t[]){type, id, pointer}, 3);
}

/* Returns the callee if its signature keeps the original pointer types, else NULL. */
static const struct nf_function *callee_with_interface_types(const struct nf_inputs *p, uint32_t at)
{
    bool call = p->globals_change && nf_opcode(p->to.m, at) == OpFunctionCall;
    return call && is_outside(nf_called_function(p->to.m, at)) ? nf_called_function(p->to.m, at) : NULL;
}

/* Returns true if the instruction makes a pointer that is used only by loads that put_load() replaces. */
static bool is_unused(const struct nf_inputs *p, uint32_t at)
{
    uint32_t id = nf_result_id(p->to.m, at);
    return id && p->addresses[id].base && !(p->marks[id] & NF_INPUT_KEPT);
}

static void put_other(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at), start = e->out.count;
    nf_edit_mapped(&p->to, at, p->replacement);
    if (id && p->addresses[id].base) e->out.at[start + 1] = derived_type(p, id);
    if (opcode == OpFunctionCall && takes_copies(p, nf_called_function(m, at))) add_copies(p, start);
    if (nf_length(m, at) == 4 && is_generic_cast(p, opcode, nf_value_operand(m, at, 0), nf_value_type(m, at)))
        e->out.at[start] = nf_first_word(OpBitcast, 4);
    if (opcode == OpGenericCastToPtrExplicit && type_changes(p, nf_value_type(m, at))) cast_result(p, start);
}

static void put_instruction(struct nf_inputs *p, uint32_t at)
{
    const struct nf_function *callee = callee_with_interface_types(p, at);
    if (nf_is_replaced_load(p, at))
        put_load(p, at);
    else if (callee)
        put_interface_call(p, at, callee);
    else if (!is_unused(p, at))
        put_other(p, at);
}

/* ---- Functions ---- */

/* Marks `id` if it is a variable of which the function needs a copy, or a constant that is derived from the address of
 * such a variable. */
static void mark_needed(struct nf_inputs *p, uint32_t id)
{
    const struct nf_module *m = p->to.m;
    bool variable = nf_is_module_variable(m, id) && p->addresses[id].variable;
    if (p->marks[id] & NF_INPUT_NEEDED || (!variable && !(p->marks[id] & NF_INPUT_MADE))) return;
    p->marks[id] |= NF_INPUT_NEEDED;
    p->uses_copies = true;
    struct nf_ids ids = nf_ids_at(m, m->def[id]);
    while (!variable && nf_ids_next(&ids))
        mark_needed(p, nf_current_id(&ids));
}

static void find_needed(struct nf_inputs *p, const struct nf_function *f)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (nf_is_replaced_load(p, at) || is_unused(p, at)) continue;
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids))
            mark_needed(p, nf_current_id(&ids));
        bool hands = nf_opcode(m, at) == OpFunctionCall && takes_copies(p, nf_called_function(m, at));
        for (uint32_t i = 0; hands && i < m->variable_count; i++)
            if (is_copied(p, m->variables[i])) mark_needed(p, m->variables[i]);
    }
}

static void put_copies(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i], copy;
        const struct nf_type *type = nf_type_of(m, id);
        if (!(p->marks[id] & NF_INPUT_NEEDED)) continue;
        bool input = type->storage == NF_STORAGE_INPUT;
        copy = p->replacement[id] = nf_build_id(&p->to.build);
        uint32_t pointer = input ? type->id : private_pointer(p, type->element);
        nf_edit_emit(&p->to, OpVariable, (uint32_t[]){pointer, copy, NF_STORAGE_FUNCTION}, 3);
    }
}

static void fill_copies(struct nf_inputs *p)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i];
        const struct nf_type *type = nf_type_of(m, id);
        if (!(p->marks[id] & NF_INPUT_NEEDED)) continue;
        uint32_t value = nf_edit_value(e, OpLoad, type->element, id, 0), align = nf_type(m, type->element)->align;
        nf_edit_emit(e, OpStore, (uint32_t[]){p->replacement[id], value, NF_MEMORY_ALIGNED, align}, 4);
        if (type->storage != NF_STORAGE_INPUT && type_changes(p, type->id))
            p->replacement[id] = nf_edit_value(e, OpPtrCastToGeneric, type->id, p->replacement[id], 0);
    }
}

/* Writes a MADE constant as an instruction with a new id. */
static void put_made(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    uint32_t id = nf_result_id(m, at), length = nf_length(m, at);
    bool computed = nf_opcode(m, at) == OpSpecConstantOp;
    uint32_t *words = NF_NEW(m->arena, uint32_t, length + 1), *operands = words + 2 + computed;
    memcpy(words, m->words + at + 1, (length - 1) * sizeof *words);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (p->replacement[nf_current_id(&ids)]) words[ids.at - 1] = p->replacement[nf_current_id(&ids)];
    uint32_t opcode = computed ? nf_spec_opcode(m, at) : OpCompositeConstruct, type = derived_type(p, id);
    if (computed && is_generic_cast(p, opcode, nf_spec_operand(m, at, 0), nf_value_type(m, at))) opcode = OpBitcast;
    words[computed] = type;
    words[1 + computed] = p->replacement[id] = nf_build_id(&e->build);
    nf_edit_emit(e, opcode, operands - 2, length - 1 - computed);
}

/* Writes the code at a function's entry: it fills copies, computes the constants that are derived from their addresses,
 * and casts parameters to generic pointers. */
static void put_entry(struct nf_inputs *p, const struct nf_function *f, bool fills)
{
    const struct nf_module *m = p->to.m;
    if (p->uses_copies && fills) fill_copies(p);
    for (uint32_t at = p->first_made; p->uses_copies && at < p->last_made; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (id && p->marks[id] & NF_INPUT_MADE && p->marks[id] & NF_INPUT_NEEDED) put_made(p, at);
    }
    for (uint32_t at = f->at; f->entry_at && at < f->body; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter || !type_changes(p, nf_value_type(m, at))) continue;
        uint32_t id = nf_value_id(m, at);
        nf_edit_emit(&p->to, OpPtrCastToGeneric, (uint32_t[]){nf_value_type(m, at), id, p->interface_id[id]}, 3);
    }
}

/* Writes the function up to its first block, or to its end if it has none. */
static void put_head(struct nf_inputs *p, const struct nf_function *f)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    bool is_interface = p->globals_change && is_outside(f);
    for (uint32_t at = f->at; at < (f->body ? f->body : f->end); at = nf_next(m, at)) {
        uint32_t start = e->out.count, opcode = nf_opcode(m, at);
        nf_edit_keep(e, at, nf_next(m, at));
        if (opcode == OpFunction && (is_interface || takes_copies(p, f))) {
            if (is_interface) e->out.at[start + 1] = interface_type(p, f->result_type);
            e->out.at[start + 4] = function_type(p, f);
        }
        if (!is_interface || opcode != OpFunctionParameter || !type_changes(p, nf_value_type(m, at))) continue;
        e->out.at[start + 1] = interface_type(p, nf_value_type(m, at));
        if (!f->body) continue;
        e->out.at[start + 2] = p->interface_id[nf_value_id(m, at)] = nf_build_id(&e->build);
    }
}

/* Writes the parameters that are pointers to the kernel's copies. */
static void put_copy_parameters(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i];
        if (!is_copied(p, id)) continue;
        uint32_t words[] = {copy_type(p, id), p->replacement[id] = nf_build_id(&p->to.build)};
        nf_edit_emit(&p->to, OpFunctionParameter, words, 2);
    }
}

static void forget(struct nf_inputs *p, uint32_t id)
{
    bool own = id && (is_copied(p, id) || p->marks[id] & NF_INPUT_MADE);
    if (!own) return;
    p->marks[id] &= (uint8_t)~NF_INPUT_NEEDED;
    p->replacement[id] = 0;
}

static void forget_needed(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t i = 0; i < m->variable_count; i++)
        forget(p, m->variables[i]);
    for (uint32_t at = p->first_made; at < p->last_made; at = nf_next(m, at))
        forget(p, nf_result_id(m, at));
    p->uses_copies = false;
}

static void put_function(struct nf_inputs *p, const struct nf_function *f)
{
    const struct nf_module *m = p->to.m;
    put_head(p, f);
    if (!f->body) return;
    find_needed(p, f);
    bool given = takes_copies(p, f);
    if (given) put_copy_parameters(p);
    uint32_t behind = nf_after_variables(m, f);
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (at == behind) put_entry(p, f, !given);
        put_instruction(p, at);
        if (at == f->body && p->uses_copies && !given) put_copies(p);
    }
    forget_needed(p);
}

/* ---- The module scope ---- */

/* Returns true if the output has no definition of the id. */
static bool is_dropped(const struct nf_inputs *p, uint32_t id)
{
    return id < p->to.m->bound &&
           (p->marks[id] & NF_INPUT_MADE || (p->addresses[id].base && !(p->marks[id] & NF_INPUT_KEPT)));
}

/* Writes a name or a decoration, unless its target is gone; a changed parameter of a kernel has a new id. */
static void put_annotation(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    uint32_t id = nf_annotated_id(m, at), start = e->out.count;
    if (is_dropped(p, id)) return;
    nf_edit_keep(e, at, nf_next(m, at));
    if (nf_match(m, id, OpFunctionParameter) && p->interface_id[id]) e->out.at[start + 1] = p->interface_id[id];
}

static void put_pointer_type(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    uint32_t start = e->out.count, storage = nf_pointer_storage_class(e->m, at), id = nf_declared_id(e->m, at);
    nf_edit_keep(e, at, nf_next(e->m, at));
    if (!changes(p, storage)) return;
    e->out.at[start + 2] = storage == NF_STORAGE_INPUT ? NF_STORAGE_FUNCTION : NF_STORAGE_GENERIC;
    if (nf_opcode(e->m, at) == OpTypePointer && p->interface_id[id])
        nf_edit_emit(e, OpTypePointer, (uint32_t[]){p->interface_id[id], storage, nf_pointee_type(e->m, at)}, 3);
}

static void put_variable(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    const struct nf_module *m = e->m;
    uint32_t id = nf_value_id(m, at), type = nf_value_type(m, at), start = e->out.count;
    bool built_in = p->addresses[id].variable,
         moves = built_in && p->moves && nf_variable_storage_class(m, at) != NF_STORAGE_INPUT;
    if (moves) { /* its type is new, so it follows all other definitions */
        uint32_t words[] = {nf_build_id(&e->build), NF_STORAGE_INPUT, nf_type(m, type)->element};
        nf_build(&e->build.definitions, OpTypePointer, words, 3);
        nf_build(&e->build.definitions, OpVariable, (uint32_t[]){words[0], id, NF_STORAGE_INPUT}, 3);
        return;
    }
    nf_edit_keep(e, at, nf_next(m, at));
    e->out.at[start + 1] = interface_type(p, type);
    if (nf_length(m, at) > 4 && p->replacement[nf_variable_initializer(m, at)])
        e->out.at[start + 4] = p->replacement[nf_variable_initializer(m, at)];
    if (built_in || !type_changes(p, type)) return;
    nf_edit_emit(e, OpSpecConstantOp, (uint32_t[]){type, p->replacement[id], OpPtrCastToGeneric, id}, 4);
}

static void put_constant(struct nf_inputs *p, uint32_t at)
{
    struct nf_edit *e = &p->to;
    uint32_t start = e->out.count;
    if (p->marks[nf_value_id(e->m, at)] & NF_INPUT_MADE) return;
    nf_edit_mapped(&p->to, at, p->replacement);
    if (nf_opcode(e->m, at) == OpSpecConstantOp &&
        is_generic_cast(p, nf_spec_opcode(e->m, at), nf_spec_operand(e->m, at, 0), nf_value_type(e->m, at)))
        e->out.at[start + 3] = OpBitcast;
}

static void put_module_scope(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (opcode == OpName || opcode == OpDecorate || opcode == OpDecorateId || opcode == OpDecorateString)
            put_annotation(p, at);
        else if (opcode == OpTypePointer || opcode == OpTypeForwardPointer)
            put_pointer_type(p, at);
        else if (opcode == OpVariable)
            put_variable(p, at);
        else if (nf_is_made_constant(opcode))
            put_constant(p, at);
        else
            nf_edit_keep(&p->to, at, nf_next(m, at));
    }
}

/* Assigns ids for the original types of variables, and for global variables as generic pointers. */
static void prepare_variables(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i], type = nf_value_type(m, m->def[id]);
        if (!type_changes(p, type)) continue;
        interface_type(p, type);
        if (!p->addresses[id].variable) p->replacement[id] = nf_build_id(&p->to.build);
    }
}

static struct nf_words put_module(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    prepare_variables(p);
    for (uint32_t i = 1; i < m->function_count; i++)
        put_function(p, &m->functions[i]);
    if (p->globals_change) nf_edit_need(&p->to, NF_CAPABILITY_GENERIC_POINTER);
    nf_edit_module_scope(&p->to);
    put_module_scope(p);
    return nf_edit_end(&p->to);
}

/* ---- The stage ---- */

/* Returns true if the module has a built-in variable with other uses than loads of the whole variable or, with `moves`,
 * in another storage class than Input. */
static bool has_partial_use(const struct nf_module *m, bool moves)
{
    bool *built_in = NULL;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t id = nf_opcode(m, at) == OpDecorate ? nf_annotated_id(m, at) : 0;
        if (!id || nf_decoration_at(m, at) != NF_DECORATION_BUILT_IN || !nf_is_module_variable(m, id)) continue;
        if (moves && nf_variable_storage_class(m, m->def[id]) != NF_STORAGE_INPUT) return true;
        if (!built_in) built_in = NF_NEW(m->arena, bool, m->bound);
        built_in[id] = true;
    }
    for (uint32_t at = NF_HEADER_WORDS; built_in && at < m->count; at = nf_next(m, at)) {
        if (nf_uses_no_address(m, at)) continue;
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t id = nf_current_id(&ids);
            if (!built_in[id]) continue;
            uint32_t pointee = nf_pointee_type(m, m->def[nf_value_type(m, m->def[id])]);
            if (nf_opcode(m, at) != OpLoad || nf_value_type(m, at) != pointee) return true;
        }
    }
    return false;
}

bool nf_lower_inputs(struct nf_module *m, struct nf_words *lowered)
{
    const uint32_t moving = NF_PROFILE_VALIDATES | NF_PROFILE_NO_WRITABLE_GLOBALS;
    uint32_t flags = m->options->profile ? m->options->profile->flags : 0;
    bool moves = flags & moving && !(flags & NF_PROFILE_SPIR12);
    if (!(flags & (moving | NF_PROFILE_SPIR12)) || !has_partial_use(m, moves)) return false;
    nf_order(m);
    if (nf_lower_byte_chains(m, lowered)) nf_read_again(m, lowered);
    nf_types(m);
    struct nf_inputs p = {.to = nf_edit_begin(m), .moves = moves};
    p.addresses = NF_NEW(m->arena, struct nf_input_address, m->bound);
    p.marks = NF_NEW(m->arena, uint8_t, m->bound);
    p.replacement = NF_NEW(m->arena, uint32_t, m->bound);
    p.interface_id = NF_NEW(m->arena, uint32_t, m->bound);
    nf_find_input_uses(&p);
    if (!p.must_change) return false;
    *lowered = put_module(&p);
    return true;
}
