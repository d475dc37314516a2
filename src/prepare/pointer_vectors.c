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
 * The components may be in several memories each, so no instruction of the output could compute with all of them.
 * Instructions that move whole vectors (phi, select, loads, gathers) do not change, nor do casts to integers as wide as
 * an address: such a vector is one of integers in the output. The hard case is an operand that is one pointer or one
 * index for all components.
 *
 * needs: read.  gives: another module, to be read again.
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

/* Emits the instruction for component `n`. Returns the result. */
static uint32_t put_component(struct nf_edit *e, uint32_t at, uint32_t n)
{
    const struct nf_module *m = e->m;
    uint32_t length = nf_length(m, at), *words = NF_NEW(m->arena, uint32_t, length), id;
    memcpy(words, m->words + at + 1, (length - 1) * sizeof *words);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        const struct nf_type *type = nf_type_of(m, nf_current_id(&ids));
        if (type->kind != NF_KIND_VECTOR) continue;
        uint32_t component = nf_build_id(&e->build);
        nf_edit_emit(e, OpCompositeExtract, (uint32_t[]){type->element, component, nf_current_id(&ids), n}, 4);
        words[ids.at - 1] = component;
    }
    words[0] = nf_type(m, nf_value_type(m, at))->element;
    words[1] = id = nf_build_id(&e->build);
    nf_edit_emit(e, nf_opcode(m, at), words, length - 1);
    return id;
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    (void)data;
    if (!computes_with_vector(m, at)) return false;
    uint32_t count = nf_type(m, nf_value_type(m, at))->count, *words = NF_NEW(m->arena, uint32_t, (size_t)count + 2);
    for (uint32_t n = 0; n < count; n++)
        words[2 + n] = put_component(e, at, n);
    words[0] = nf_value_type(m, at);
    words[1] = nf_value_id(m, at);
    nf_edit_emit(e, OpCompositeConstruct, words, count + 2);
    return true;
}

bool nf_lower_pointer_vectors(struct nf_module *m, struct nf_words *lowered)
{
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        any |= nf_opcode(m, at) == OpTypeVector && nf_is_generic_type_at(m, m->def[nf_element_type(m, at)]);
    if (!any) return false;
    nf_types(m);
    return nf_edit_where(m, computes_with_vector, put, lowered);
}
