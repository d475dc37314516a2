/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integers.c - rewrites conversions between pointers and integers, and comparisons of pointers.
 *
 *     %i = OpConvertPtrToU %ulong %p              %i = the flat address of %p
 *     %q = OpConvertUToPtr %_ptr_Generic_int %i   %q_t, %q_p, %q_g = tag and parts of %i
 *     %e = OpPtrEqual %bool %p %q                 %e = OpIEqual %bool of their flat addresses
 *
 * A private and a global pointer may have the same device address, but their flat addresses differ. Two pointers in the
 * same space are compared directly. The hard case is a vector of generic pointers: it is a vector of integers in the
 * output, so a conversion to integers copies it.
 *
 * needs: the tuples of the operands.  gives: the result's id, or its tuple.
 */
#include "rewrite/internal.h"

/* Returns the opcode of the conversion between an address and a value of the type, in either direction. */
static uint32_t resize(const struct nf_output *o, const struct nf_type *type)
{
    return type->kind == NF_KIND_INT && nf_scalar_width(o->m, type->at) != o->m->address_bits ? OpUConvert : OpBitcast;
}

static uint32_t as_address(struct nf_output *o, uint32_t id)
{
    uint32_t type = nf_type_id_of(o->m, id), integer = nf_mapped(o, id);
    if (nf_memory_type(o, type) == o->address_type) return integer;
    return NF_EMIT_NEW(o, resize(o, nf_type(o->m, type)), o->address_type, integer);
}

static void emit_address(struct nf_output *o, uint32_t at, uint32_t address)
{
    uint32_t id = nf_result_id(o->m, at), type = nf_memory_type(o, nf_result_type(o->m, at));
    if (type == o->address_type)
        nf_rename_to(o, id, address);
    else
        NF_EMIT(o, resize(o, nf_type_of(o->m, id)), type, o->body.renamed[id], address);
}

/* Concrete pointers become flat addresses, too, because the integer may be converted to a generic pointer. */
bool nf_emit_concrete_conversion(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t operand = nf_operand(m, at, 0), id = nf_result_id(m, at), type = nf_result_type(m, at);
    bool to_integer = nf_opcode(m, at) == OpConvertPtrToU;
    const struct nf_type *pointer = nf_type(m, to_integer ? nf_type_id_of(m, operand) : type);
    nf_set space = nf_space_of(m, pointer);
    if (nf_keeps_generic(o)) return false;
    uint32_t pointer_type = nf_memory_type(o, pointer->id);
    if (!nf_has_flat_address(o, pointer)) {
        /* With one address space, a program may convert the integer to a pointer of another storage class. */
        if (!to_integer || !nf_hides_escapes(o) || !(space & (NF_PRIVATE | NF_LOCAL))) return false;
        emit_address(o, at, nf_escaped_address(o, nf_mapped(o, operand), pointer_type, space));
    } else if (to_integer) {
        bool non_null = nf_is_non_null(m, operand);
        emit_address(o, at, nf_pointer_to_integer(o, nf_mapped(o, operand), pointer_type, space, non_null));
    } else {
        nf_rename_to(o, id, nf_concrete_from_integer(o, as_address(o, operand), pointer_type, space));
    }
    return true;
}

/* LLVM's vectorizers combine two pointers into a vector to convert both to integers, which is a copy here. Any other
 * instruction on the whole vector would need a vector for each space, and is refused. */
bool nf_emit_vector(struct nf_output *o, uint32_t at, enum nf_role role)
{
    struct nf_module *m = o->m;
    bool moves = role == NF_ROLE_to_pointer || role == NF_ROLE_chain || role == NF_ROLE_compare ||
                 role == NF_ROLE_cast || role == NF_ROLE_cast_explicit;
    if (nf_keeps_generic(o) || (!moves && role != NF_ROLE_to_integer && role != NF_ROLE_bitcast)) return false;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0);
    const struct nf_type *from = nf_type_of(m, operand), *to = nf_type_of(m, id);
    if (!nf_is_generic_vector(from) && !nf_is_generic_vector(to)) return false;
    uint32_t type = nf_memory_type(o, to->id);
    if (moves || type != nf_memory_type(o, from->id))
        nf_fail(m->arena, NF_REFUSED, at,
                "vectors of generic pointers can only be stored, decomposed, and converted to 64-bit integers");
    NF_EMIT(o, OpCopyObject, type, o->body.renamed[id], nf_memory_form(o, operand));
    return true;
}

/* ---- Comparisons of two addresses in one window ---- */

/* A pointer, in one space and known not to be null, from which an integer was converted; space 0: there is none. */
struct in_window {
    uint32_t pointer, type;
    nf_set space;
};

static struct in_window find_in_window(struct nf_output *o, uint32_t integer)
{
    const struct nf_module *m = o->m;
    struct in_window found = {.space = 0};
    uint32_t at = m->def[integer];
    if (nf_opcode(m, at) != OpConvertPtrToU || nf_scalar_width(m, nf_type_of(m, integer)->at) != m->address_bits)
        return found;
    uint32_t operand = nf_operand(m, at, 0);
    const struct nf_type *type = nf_type_of(m, operand);
    if (type->kind != NF_KIND_POINTER || !nf_is_non_null(m, operand)) return found;
    if (!nf_is_generic_value(m, operand))
        return (struct in_window){nf_mapped(o, operand), nf_memory_type(o, type->id), nf_space_of(m, type)};
    const struct nf_tuple *tuple = nf_tuple_of(o, operand);
    if (!nf_single(tuple->set) || tuple->dead) return found;
    return (struct in_window){tuple->part[nf_number(tuple->set)], nf_part_type(o, type->id, tuple->set), tuple->set};
}

static uint32_t signed_comparison(uint32_t opcode)
{
    switch (opcode) {
    case OpUGreaterThan: return OpSGreaterThan;
    case OpUGreaterThanEqual: return OpSGreaterThanEqual;
    case OpULessThan: return OpSLessThan;
    case OpULessThanEqual: return OpSLessThanEqual;
    default: return opcode;
    }
}

/* A short window has room for all 32-bit addresses, and does not wrap around. So two addresses in it are ordered as
 * their signed 32-bit distances from device address 0, which need no addition. */
bool nf_emit_window_comparison(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    if (nf_keeps_generic(o)) return false;
    struct in_window a = find_in_window(o, nf_value_operand(m, at, 0)),
                     b = find_in_window(o, nf_value_operand(m, at, 1));
    if (!a.space || a.space != b.space || !nf_has_short_window(o, a.space)) return false;
    uint32_t left = nf_distance_in_window(o, a.pointer, a.type, a.space);
    uint32_t right = nf_distance_in_window(o, b.pointer, b.type, b.space);
    NF_EMIT(o, signed_comparison(nf_opcode(m, at)), nf_bool_type(o), o->body.renamed[nf_value_id(m, at)], left, right);
    return true;
}

/* ---- Generic pointers ---- */

void nf_emit_to_integer(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_memory_type(o, nf_result_type(m, at)), operand = nf_operand(m, at, 0);
    uint32_t form = nf_to_memory(o, operand);
    if (nf_keeps_generic(o))
        NF_EMIT(o, OpConvertPtrToU, type, o->body.renamed[id], form);
    else
        emit_address(o, at, form);
}

/* Converts the constant integer `number` to a generic pointer on a device whose addresses have no room for a tag: all
 * parts have the same address, for comparisons, and the tag is global, for accesses. */
static void emit_number_tuple(struct nf_output *o, uint32_t id, uint32_t number)
{
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set, .integer = number};
    for (unsigned n = 0; n < NF_PARTS; n++) {
        uint32_t type = nf_has(tuple.set, n) ? nf_part_type(o, nf_type_id_of(o->m, id), nf_space(n)) : 0;
        if (type) tuple.part[n] = NF_EMIT_NEW(o, OpConvertUToPtr, type, number);
    }
    tuple.tag = nf_uint(o, NF_GLOBAL);
    nf_set_tuple(o, id, tuple);
}

void nf_emit_to_pointer(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t operand = nf_operand(m, at, 0);
    int64_t value;
    bool number = nf_constant(m, operand, &value) && value;
    if (number && !nf_keeps_generic(o)) nf_note_hazard(o, NF_HAZARD_NUMBER);
    if (number && !nf_can_compute_space(o) && !nf_keeps_generic(o) &&
        !nf_single(nf_tuple_of(o, nf_result_id(m, at))->set)) {
        emit_number_tuple(o, nf_result_id(m, at), as_address(o, operand));
        return;
    }
    uint32_t form = nf_keeps_generic(o) ? NF_EMIT_NEW(o, nf_opcode(m, at), nf_memory_type(o, nf_result_type(m, at)),
                                                      nf_mapped(o, operand))
                                        : as_address(o, operand);
    nf_from_memory(o, form, nf_result_id(m, at));
}

/* Returns the single space that both operands are in, where a null operand is in any space; 0 if there is none. */
static nf_set common_space(const struct nf_tuple *a, const struct nf_tuple *b)
{
    nf_set set = a->dead ? b->set : a->set;
    return nf_single(set) && (b->dead || b->set == set) ? set : 0;
}

void nf_emit_compare(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_memory_type(o, nf_result_type(m, at)), opcode = nf_opcode(m, at);
    uint32_t x = nf_value_operand(m, at, 0), y = nf_value_operand(m, at, 1), pointer_type = nf_type_id_of(m, x);
    const struct nf_tuple a = *nf_tuple_of(o, x), b = *nf_tuple_of(o, y);
    nf_set space = nf_keeps_generic(o) && !common_space(&a, &b) ? NF_GENERIC : common_space(&a, &b);
    if (space) {
        uint32_t left = nf_part_as(o, &a, space, pointer_type), right = nf_part_as(o, &b, space, nf_type_id_of(m, y));
        NF_EMIT(o, opcode, type, o->body.renamed[id], left, right);
        return;
    }
    uint32_t left = nf_tuple_to_integer(o, &a, pointer_type, nf_is_non_null(m, x));
    uint32_t right = nf_tuple_to_integer(o, &b, nf_type_id_of(m, y), nf_is_non_null(m, y));
    if (opcode != OpPtrDiff) {
        NF_EMIT(o, opcode == OpPtrEqual ? OpIEqual : OpINotEqual, type, o->body.renamed[id], left, right);
        return;
    }
    uint64_t size = nf_type(m, nf_type(m, pointer_type)->element)->size;
    uint32_t bytes = NF_EMIT_NEW(o, OpISub, o->address_type, left, right);
    uint32_t count = NF_EMIT_NEW(o, OpSDiv, o->address_type, bytes, nf_address_constant(o, size ? size : 1));
    if (type == o->address_type)
        nf_rename_to(o, id, count);
    else
        NF_EMIT(o, resize(o, nf_type_of(m, id)) == OpBitcast ? OpBitcast : OpSConvert, type, o->body.renamed[id],
                count);
}
