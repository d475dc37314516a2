/* SPDX-License-Identifier: Apache-2.0 */
/*
 * canonical.c - the two forms of a generic pointer, and the ways between them.
 *
 * In SSA it is a tuple: a tag and one concrete pointer for each space in its set (no tag when there is one space).
 * Devices keep their typed pointers this way, and private and local memory may be RAMs of their own. In memory and in
 * integers it is always the *canonical form*, whatever was inferred, because memory is copied as bytes:
 *
 *     01xx...             local
 *     10xx...             private
 *     00xx... and 11xx... global: its own address, sign-extended or not
 *
 * These are 64 bits, and the layout is that of Mesa NIR's address format `62bit_generic`. That one only keeps offsets
 * of 32 bits behind the tags of local and private memory, as it knows where these begin; we keep the whole address.
 *
 * 0 is null. Address 0 may be a valid private or local address, so a null test is made on the pointer, in its own
 * space, and not at all where the pointer is known to come from a variable. Untagging subtracts, so that an address
 * with its top bits set survives. Addresses of 32 bits have no room for a tag: what goes into memory there must have
 * one space.
 */
#include "rewrite/parts.h"

static const uint64_t tag_of_local = (uint64_t)1 << 62, tag_of_private = (uint64_t)2 << 62;

static uint64_t tag_of(const struct nf_module *m, nf_set space)
{
    if (m->address_bits == 32) return 0;
    return space == NF_LOCAL ? tag_of_local : space == NF_PRIVATE ? tag_of_private : 0;
}

/* OpPtrEqual would say it better, but SPIR-V before 1.4 has no such instruction and shipped translators cannot read
 * it. */
static uint32_t emit_is_null(struct nf_output *o, uint32_t pointer, uint32_t type)
{
    uint32_t address = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, pointer);
    uint32_t null_address = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, nf_null(o, type));
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), address, null_address);
}

/* A private or local address goes into a variable, so that the driver sees that it is known from here on. */
static uint32_t store_volatile(struct nf_output *o, uint32_t pointer, uint32_t type)
{
    uint32_t variable = nf_own_variable(o, type);
    NF_EMIT(o, OpStore, variable, pointer, NF_VOLATILE_ALIGNED, NF_ESCAPE_ALIGNMENT);
    return variable;
}

static uint32_t load_volatile(struct nf_output *o, uint32_t variable, uint32_t type)
{
    return NF_EMIT_NEW(o, OpLoad, type, variable, NF_VOLATILE_ALIGNED, NF_ESCAPE_ALIGNMENT);
}

/* Its integer. */
static uint32_t emit_escape(struct nf_output *o, uint32_t pointer, uint32_t type)
{
    uint32_t variable = store_volatile(o, pointer, type);
    uint32_t as_integer = NF_EMIT_NEW(o, OpBitcast, nf_pointer_type(o, NF_STORAGE_FUNCTION, o->address_type), variable);
    return load_volatile(o, as_integer, o->address_type);
}

static bool must_escape(const struct nf_output *o, nf_set space)
{
    bool hidden = space == NF_PRIVATE || space == NF_LOCAL;
    return hidden && nf_hides_escapes(o) && o->m->address_bits == 64;
}

/* A call that gives an address back is another way out that such a driver does not see. */
uint32_t nf_escaped_pointer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space)
{
    return must_escape(o, space) ? load_volatile(o, store_volatile(o, pointer, type), type) : pointer;
}

uint32_t nf_pointer_to_canonical(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space, bool non_null)
{
    uint64_t tag = tag_of(o->m, space);
    uint32_t canonical = must_escape(o, space) ? emit_escape(o, pointer, type)
                                               : NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, pointer);
    if (!tag) return canonical;
    canonical = NF_EMIT_NEW(o, OpIAdd, o->address_type, canonical, nf_address_constant(o, tag));
    if (non_null) return canonical;
    uint32_t is_null = emit_is_null(o, pointer, type);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, is_null, nf_address_constant(o, 0), canonical);
}

uint32_t nf_pointer_from_canonical(struct nf_output *o, uint32_t canonical, uint32_t type, nf_set space)
{
    uint64_t tag = tag_of(o->m, space);
    if (!tag) return NF_EMIT_NEW(o, OpConvertUToPtr, type, canonical);
    uint32_t is_null = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), canonical, nf_address_constant(o, 0));
    uint32_t untagged = NF_EMIT_NEW(o, OpISub, o->address_type, canonical, nf_address_constant(o, tag));
    uint32_t pointer = NF_EMIT_NEW(o, OpConvertUToPtr, type, untagged);
    return NF_EMIT_NEW(o, OpSelect, type, is_null, nf_null(o, type), pointer);
}

uint32_t nf_tag_as(struct nf_output *o, const struct nf_tuple *tuple)
{
    if (tuple->tag) return tuple->tag;
    if (!tuple->condition) return nf_uint(o, tuple->set);
    uint32_t yes = nf_uint(o, tuple->when_true), no = nf_uint(o, tuple->set & ~(unsigned)tuple->when_true);
    return NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), tuple->condition, yes, no);
}

uint32_t nf_has_tag(struct nf_output *o, const struct nf_tuple *tuple, nf_set space)
{
    if (tuple->condition && tuple->when_true == space) return tuple->condition;
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), nf_tag_as(o, tuple), nf_uint(o, space));
}

uint32_t nf_part_as(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t generic_type)
{
    uint32_t type = nf_part_type(o, generic_type, space);
    uint32_t part = tuple->set & space ? tuple->part[nf_number(space)] : 0;
    if (part) return part;
    /* Not in this space; or used before its definition, by a block that is never reached (prepare/order.c). */
    if (tuple->set & space) return nf_null(o, type);
    if (space != NF_GENERIC || tuple->dead || !tuple->set) return nf_null(o, type);
    uint32_t cast =
        tuple->set == NF_CONSTANT ? OpBitcast : OpPtrCastToGeneric; /* the latter takes no constant pointer */
    return NF_EMIT_NEW(o, cast, type, tuple->part[nf_number(tuple->set)]);
}

uint32_t nf_to_canonical(struct nf_output *o, const struct nf_tuple *tuple, uint32_t generic_type, bool non_null)
{
    uint32_t canonical = 0;
    if (tuple->dead && !tuple->made) return nf_address_constant(o, 0);
    if (tuple->canonical) return tuple->canonical;
    if (o->m->address_bits == 32 && !nf_single(tuple->set))
        nf_fail(
            o->m->arena, NF_REFUSED, o->body.at,
            "a pointer that may be in several spaces goes into memory, and 32-bit addresses have no room for a tag");
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(tuple->set & space)) continue;
        uint32_t one =
            nf_pointer_to_canonical(o, tuple->part[n], nf_part_type(o, generic_type, space), space, non_null);
        if (canonical) {
            uint32_t chosen = nf_has_tag(o, tuple, space);
            one = NF_EMIT_NEW(o, OpSelect, o->address_type, chosen, one, canonical);
        }
        canonical = one;
    }
    return canonical;
}

static uint32_t emit_tag_test(struct nf_output *o, uint32_t top, nf_set space)
{
    uint32_t number = space == NF_LOCAL ? 1 : 2;
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), top, nf_address_constant(o, number));
}

/* The tag that a canonical form carries: what is neither local nor private is global, or the constant that stands for
 * it. */
static uint32_t tag_of_canonical(struct nf_output *o, uint32_t canonical, nf_set set)
{
    uint32_t top = NF_EMIT_NEW(o, OpShiftRightLogical, o->address_type, canonical, nf_address_constant(o, 62));
    nf_set rest = set & NF_GLOBAL     ? NF_GLOBAL
                  : set & NF_CONSTANT ? NF_CONSTANT
                  : set & NF_LOCAL    ? NF_LOCAL
                                      : NF_PRIVATE;
    uint32_t tag = nf_uint(o, rest);
    for (nf_set space = NF_PRIVATE; space <= NF_LOCAL; space = (nf_set)(space << 1)) {
        if (!(set & space) || space == rest) continue;
        uint32_t test = emit_tag_test(o, top, space);
        tag = NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), test, nf_uint(o, space), tag);
    }
    return tag;
}

/* A canonical form that may have its tag, or not, with the tag. */
uint32_t nf_restore_tag(struct nf_output *o, uint32_t canonical, nf_set space)
{
    uint64_t tag = tag_of(o->m, space);
    if (!tag) return canonical;
    uint32_t top = NF_EMIT_NEW(o, OpShiftRightLogical, o->address_type, canonical, nf_address_constant(o, 62));
    uint32_t is_null = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), canonical, nf_address_constant(o, 0));
    uint32_t has_tag = emit_tag_test(o, top, space);
    uint32_t keep = NF_EMIT_NEW(o, OpLogicalOr, nf_bool_type(o), has_tag, is_null);
    uint32_t tagged = NF_EMIT_NEW(o, OpIAdd, o->address_type, canonical, nf_address_constant(o, tag));
    return NF_EMIT_NEW(o, OpSelect, o->address_type, keep, canonical, tagged);
}

struct nf_tuple nf_from_canonical(struct nf_output *o, uint32_t canonical, nf_set set, uint32_t generic_type, bool lost)
{
    struct nf_tuple tuple = {.set = set, .made = true, .canonical = lost ? 0 : canonical};
    if (o->m->address_bits == 32 && !nf_single(set))
        nf_fail(
            o->m->arena, NF_REFUSED, o->body.at,
            "a pointer that may be in several spaces comes from memory, and 32-bit addresses have no room for a tag");
    if (!nf_single(set))
        tuple.tag = tag_of_canonical(o, canonical, set);
    else if (lost)
        canonical = nf_restore_tag(o, canonical, set);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (set & space)
            tuple.part[n] = nf_pointer_from_canonical(o, canonical, nf_part_type(o, generic_type, space), space);
    }
    return tuple;
}
