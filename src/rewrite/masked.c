/* SPDX-License-Identifier: Apache-2.0 */
/*
 * masked.c - an address and a mask of which nothing is known before the program runs.
 *
 *     ulong address = word & table->mask;      it may align, take a count off, or make a small number of a hash
 *     ulong count = word & ~table->mask;       the other bits
 *
 * Where an address may be in several spaces its tag stands in the word's top bits. Whoever keeps an address wants it, whatever
 * the mask does to these; whoever keeps only what is above all addresses wants to see none. Which of these it is the mask
 * says itself: by the bits that an address has and no small number.
 *
 * The hard case is a global address with its sign in all top bits: it has no tag, and its bits are the program's.
 *
 * needs: the evidence of the instance that is written.  gives: the result's id.
 */
#include "rewrite/parts.h"

enum { SMALL = 32, ABOVE = 40 }; /* bits: of a number that is no address by itself; of any address */

static nf_set tags_of(const struct nf_output *o, uint32_t id)
{
    return nf_evidence_of(o, id) & (NF_PRIVATE | NF_LOCAL);
}

/* The tag that the integer has, if it has one: these bits of it, and 0 everywhere else. */
static uint32_t emit_tag(struct nf_output *o, uint32_t integer)
{
    uint32_t top = NF_EMIT_NEW(o, OpShiftRightLogical, o->address_type, integer, nf_address_constant(o, NF_TAG_AT + 2));
    uint32_t none = nf_address_constant(o, 0);
    uint32_t tag =
        NF_EMIT_NEW(o, OpBitwiseAnd, o->address_type, integer, nf_address_constant(o, (uint64_t)3 << NF_TAG_AT));
    uint32_t plain = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), top, none);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, plain, tag, none);
}

static uint32_t emit_test(struct nf_output *o, uint32_t mask, uint64_t bits, uint64_t value)
{
    uint32_t some = NF_EMIT_NEW(o, OpBitwiseAnd, o->address_type, mask, nf_address_constant(o, bits));
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), some, nf_address_constant(o, value));
}

/* `result`, with the tag of `address` in it or not, as the mask says. */
static uint32_t emit_kept(struct nf_output *o, uint32_t result, uint32_t address, uint32_t mask)
{
    const uint64_t all = ((uint64_t)1 << ABOVE) - 1, high = all - (((uint64_t)1 << SMALL) - 1);
    uint32_t none = nf_address_constant(o, 0), tag = emit_tag(o, address);
    uint32_t keeps = emit_test(o, mask, high, high), above = emit_test(o, mask, all, 0);
    uint32_t on = NF_EMIT_NEW(o, OpSelect, o->address_type, keeps, tag, none);
    uint32_t off = NF_EMIT_NEW(o, OpSelect, o->address_type, above, tag, none);
    uint32_t left = NF_EMIT_NEW(o, OpBitwiseAnd, o->address_type, result, NF_EMIT_NEW(o, OpNot, o->address_type, off));
    return NF_EMIT_NEW(o, OpBitwiseOr, o->address_type, left, on);
}

bool nf_emit_masked(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at);
    if (nf_hints(o) || !nf_masks_unknown(m, at) || nf_loses_tag(m, at) || nf_form_of(o, id) || !tags_of(o, id))
        return false;
    if (nf_memory_type(o, nf_result_type(m, at)) != o->address_type) return false;
    uint32_t x = nf_operand(m, at, 0), y = nf_operand(m, at, 1), a = nf_mapped(o, x), b = nf_mapped(o, y);
    uint32_t result = NF_EMIT_NEW(o, OpBitwiseAnd, o->address_type, a, b);
    if (tags_of(o, x)) result = emit_kept(o, result, a, b);
    if (tags_of(o, y)) result = emit_kept(o, result, b, a);
    nf_rename_to(o, id, result);
    return true;
}
