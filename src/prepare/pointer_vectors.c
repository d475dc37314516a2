/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer_vectors.c - splits vectors of generic pointers into components for instructions that compute with whole
 * vectors (SPV_INTEL_masked_gather_scatter): access chains, casts, conversions and comparisons.
 *
 *     %q = OpInBoundsPtrAccessChain %v2ptr %p %i     %p0 = OpCompositeExtract %ptr %p 0
 *                                                    %i0 = OpCompositeExtract %ulong %i 0
 *                                                    %q0 = OpInBoundsPtrAccessChain %ptr %p0 %i0    (and 1)
 *                                                    %q = OpCompositeConstruct %v2ptr %q0 %q1
 *
 * Each component may have several spaces, so no single instruction of the output could compute the whole vector.
 * Instructions that move whole vectors (phi, select, loads, gathers) and casts to integers as wide as an address do not
 * change: such a vector is a vector of integers in the output. A bit cast between a vector of generic pointers and a
 * type with another number of components becomes a bit cast of a vector of integers. The hard case is a scalar operand,
 * which is used for all components: one pointer or one index.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

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

static bool is_lowered(const struct nf_module *m, uint32_t at)
{
    return computes_with_vector(m, at) || changes_form(m, at);
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
    if (changes_form(m, at))
        put_bitcast(e, at);
    else
        nf_edit_by_component(e, at);
    return true;
}

bool nf_lower_pointer_vectors(struct nf_module *m, struct nf_words *lowered)
{
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        any |= nf_opcode(m, at) == OpTypeVector && nf_is_generic_type_at(m, m->def[nf_element_type(m, at)]);
    if (!any) return false;
    nf_types(m);
    return nf_edit_where(m, is_lowered, put, lowered);
}
