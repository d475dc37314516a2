/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compared.c - integers of addresses that are only compared with each other.
 *
 *     %a = OpConvertPtrToU %ulong %p      p and q private: %a = OpConvertPtrToU %ulong %p_private
 *     %b = OpConvertPtrToU %ulong %q                       %b = OpConvertPtrToU %ulong %q_private
 *     %c = OpULessThan %bool %a %b                         %c = OpULessThan %bool %a %b
 *
 * Translators write every comparison of pointers so, and loops end on them. In general an integer has the canonical
 * form, which costs an addition and a null test (canonical.c); between two addresses of one space neither changes the
 * answer. The hard case is an integer with one more use, or a partner that is not of the same space: it goes canonical,
 * and so must every partner of it.
 *
 * needs: the sets of the instance that is written.  gives: nf_body.compared.
 */
#include "rewrite/parts.h"

enum { MAX_ROUNDS = 8 };

/* May it be a number instead of an address? Far above the others in the form of memory, it may be far below on the device. */
static bool may_be_number(const struct nf_output *o, uint32_t pointer)
{
    return o->m->analysis->has_numbers && nf_evidence_of(o, pointer) & NF_HOLE;
}

/* The one space of the address that becomes an integer at `at`, if memory tags it; 0 otherwise. */
static nf_set canonical_space(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    if (nf_role_at(m, at) != NF_ROLE_to_integer || nf_type(m, nf_result_type(m, at))->size * 8 != m->address_bits)
        return 0;
    uint32_t pointer = nf_operand(m, at, 0);
    nf_set space = nf_space_of(m, nf_type_of(m, pointer));
    if (nf_is_generic_value(m, pointer)) {
        const struct nf_tuple *tuple = nf_tuple_of(o, pointer);
        space = tuple->dead || may_be_number(o, pointer) ? 0 : tuple->set;
    }
    return space == NF_LOCAL || space == NF_PRIVATE ? space : 0;
}

static bool compares_alike(const struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    return nf_role_at(m, at) == NF_ROLE_compare_bits &&
           o->body.compared[nf_operand(m, at, 0)] == o->body.compared[nf_operand(m, at, 1)];
}

/* How many integers the instruction uses otherwise: they are none of these. */
static uint32_t remove_operands(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t removed = 0;
    if (nf_debug_at(m, at) != NF_DEBUG_NONE || compares_alike(o, at)) return 0;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = m->words[at + ids.at];
        if (!o->body.compared[id]) continue;
        o->body.compared[id] = 0;
        removed++;
    }
    return removed;
}

void nf_find_compared(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t left = 0, removed = 1;
    if (nf_hints(o) || m->address_bits == 32 || o->body.f->unknown_ops) return;
    if (!nf_has_role(m, NF_ROLE_to_integer)) return;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        nf_set space = canonical_space(o, at);
        if (!space && !o->body.compared) continue;
        if (!o->body.compared) o->body.compared = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
        o->body.compared[nf_result_id(m, at)] = (uint8_t)space;
        left += space != 0;
    }
    for (unsigned round = 0; left && removed; round++) {
        removed = 0;
        for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
            if (round == MAX_ROUNDS && nf_result_id(m, at)) o->body.compared[nf_result_id(m, at)] = 0;
            removed += remove_operands(o, at);
        }
        left -= round == MAX_ROUNDS ? left : removed;
    }
}
