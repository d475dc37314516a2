/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.c - writes the sections of the output module.
 *
 * Types of the input stay in place. The storage class Generic occurs in the output of hint mode only: in other modes,
 * generic pointers inside types become integers, so that no struct is cloned and all sizes and offsets stay.
 *
 *     %node = OpTypeStruct %int %_ptr_Generic_node       %node = OpTypeStruct %int %ulong
 *     %table = OpConstantComposite %arr %g0 %g1          ... of OpSpecConstantOp %ulong ConvertPtrToU ...
 *
 * The hard case is a constant that holds a generic pointer: the address is known on the device only, so the integer is
 * an OpSpecConstantOp expression, which adds the base of the window if the space has one.
 *
 * needs: the bodies, the selected types and constants (definitions.c).  gives: the output's words.
 */
#include "rewrite/internal.h"

/* ---- Constants that hold generic pointers ---- */

struct writer {
    struct nf_output *o;
    struct nf_words *out;
    uint32_t zero;          /* id of the address constant 0; 0: not written yet */
    struct nf_words mapped; /* the current instruction, ids mapped */
};

static uint32_t put_definition(struct writer *w, uint32_t opcode, uint32_t type, const uint32_t *operands,
                               uint32_t count)
{
    uint32_t id = nf_new_id(w->o);
    nf_append_words(w->out, (uint32_t[]){nf_first_word(opcode, count + 3), type, id}, 3);
    nf_append_words(w->out, operands, count);
    return id;
}

static uint32_t put_address(struct writer *w, uint64_t value)
{
    uint32_t words = w->o->m->address_bits == 64 ? 2 : 1;
    return put_definition(w, OpConstant, w->o->address_type, (uint32_t[]){(uint32_t)value, (uint32_t)(value >> 32)},
                          words);
}

static uint32_t put_operation(struct writer *w, uint32_t opcode, uint32_t a, uint32_t b)
{
    return put_definition(w, OpSpecConstantOp, w->o->address_type, (uint32_t[]){opcode, a, b}, 3);
}

/* Writes emit_exchanged() of flat.c as constant expressions: moves a buffer's number from bit 48 to bit 32. */
static uint32_t put_exchanged(struct writer *w, uint32_t address)
{
    uint32_t by_32 = put_address(w, 32), by_48 = put_address(w, 48), half = put_address(w, NF_HALF_OF_OFFSETS);
    uint32_t x = put_operation(w, OpIAdd, address, half);
    uint32_t low = put_operation(w, OpBitwiseAnd, x, put_address(w, 0xffffffffu));
    uint32_t number = put_operation(w, OpShiftRightLogical, x, by_48);
    uint32_t high = put_operation(w, OpShiftRightLogical, x, by_32);
    uint32_t down = put_operation(w, OpShiftLeftLogical, number, by_32);
    uint32_t up = put_operation(w, OpShiftLeftLogical, high, by_48);
    uint32_t both = put_operation(w, OpBitwiseOr, down, up);
    return put_operation(w, OpISub, put_operation(w, OpBitwiseOr, both, low), half);
}

static uint32_t flat_constant(struct writer *w, uint32_t pointer, nf_set space)
{
    uint32_t address =
        put_definition(w, OpSpecConstantOp, w->o->address_type, (uint32_t[]){OpConvertPtrToU, pointer}, 2);
    if (w->o->numbered && space == NF_GLOBAL) return put_exchanged(w, address);
    const struct nf_window *window = nf_first_window(w->o, space);
    if (!window) return address;
    uint32_t sum = put_operation(w, OpIAdd, address, put_address(w, window->base - window->start));
    if (!window->start) return sum;
    uint32_t low = put_operation(w, OpBitwiseAnd, sum, put_address(w, NF_PROCESS_ADDRESSES));
    return put_operation(w, OpIAdd, low, put_address(w, window->start));
}

/* Returns the constant pointer in the space; its pointee may differ if it is no part of an expression (`is_whole`). */
static uint32_t concrete_part(struct writer *w, uint32_t id, nf_set space, bool is_whole);

static uint32_t constant_number(struct writer *w, uint32_t id)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    nf_set set = nf_set_of(m, NULL, id);
    if (nf_is_number_constant(m, id)) return nf_memory_type(o, nf_spec_operand(m, m->def[id], 0));
    if (!set) {
        if (!w->zero) w->zero = put_definition(w, OpConstantNull, o->address_type, NULL, 0);
        return w->zero;
    }
    if (!nf_single(set) || set == NF_PRIVATE || (set == NF_LOCAL && m->address_bits == 32 && !nf_first_window(o, set)))
        nf_fail(m->arena, NF_REFUSED, m->def[id], "an initializer contains an address whose space is not known");
    return flat_constant(w, concrete_part(w, id, set, true), set);
}

static uint32_t concrete_part(struct writer *w, uint32_t id, nf_set space, bool is_whole)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    uint32_t at = m->def[id], length = nf_length(m, at), words[32];
    if (!nf_is_generic(m, nf_result_type(m, at))) return nf_memory_type(o, id);
    if (nf_opcode(m, at) != OpSpecConstantOp || length > 32)
        nf_fail(m->arena, NF_REFUSED, at, "an initializer cannot be written without generic pointers");
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    bool cast = nf_spec_opcode(m, at) == OpPtrCastToGeneric;
    if (cast && (is_whole || nf_type_of(m, nf_spec_operand(m, at, 0))->element == type->element))
        return nf_memory_type(o, nf_spec_operand(m, at, 0));
    words[0] = cast ? OpBitcast : nf_spec_opcode(m, at);
    for (uint32_t i = 1; i < length - 3; i++) {
        uint32_t operand = nf_value_operand(m, at, i);
        bool generic = operand < m->bound && m->def[operand] && nf_is_generic(m, nf_result_type(m, m->def[operand]));
        words[i] = generic ? concrete_part(w, operand, space, false) : nf_memory_type(o, operand);
    }
    uint32_t storage = nf_storage_of_space(m, space), pointee = nf_memory_type(o, type->element),
             key[4] = {OpTypePointer, 0, storage, pointee};
    uint32_t pointer = nf_find_made(&o->build, key, 4);
    if (!pointer || pointer >= m->bound) {
        pointer = nf_new_id(o);
        nf_append_words(w->out, (uint32_t[]){nf_first_word(OpTypePointer, 4), pointer, storage, pointee}, 4);
    }
    return put_definition(w, OpSpecConstantOp, pointer, words, length - 3);
}

/* Writes a constant cast from Generic to a concrete pointer. DPC++ writes such a cast of null as the initializer of a
 * variable that holds a concrete pointer. The cast's operand is not generic in the output, so the cast becomes a
 * bitcast, or null if the operand is null or points to another space. Returns false for any other instruction. */
static bool put_cast_back(struct writer *w, uint32_t at)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    if (!nf_is_spec_op(m, at, OpGenericCastToPtr)) return false;
    uint32_t id = nf_value_id(m, at), operand = nf_spec_operand(m, at, 0),
             type = nf_memory_type(o, nf_value_type(m, at));
    nf_set set = nf_set_of(m, NULL, operand);
    if (!set || set != nf_space_of(m, nf_type_of(m, id))) {
        nf_append_words(w->out, (uint32_t[]){nf_first_word(OpConstantNull, 3), type, id}, 3);
    } else {
        uint32_t part = concrete_part(w, operand, set, true);
        nf_append_words(w->out, (uint32_t[]){nf_first_word(OpSpecConstantOp, 5), type, id, OpBitcast, part}, 5);
    }
    return true;
}

/* Writes a constant conversion of a pointer to an integer: a generic operand is an integer already, a private or local
 * operand becomes a flat address. Returns false, and writes nothing, if the instruction can be copied. */
static bool put_constant_integer(struct writer *w, uint32_t at)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    if (!nf_is_spec_op(m, at, OpConvertPtrToU)) return false;
    uint32_t id = nf_value_id(m, at), operand = nf_spec_operand(m, at, 0),
             type = nf_memory_type(o, nf_value_type(m, at));
    const struct nf_type *pointer = nf_type_of(m, operand);
    bool generic = nf_is_generic_pointer(pointer);
    if (!generic && !nf_has_flat_address(o, pointer)) return false;
    if (generic && !nf_set_of(m, NULL, operand)) { /* null */
        nf_append_words(w->out, (uint32_t[]){nf_first_word(OpConstantNull, 3), type, id}, 3);
        return true;
    }
    uint32_t integer =
        generic ? constant_number(w, operand) : flat_constant(w, nf_memory_type(o, operand), nf_space_of(m, pointer));
    /* The integer already has an id: adding zero defines `id` with the same value. */
    bool same = type == o->address_type;
    uint32_t words[6] = {
        nf_first_word(OpSpecConstantOp, same ? 6 : 5), type, id, same ? OpIAdd : OpUConvert, integer, 0};
    if (same) words[5] = put_definition(w, OpConstantNull, type, NULL, 0);
    nf_append_words(w->out, words, same ? 6 : 5);
    return true;
}

/* ---- Sections ---- */

static void put_mapped(struct writer *w, uint32_t at)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (m->options->mode != NF_MODE_HINT && (put_cast_back(w, at) || put_constant_integer(w, at))) return;
    w->mapped.count = 0;
    nf_append_words(&w->mapped, m->words + at, nf_length(m, at));
    uint32_t *words = w->mapped.at;
    if (nf_has_type(op)) words[1] = nf_memory_type(o, words[1]);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = words[ids.at];
        if (nf_is_defined_in_body(m, id)) continue;
        bool value = id < m->bound && m->def[id] && nf_is_generic(m, nf_result_type(m, m->def[id]));
        if (value && m->options->mode != NF_MODE_HINT)
            words[ids.at] = constant_number(w, id);
        else
            words[ids.at] = nf_memory_type(o, id);
    }
    nf_append_words(w->out, words, w->mapped.count);
}

static void put_capability(struct nf_words *out, uint32_t capability)
{
    nf_append_words(out, (uint32_t[]){nf_first_word(OpCapability, 2), capability}, 2);
}

/* Writes the input's capabilities, without GenericPointer except in hint mode. GenericPointer implies Addresses, so
 * Addresses is declared if the input does not; the flat addresses of 64-bit devices need Int64. */
static void put_capabilities(struct nf_output *o, struct nf_words *out)
{
    const struct nf_module *m = o->m;
    bool keep = m->options->mode == NF_MODE_HINT;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && nf_opcode(m, at) == OpCapability; at = nf_next(m, at))
        if (keep || nf_capability_at(m, at) != NF_CAPABILITY_GENERIC_POINTER)
            put_capability(out, nf_capability_at(m, at));
    if (!keep && !nf_declares(m, NF_CAPABILITY_ADDRESSES)) put_capability(out, NF_CAPABILITY_ADDRESSES);
    if (m->address_bits == 64 && !nf_declares(m, NF_CAPABILITY_INT64)) put_capability(out, NF_CAPABILITY_INT64);
}

static bool is_used_definition(const struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at);
    if (m->options->mode != NF_MODE_HINT && nf_is_generic(m, type)) return false;
    return o->used[id] && !o->type_of_type[id];
}

/* Returns true if all instructions of the opcode at module scope come before the types. */
static bool comes_before_types(uint32_t opcode)
{
    if (opcode == OpExtInst || opcode == OpUndef || opcode == OpLine) return false;
    return opcode < OpTypeVoid || nf_is_annotation(opcode) || opcode == OpExecutionModeId ||
           opcode == OpModuleProcessed;
}

/* Writes a debug instruction: DebugInfoNone for a function that the output lacks, CrossWorkgroup for Generic. */
static void put_debug_information(struct writer *w, uint32_t at)
{
    struct nf_module *m = w->o->m;
    put_mapped(w, at);
    uint32_t *words = w->out->at + w->out->count - nf_length(m, at);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t id = nf_current_operand(&walk);
        if (walk.kind == NF_OPERAND_ID && nf_is_defined_in_body(m, id) && !nf_is_emitted(w->o, id))
            words[walk.at] = w->o->debug_none;
    }
    enum { DEBUG_TYPE_POINTER = 3, STORAGE_WORD = 6 };
    if (nf_extended_set(m, at) == m->ext_debug && nf_extended_number(m, at) == DEBUG_TYPE_POINTER &&
        words[STORAGE_WORD] == NF_STORAGE_GENERIC)
        words[STORAGE_WORD] = NF_STORAGE_CROSS_WORKGROUP;
}

/* Writes the used declarations of alias scopes that precede all types: newer validators accept them only there. Returns
 * the word offset of the first other definition. */
static uint32_t put_leading_aliases(struct writer *w)
{
    struct nf_module *m = w->o->m;
    uint32_t at = NF_HEADER_WORDS;
    for (; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        bool is_alias = opcode >= OpAliasDomainDeclINTEL && opcode <= OpAliasScopeListDeclINTEL;
        if (!is_alias && !comes_before_types(opcode)) break;
        if (is_alias && is_used_definition(w->o, at)) put_mapped(w, at);
    }
    return at;
}

static void put_definitions(struct writer *w)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    uint32_t first = put_leading_aliases(w);
    nf_append_words(w->out, o->early.at, o->early.count);
    uint32_t hoisted = o->address_type < m->bound && o->used[o->address_type] ? m->def[o->address_type] : 0;
    if (hoisted) nf_append_words(w->out, m->words + hoisted, nf_length(m, hoisted));
    for (uint32_t at = first; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
        if (comes_before_types(opcode) || at == hoisted) continue;
        if (opcode == OpTypeForwardPointer) {
            if (nf_is_emitted(o, nf_effect_operand(m, at, 0))) nf_append_words(w->out, m->words + at, 3);
        } else if (opcode == OpExtInst) {
            put_debug_information(w, at);
        } else if (!id || is_used_definition(o, at)) {
            put_mapped(w, at);
        }
    }
    nf_append_words(w->out, o->build.definitions.at, o->build.definitions.count);
}

static void put_head(struct writer *w)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    bool annotated = false, entered = false;
    put_capabilities(o, w->out);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (!opcode || opcode == OpCapability || !comes_before_types(opcode)) continue;
        if (entered && opcode != OpEntryPoint) {
            nf_emit_vector_hints(o, w->out);
            entered = false;
        }
        entered |= opcode == OpEntryPoint;
        bool behind_names = opcode == OpModuleProcessed || (opcode > OpMemberName && nf_is_annotation(opcode));
        if (behind_names && !annotated) {
            nf_append_words(w->out, o->names.at, o->names.count);
            annotated = true;
        }
        if (nf_is_annotation(opcode))
            nf_emit_annotation(o, w->out, at);
        else
            nf_append_words(w->out, m->words + at, nf_length(m, at));
    }
    if (entered) nf_emit_vector_hints(o, w->out);
    if (!annotated) nf_append_words(w->out, o->names.at, o->names.count);
}

void nf_write_module(struct nf_output *o, struct nf_words *output)
{
    struct nf_module *m = o->m;
    struct writer w = {.o = o, .out = output, .mapped = {.arena = m->arena}};
    nf_find_used(o);
    nf_note_kernel_names(o);
    nf_reserve_words(output, (size_t)m->body_at + o->build.definitions.count + o->helpers.count + o->bodies.count + 64);
    nf_append_words(output, m->words, NF_HEADER_WORDS);
    put_head(&w);
    put_definitions(&w);
    nf_append_words(output, o->declarations.at, o->declarations.count);
    nf_append_words(output, o->helpers.at, o->helpers.count);
    nf_append_words(output, o->bodies.at, o->bodies.count);
    nf_arena_drop(m->arena, w.mapped.at);
    nf_arena_drop(m->arena, o->bodies.at);
    nf_arena_drop(m->arena, o->helpers.at);
    nf_arena_drop(m->arena, o->build.definitions.at);
    output->at[3] = o->build.next_id;
}
