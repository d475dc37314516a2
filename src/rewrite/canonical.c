/* SPDX-License-Identifier: Apache-2.0 */
/*
 * canonical.c - a generic pointer in SSA and as an integer, and the ways between them.
 *
 * In SSA it is a tuple: a tag and one concrete pointer for each space in its set (no tag when there is one space).
 * Devices keep their typed pointers this way, and private and local memory may be RAMs of their own. In memory and in
 * integers it has the form of its class (infer/classes.c): the device's address, bare or biased, where all addresses of
 * the class have one space, and the *canonical form* where they have several:
 *
 *     0001x...                private
 *     0010x...                local
 *     0000x... and 1111x...   global: its own address, sign-extended or not
 *
 * These are 64 bits. No address is negative that was not so before, and neither is the sum of two: a search by halves
 * adds them up and shifts the sum down, signed or not. Mesa NIR's `62bit_generic` has two bits, with 10 for private
 * memory: an address is negative there. Intel's GPUs have three, with 010 for local memory: the sum of two is.
 *
 * The hard cases. 0 is null, but address 0 may be a valid private or local address: a null test is made on the pointer,
 * in its own space, and not at all where the pointer is known to come from a variable. A pointer may be a number, such
 * as -1, that is only compared: tag and bias come off as they went on (XOR, a sum), so that it is the same again. An
 * address below 0, as a pointer before an array has it, flips all bits of its tag. Addresses of 32 bits have no room
 * for a tag: what goes into memory there must have one space.
 */
#include "rewrite/parts.h"

enum { TAG_PRIVATE = 1, TAG_LOCAL = 2, BIAS_AT = 32 };

/* What stands in the top bits of the canonical form, 0: the address is its own. */
static uint32_t tag_of(const struct nf_module *m, nf_set space)
{
    if (m->address_bits == 32) return 0;
    return space == NF_LOCAL ? TAG_LOCAL : space == NF_PRIVATE ? TAG_PRIVATE : 0;
}

uint64_t nf_tag_bits(const struct nf_module *m, nf_set space)
{
    return (uint64_t)tag_of(m, space) << NF_TAG_AT;
}

/* The tag on an address, or off it. */
static uint32_t emit_flip(struct nf_output *o, uint32_t integer, nf_set space)
{
    uint32_t tag = nf_address_constant(o, nf_tag_bits(o->m, space));
    return NF_EMIT_NEW(o, OpBitwiseXor, o->address_type, integer, tag);
}

static bool is_bare(const struct nf_output *o, nf_set space, nf_set form)
{
    return !tag_of(o->m, space) || form == space;
}

static bool is_biased(nf_set space, nf_set form)
{
    return form == (space | NF_BIASED);
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

static bool must_escape(struct nf_output *o, nf_set space)
{
    bool hidden = space == NF_PRIVATE || space == NF_LOCAL;
    if (!hidden || !nf_hides_escapes(o) || o->m->address_bits != 64) return false;
    nf_note_hazard(o, NF_HAZARD_ESCAPE);
    return true;
}

/* A call that gives an address back is another way out that such a driver does not see. */
uint32_t nf_escaped_pointer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space)
{
    return must_escape(o, space) ? load_volatile(o, store_volatile(o, pointer, type), type) : pointer;
}

/* An address of 32 bits below 0, which is that and not far above the others. */
static uint32_t with_sign(struct nf_output *o, uint32_t address)
{
    const nf_profile *profile = o->m->options->profile;
    if (!profile || !(profile->flags & NF_PROFILE_UNSIGNED_OFFSETS)) return address;
    uint32_t lower = NF_EMIT_NEW(o, OpUConvert, nf_uint_type(o), address);
    return NF_EMIT_NEW(o, OpSConvert, o->address_type, lower);
}

uint32_t nf_pointer_to_integer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space, nf_set form,
                               bool non_null)
{
    uint32_t address = must_escape(o, space) ? emit_escape(o, pointer, type)
                                             : NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, pointer);
    if (is_bare(o, space, form)) return address;
    address = with_sign(o, address);
    uint32_t bias = nf_address_constant(o, (uint64_t)1 << BIAS_AT);
    uint32_t integer =
        is_biased(space, form) ? NF_EMIT_NEW(o, OpIAdd, o->address_type, address, bias) : emit_flip(o, address, space);
    if (non_null) return integer;
    uint32_t is_null = emit_is_null(o, pointer, type);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, is_null, nf_address_constant(o, 0), integer);
}

uint32_t nf_pointer_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space, nf_set form)
{
    if (is_bare(o, space, form)) return NF_EMIT_NEW(o, OpConvertUToPtr, type, integer);
    uint32_t bias = nf_address_constant(o, (uint64_t)1 << BIAS_AT);
    uint32_t is_null = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), integer, nf_address_constant(o, 0));
    uint32_t address =
        is_biased(space, form) ? NF_EMIT_NEW(o, OpISub, o->address_type, integer, bias) : emit_flip(o, integer, space);
    uint32_t pointer = NF_EMIT_NEW(o, OpConvertUToPtr, type, address);
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
    uint32_t own = tuple->set ? tuple->part[nf_number(tuple->set)] : 0;
    /* A number, of which nothing is said, may be among addresses of one space. */
    if (tuple->set == NF_GENERIC && own && !tuple->dead && space & (NF_PRIVATE | NF_LOCAL | NF_GLOBAL))
        return NF_EMIT_NEW(o, OpGenericCastToPtr, type, own);
    if (space != NF_GENERIC || !own) return nf_null(o, type);
    uint32_t cast =
        tuple->set == NF_CONSTANT ? OpBitcast : OpPtrCastToGeneric; /* the latter takes no constant pointer */
    /* What can only be null may be a member's offset in nothing: it is cast as well. */
    return NF_EMIT_NEW(o, cast, type, own);
}

uint32_t nf_tuple_to_integer(struct nf_output *o, const struct nf_tuple *tuple, uint32_t generic_type, nf_set form,
                             bool non_null)
{
    uint32_t integer = 0;
    /* Where addresses have no tag, all are in one space. */
    nf_set set = tuple->set & form & NF_SPACES ? form & NF_SPACES : tuple->set;
    if (tuple->dead && !tuple->made) return nf_address_constant(o, 0);
    if (tuple->integer && (tuple->form == form || tuple->form == NF_NUMBER)) return tuple->integer;
    if (o->m->address_bits == 32 && !nf_single(set))
        nf_fail(
            o->m->arena, NF_REFUSED, o->body.at,
            "a pointer that may be in several spaces goes into memory, and 32-bit addresses have no room for a tag");
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(set & space)) continue;
        uint32_t type = nf_part_type(o, generic_type, space);
        uint32_t one = nf_pointer_to_integer(o, tuple->part[n], type, space, form, non_null);
        if (integer) one = NF_EMIT_NEW(o, OpSelect, o->address_type, nf_has_tag(o, tuple, space), one, integer);
        integer = one;
    }
    return integer;
}

/* The tag of a canonical form: its top bits, all flipped where an address below 0 has flipped them. */
static uint32_t emit_top(struct nf_output *o, uint32_t canonical)
{
    uint32_t sign = NF_EMIT_NEW(o, OpShiftRightArithmetic, o->address_type, canonical, nf_address_constant(o, 63));
    uint32_t folded = NF_EMIT_NEW(o, OpBitwiseXor, o->address_type, canonical, sign);
    return NF_EMIT_NEW(o, OpShiftRightLogical, o->address_type, folded, nf_address_constant(o, NF_TAG_AT));
}

static uint32_t emit_tag_test(struct nf_output *o, uint32_t top, nf_set space)
{
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), top, nf_address_constant(o, tag_of(o->m, space)));
}

/* The space of a canonical form: what is neither local nor private is global, or the constant that stands for it. */
static uint32_t tag_of_canonical(struct nf_output *o, uint32_t canonical, nf_set set)
{
    uint32_t top = emit_top(o, canonical);
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
    if (!tag_of(o->m, space)) return canonical;
    uint32_t top = emit_top(o, canonical);
    uint32_t is_null = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), canonical, nf_address_constant(o, 0));
    uint32_t has_tag = emit_tag_test(o, top, space);
    uint32_t keep = NF_EMIT_NEW(o, OpLogicalOr, nf_bool_type(o), has_tag, is_null);
    uint32_t bits = nf_address_constant(o, 64 - NF_TAG_AT);
    uint32_t high = NF_EMIT_NEW(o, OpShiftLeftLogical, o->address_type, canonical, bits);
    uint32_t address = NF_EMIT_NEW(o, OpShiftRightArithmetic, o->address_type, high, bits);
    uint32_t tagged = emit_flip(o, address, space);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, keep, canonical, tagged);
}

struct nf_tuple nf_tuple_from_integer(struct nf_output *o, uint32_t integer, nf_set set, uint32_t generic_type,
                                      nf_set form, bool lost)
{
    struct nf_tuple tuple = {.set = set, .made = true, .integer = lost ? 0 : integer, .form = form};
    if (o->m->address_bits == 32 && !nf_single(set))
        nf_fail(
            o->m->arena, NF_REFUSED, o->body.at,
            "a pointer that may be in several spaces comes from memory, and 32-bit addresses have no room for a tag");
    if (!nf_single(set))
        tuple.tag = tag_of_canonical(o, integer, set);
    else if (lost && !form)
        integer = nf_restore_tag(o, integer, set);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(set & space)) continue;
        tuple.part[n] = nf_pointer_from_integer(o, integer, nf_part_type(o, generic_type, space), space, form);
    }
    return tuple;
}
