/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer_vectors.c - splits vectors of pointers (SPV_INTEL_masked_gather_scatter) into components: of generic pointers
 * for instructions that compute with whole vectors (access chains, casts, conversions and comparisons), and of private
 * and local pointers for loads and stores.
 *
 *     %q = OpInBoundsPtrAccessChain %v2ptr %p %i     %p0 = OpCompositeExtract %ptr %p 0
 *                                                    %i0 = OpCompositeExtract %ulong %i 0
 *                                                    %q0 = OpInBoundsPtrAccessChain %ptr %p0 %i0    (and 1)
 *                                                    %q = OpCompositeConstruct %v2ptr %q0 %q1
 *
 * Each component may have several spaces, so no single instruction of the output could compute the whole vector.
 * Instructions that move whole vectors (phi, select, loads, gathers) and casts to integers as wide as an address do not
 * change: such a vector is a vector of integers in the output. A bit cast between a vector of generic pointers and a
 * type with another number of components becomes a bit cast of a vector of integers. A private or local pointer is
 * converted when it is loaded or stored, because it is a flat address in memory. The hard case is a scalar operand,
 * which is used for all components: one pointer or one index.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

enum { WIDEST = 16 }; /* a vector with more components is not valid */

static bool computes(enum nf_role role)
{
    switch (role) {
    case NF_ROLE_chain:
    case NF_ROLE_cast:
    case NF_ROLE_cast_explicit:
    case NF_ROLE_to_pointer:
    case NF_ROLE_to_integer:
    case NF_ROLE_bitcast:
    case NF_ROLE_compare: return true;
    default: return false;
    }
}

/* Returns true if values of both types are the same vector of integers in the output. */
static bool is_same_in_memory(const struct nf_module *m, const struct nf_type *from, const struct nf_type *to)
{
    bool address = nf_is_generic_vector(to) || nf_width_of(m, nf_scalar_of(m, to)) == m->address_bits;
    return nf_is_generic_vector(from) && to->kind == NF_KIND_VECTOR && to->count == from->count && address;
}

static bool computes_with_vector(const struct nf_module *m, uint32_t at)
{
    enum nf_role role = nf_role_at(m, at);
    const struct nf_type *result = nf_type(m, nf_result_type(m, at));
    bool whole = nf_is_generic_vector(result);
    if (at < m->body_at || !computes(role) || result->kind != NF_KIND_VECTOR || result->count > WIDEST) return false;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        const struct nf_type *type = nf_type_of(m, nf_current_id(&ids));
        if (type->kind == NF_KIND_VECTOR && type->count != result->count) return false;
        whole |= nf_is_generic_vector(type);
    }
    bool moves = role == NF_ROLE_to_integer || role == NF_ROLE_bitcast;
    return whole && !(moves && is_same_in_memory(m, nf_type_of(m, nf_operand(m, at, 0)), result));
}

/* Returns true if the instruction is a bit cast between a vector of generic pointers and a type of another form, of at
 * most WIDEST components each. */
static bool changes_form(const struct nf_module *m, uint32_t at)
{
    if (at < m->body_at || nf_opcode(m, at) != OpBitcast) return false;
    const struct nf_type *from = nf_type_of(m, nf_operand(m, at, 0)), *to = nf_type(m, nf_result_type(m, at));
    bool vectors = from->kind == NF_KIND_VECTOR && to->kind == NF_KIND_VECTOR && from->count == to->count;
    return (nf_is_generic_vector(from) || nf_is_generic_vector(to)) && !vectors && from->count <= WIDEST &&
           to->count <= WIDEST;
}

/* Returns the type that an OpLoad loads or an OpStore stores. */
static const struct nf_type *moved_type(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpLoad ? nf_type(m, nf_value_type(m, at)) : nf_type_of(m, nf_store_object(m, at));
}

/* Returns true if the instruction loads or stores a vector of pointers that are flat addresses in memory. */
static bool moves_flat_pointers(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (at < m->body_at || (opcode != OpLoad && opcode != OpStore)) return false;
    const struct nf_type *type = moved_type(m, at);
    return type->kind == NF_KIND_VECTOR && type->count <= WIDEST && nf_is_flat_pointer(m, type->element);
}

static bool is_lowered(const struct nf_module *m, uint32_t at)
{
    return computes_with_vector(m, at) || changes_form(m, at) || moves_flat_pointers(m, at);
}

/* Emits the load or the store for component `n` of the vector of pointers of type `element`. Returns the loaded
 * pointer. */
static uint32_t put_component(struct nf_edit *e, uint32_t at, uint32_t n, uint32_t element)
{
    const struct nf_module *m = e->m;
    bool load = nf_opcode(m, at) == OpLoad;
    uint32_t length = nf_length(m, at), *words = NF_NEW(m->arena, uint32_t, length), operands = load ? 4 : 3;
    uint32_t pointer = load ? nf_load_pointer(m, at) : nf_store_pointer(m, at), part = nf_build_id(&e->build);
    uint32_t type = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){nf_type_of(m, pointer)->storage, element}, 2);
    uint32_t place = nf_edit_value(e, OpInBoundsAccessChain, type, pointer, nf_edit_number(e, n));
    memcpy(words, m->words + at, length * sizeof *words);
    if (!load) nf_edit_emit(e, OpCompositeExtract, (uint32_t[]){element, part, nf_store_object(m, at), n}, 4);
    memcpy(words + 1, load ? (uint32_t[]){element, part, place} : (uint32_t[]){place, part}, (operands - 1) * 4);
    if (length > operands + 1 && words[operands] & NF_MEMORY_ALIGNED && words[operands + 1] > nf_word_size(m))
        words[operands + 1] = nf_word_size(m);
    nf_edit_emit(e, nf_opcode(m, at), words + 1, length - 1);
    return part;
}

static void put_access(struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    bool load = nf_opcode(m, at) == OpLoad;
    const struct nf_type *type = moved_type(m, at);
    uint32_t words[2 + WIDEST] = {type->id, load ? nf_value_id(m, at) : 0};
    for (uint32_t n = 0; n < type->count; n++)
        words[2 + n] = put_component(e, at, n, type->element);
    if (load) nf_edit_emit(e, OpCompositeConstruct, words, type->count + 2);
}

/* Emits the bit cast as a bit cast of a vector of integers as wide as an address. */
static void put_bitcast(struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t operand = nf_operand(m, at, 0), id = nf_value_id(m, at), words[2 + WIDEST];
    const struct nf_type *from = nf_type_of(m, operand), *to = nf_type(m, nf_value_type(m, at));
    uint32_t count = nf_is_generic_vector(to) ? to->count : from->count;
    uint32_t integer = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){m->address_bits, 0}, 2);
    uint32_t integers = nf_edit_define(e, OpTypeVector, 0, (uint32_t[]){integer, count}, 2);
    if (m->address_bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64);
    uint32_t middle = nf_edit_value(e, OpBitcast, integers, operand, 0);
    if (!nf_is_generic_vector(to)) {
        nf_edit_emit(e, OpBitcast, (uint32_t[]){to->id, id, middle}, 3);
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t component = nf_build_id(&e->build);
        nf_edit_emit(e, OpCompositeExtract, (uint32_t[]){integer, component, middle, n}, 4);
        words[2 + n] = nf_edit_value(e, OpConvertUToPtr, to->element, component, 0);
    }
    words[0] = to->id;
    words[1] = id;
    nf_edit_emit(e, OpCompositeConstruct, words, count + 2);
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    (void)data;
    if (!is_lowered(m, at)) return false;
    if (moves_flat_pointers(m, at))
        put_access(e, at);
    else if (changes_form(m, at))
        put_bitcast(e, at);
    else
        nf_edit_by_component(e, at);
    return true;
}

bool nf_lower_pointer_vectors(struct nf_module *m, struct nf_words *lowered)
{
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        any |= nf_opcode(m, at) == OpTypeVector && nf_is_pointer_type_at(m, m->def[nf_element_type(m, at)]);
    if (!any) return false;
    nf_types(m);
    return nf_edit_where(m, is_lowered, put, lowered);
}
