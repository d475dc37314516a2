/* SPDX-License-Identifier: Apache-2.0 */
/*
 * typed_pointers_in_memory.c - private and local pointers that lie in memory or are members of an aggregate.
 *
 *          OpStore %cell %p                    %b = the flat address of %p
 *                                              %q = OpConvertUToPtr %_ptr_Function_int %b
 *                                                   OpStore %cell %q
 *     %r = OpLoad %_ptr_Function_int %cell     %q = OpLoad %_ptr_Function_int %cell, and back
 *
 * A pointer in memory is a flat address whatever its type, because the same bytes may be loaded as an integer, as a
 * generic pointer, or partially. Only promotable variables hold the pointer itself. Hard cases are a constant address
 * or null in an initializer, which is a device address, and the address of a function, which compilers store as a
 * pointer to private bytes. In a module with one of them, a loaded integer other than 0 that is outside of all windows
 * is treated as a device address.
 *
 * needs: nf_analysis.promotable and flat addresses (flat.c).  gives: loads, stores and constructions of such pointers.
 */
#include "rewrite/internal.h"

bool nf_has_flat_address(const struct nf_output *o, const struct nf_type *type)
{
    if (type->kind != NF_KIND_POINTER || !type->element || type->storage == NF_STORAGE_GENERIC) return false;
    nf_set space = nf_space_of(o->m, type);
    return space && !nf_has_identity_address(o, space);
}

static bool is_aggregate(const struct nf_type *type)
{
    return type->kind == NF_KIND_STRUCT || type->kind == NF_KIND_ARRAY;
}

/* Returns true if an aggregate constant or an initializer holds a concrete pointer, which may be null. */
static bool has_constant_addresses(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        bool variable = nf_opcode(m, at) == OpVariable;
        uint32_t id = !variable ? nf_result_id(m, at) : nf_length(m, at) > 4 ? nf_variable_initializer(m, at) : 0;
        const struct nf_type *type = nf_type_of(m, id);
        if (type->concrete && (variable || is_aggregate(type))) return true;
    }
    return false;
}

static bool has_function_addresses(const struct nf_module *m)
{
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].address_taken) return true;
    return false;
}

void nf_find_concrete_memory(struct nf_output *o)
{
    const struct nf_module *m = o->m;
    if (nf_keeps_generic(o)) return;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && !o->concrete_memory; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), first = opcode == OpTypePointer ? 3 : 2;
        if (opcode != OpTypePointer && opcode != OpTypeStruct && opcode != OpTypeArray) continue;
        for (uint32_t i = first; i < nf_length(m, at) && (i == first || opcode == OpTypeStruct); i++)
            o->concrete_memory |= nf_has_flat_address(o, nf_type(m, nf_word(m, at, i)));
    }
    bool code = o->concrete_memory && has_function_addresses(m);
    o->raw_addresses = code || (o->concrete_memory && has_constant_addresses(m));
    if (code) o->body.raw_of = NF_NEW_ARRAY(o->m->arena, uint32_t, m->bound);
}

static bool may_be_code(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    if (m->def[id] < m->body_at) return nf_is_constant_function_address(m, id);
    return nf_evidence_of(o, id) & NF_CODE;
}

uint32_t nf_stored_pointer(struct nf_output *o, uint32_t id)
{
    struct nf_module *m = o->m;
    const struct nf_type *type = nf_type_of(m, id);
    if (may_be_code(o, id)) return nf_mapped(o, id);
    uint32_t pointer = nf_mapped(o, id), type_id = nf_memory_type(o, type->id);
    uint32_t integer = nf_pointer_to_integer(o, pointer, type_id, nf_space_of(m, type), nf_is_non_null(m, id));
    return NF_EMIT_NEW(o, OpConvertUToPtr, type_id, integer);
}

bool nf_stores_typed_pointer(const struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    if (!o->concrete_memory || nf_opcode(m, at) != OpStore || m->analysis->promotable[nf_store_pointer(m, at)])
        return false;
    return nf_has_flat_address(o, nf_type_of(m, nf_store_object(m, at)));
}

bool nf_loads_typed_pointer(const struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at);
    if (opcode != OpLoad && opcode != OpCompositeExtract) return false;
    if (!nf_has_flat_address(o, nf_type(m, nf_value_type(m, at)))) return false;
    return opcode == OpLoad ? !m->analysis->promotable[nf_load_pointer(m, at)]
                            : is_aggregate(nf_type_of(m, nf_value_operand(m, at, 0)));
}

void nf_emit_loaded_pointer(struct nf_output *o, uint32_t at, uint32_t raw)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_value_id(m, at), type = nf_memory_type(o, nf_value_type(m, at));
    nf_set space = nf_space_of(m, nf_type(m, nf_value_type(m, at)));
    uint32_t integer = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, raw);
    uint32_t pointer = o->raw_addresses ? nf_pointer_from_raw(o, integer, type, space)
                                        : nf_pointer_from_integer(o, integer, type, space);
    if (o->body.raw_of) o->body.raw_of[id] = raw;
    if (o->body.f->unknown_ops)
        NF_EMIT(o, OpCopyObject, type, o->body.renamed[id], pointer);
    else
        nf_rename_to(o, id, pointer);
}

bool nf_emit_concrete_parts(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at), length = nf_length(m, at), *words, count = 0;
    if (opcode != OpCompositeConstruct && opcode != OpCompositeInsert) return false;
    uint32_t end = opcode == OpCompositeInsert ? 4 : length;
    for (uint32_t i = 3; i < end && is_aggregate(nf_type(m, nf_value_type(m, at))); i++)
        count += nf_has_flat_address(o, nf_type_of(m, nf_word(m, at, i)));
    if (!count) return false;
    words = NF_NEW(m->arena, uint32_t, length);
    memcpy(words, m->words + at, length * sizeof *words);
    words[1] = nf_memory_type(o, words[1]);
    words[2] = o->body.renamed[words[2]];
    for (uint32_t i = 3; i < end; i++)
        words[i] = nf_has_flat_address(o, nf_type_of(m, words[i])) ? nf_stored_pointer(o, words[i])
                                                                   : nf_memory_form(o, words[i]);
    if (opcode == OpCompositeInsert) words[4] = nf_memory_form(o, words[4]);
    nf_append_words(&o->bodies, words, length);
    return true;
}

/* Casts the pointer as loaded, because drivers crash on a call of a function pointer that was computed. */
bool nf_emit_code_pointer(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    if (nf_opcode(m, at) != OpBitcast || !o->body.raw_of[nf_value_operand(m, at, 0)]) return false;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    if (type->kind != NF_KIND_POINTER || nf_space_of(m, type) != NF_CODE) return false;
    NF_EMIT(o, OpBitcast, nf_memory_type(o, type->id), o->body.renamed[nf_value_id(m, at)],
            o->body.raw_of[nf_value_operand(m, at, 0)]);
    return true;
}
