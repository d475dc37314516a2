/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integer_comparisons.c - compares integers as integers where the module compares them as pointers.
 *
 *     %p = OpConvertUToPtr %_ptr_Generic_uchar %n
 *     %c = OpPtrEqual %bool %p %null                      %c = OpIEqual %bool %n %0
 *
 * In a module with null pointers, LLVM's SPIR-V backend uses a null pointer as the 0 to which a loop counts down, and
 * compares the counter as a generic pointer. The counter is in no address space, so the rewriting would convert it to a
 * tuple by its high bits and back, to no effect. Likewise clang emits relational comparisons of pointers, one of them
 * converted from an integer, where a program distinguishes integers from pointers; SPIR-V lacks relational comparisons
 * of pointers, and before 1.4 also OpPtrEqual, so translators convert both pointers back to integers. An integer that
 * is converted to a generic or global pointer and back is the same integer. This stage runs before inference.
 *
 * The hard case is a local or private pointer: it is an address in the device's memory, so an integer that is no address
 * in the window, such as the low half of one or a mark, becomes a different integer. Both sides take that conversion.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

/* Returns the pointer from which bit casts, which only change the pointee, derive `id`. The number of steps is limited,
 * because in unreachable code a bit cast may be its own operand. */
static uint32_t origin_of(const struct nf_module *m, uint32_t id)
{
    enum { FEW = 4 };
    for (int i = 0; i < FEW && m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpBitcast; i++) {
        uint32_t from = nf_operand(m, m->def[id], 0), type = nf_defined_type(m, from);
        if (!type || !nf_is_generic_type_at(m, m->def[type])) break;
        id = from;
    }
    return id;
}

/* Returns true if every integer is kept by a conversion to the pointer's type and back. */
static bool keeps_integers(const struct nf_module *m, uint32_t pointer)
{
    uint32_t type = m->def[nf_defined_type(m, pointer)];
    return nf_is_generic_type_at(m, type) || nf_pointer_storage_class(m, type) == NF_STORAGE_CROSS_WORKGROUP;
}

/* Returns the integer, as wide as an address, from which an instruction or a constant converts the pointer to a generic
 * or global one; 0 if there is none. */
static uint32_t integer_of(const struct nf_module *m, uint32_t id)
{
    uint32_t pointer = origin_of(m, id), integer = nf_match_conversion(m, m->def[pointer], OpConvertUToPtr);
    uint32_t type = integer && keeps_integers(m, pointer) ? m->def[nf_defined_type(m, integer)] : 0;
    return type && nf_opcode(m, type) == OpTypeInt && nf_scalar_width(m, type) == m->address_bits ? integer : 0;
}

static bool derives_from_null(const struct nf_module *m, uint32_t id)
{
    return nf_opcode(m, m->def[origin_of(m, id)]) == OpConstantNull;
}

/* Returns the integer to which OpConvertPtrToU converts a pointer that was itself converted from an integer; for any
 * other value, `id` itself. */
static uint32_t without_round_trip(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    if (nf_opcode(m, at) != OpConvertPtrToU) return id;
    uint32_t integer = integer_of(m, nf_operand(m, at, 0));
    return integer && nf_result_type(m, m->def[integer]) == nf_result_type(m, at) ? integer : id;
}

static bool compares_round_trip(const struct nf_module *m, uint32_t at)
{
    return nf_role_at(m, at) == NF_ROLE_compare_bits &&
           (without_round_trip(m, nf_value_operand(m, at, 0)) != nf_value_operand(m, at, 0) ||
            without_round_trip(m, nf_value_operand(m, at, 1)) != nf_value_operand(m, at, 1));
}

/* Returns true if the instruction compares a pointer that was converted from an integer with null or with another such
 * pointer, or compares integers to which such pointers were converted back. */
static bool is_integer_comparison(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (compares_round_trip(m, at)) return true;
    if (opcode != OpPtrEqual && opcode != OpPtrNotEqual) return false;
    uint32_t left = integer_of(m, nf_value_operand(m, at, 0)), right = integer_of(m, nf_value_operand(m, at, 1));
    if (left && right) return nf_result_type(m, m->def[left]) == nf_result_type(m, m->def[right]);
    return (left && derives_from_null(m, nf_value_operand(m, at, 1))) ||
           (right && derives_from_null(m, nf_value_operand(m, at, 0)));
}

static bool put_comparison(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    (void)data;
    if (!is_integer_comparison(m, at)) return false;
    uint32_t type = nf_value_type(m, at), result = nf_value_id(m, at), a = nf_value_operand(m, at, 0),
             b = nf_value_operand(m, at, 1);
    if (compares_round_trip(m, at)) {
        nf_edit_emit(e, nf_opcode(m, at),
                     (uint32_t[]){type, result, without_round_trip(m, a), without_round_trip(m, b)}, 4);
        return true;
    }
    uint32_t left = integer_of(m, a), right = integer_of(m, b);
    uint32_t zero =
        left && right ? 0 : nf_edit_define(e, OpConstantNull, nf_result_type(m, m->def[left ? left : right]), NULL, 0);
    uint32_t opcode = nf_opcode(m, at) == OpPtrEqual ? OpIEqual : OpINotEqual;
    nf_edit_emit(e, opcode, (uint32_t[]){type, result, left ? left : zero, right ? right : zero}, 4);
    return true;
}

bool nf_lower_integer_tests(struct nf_module *m, struct nf_words *lowered)
{
    return nf_has_role(m, NF_ROLE_to_pointer) && nf_edit_where(m, is_integer_comparison, put_comparison, lowered);
}
