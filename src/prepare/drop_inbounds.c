/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drop_inbounds.c - removes InBounds from access chains whose base was converted from an integer, in a module with
 * generic pointers.
 *
 *     int *p = (int *)((ulong)array - 4);   p[1]: the first element
 *     %p = OpConvertUToPtr %_ptr_Generic_int %n
 *     %q = OpInBoundsPtrAccessChain %_ptr_Generic_int %p %one          %q = OpPtrAccessChain %_ptr_Generic_int %p %one
 *
 * Programs address arrays that are indexed from 1 in this way, and clang marks each access chain as staying inside one
 * object. LLVM relies on that mark if it can determine the object of the pointer, and removes the stores. LLVM can
 * determine the object once the pointer has a space, but not while the pointer is generic.
 *
 * Both opcodes have the same operands, so the instructions are changed in place. The hard case: unoptimized code keeps
 * the pointer in a variable, and drivers find the object through the variable as well, so the variable is marked, and
 * pointers loaded from it.
 *
 * needs: a module that was read and sorted (order.c).  gives: the module's words, in which those chains have the
 * opcode without InBounds.
 */
#include "prepare/prepare.h"

/* Marks of a pointer that was converted from an integer, and of a variable into which such a pointer was stored. */
enum { FROM_INTEGER = 1, HOLDS_ONE = 2 };

static bool passes_pointer(enum nf_role role)
{
    return role == NF_ROLE_copy || role == NF_ROLE_chain || role == NF_ROLE_cast || role == NF_ROLE_cast_explicit ||
           role == NF_ROLE_bitcast || role == NF_ROLE_select || role == NF_ROLE_phi;
}

static bool derives_from_integer(const struct nf_module *m, uint32_t at, const uint8_t *marks)
{
    enum nf_role role = nf_role_at(m, at);
    if (role == NF_ROLE_to_pointer) return true;
    if (role == NF_ROLE_load) return marks[nf_load_pointer(m, at)] == HOLDS_ONE;
    return passes_pointer(role) && nf_has_marked_operand(m, at, marks);
}

static void remove_inbounds(struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at), length = nf_length(m, at);
    if (opcode == OpInBoundsAccessChain) m->words[at] = nf_first_word(OpAccessChain, length);
    if (opcode == OpInBoundsPtrAccessChain) m->words[at] = nf_first_word(OpPtrAccessChain, length);
}

/* Makes one pass over the words, in which definitions precede uses. An operand that reaches a phi by a back edge is not
 * considered, nor is a store that follows the load: a pointer that a loop advances is found nevertheless, because it
 * derives from the value with which the loop begins. */
void nf_drop_inbounds(struct nf_module *m)
{
    if (!m->uses_generic || !nf_has_role(m, NF_ROLE_to_pointer)) return;
    uint8_t *marks = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        uint32_t result = nf_result_id(m, at);
        if (nf_opcode(m, at) == OpStore && marks[nf_store_object(m, at)] == FROM_INTEGER &&
            nf_opcode(m, m->def[nf_store_pointer(m, at)]) == OpVariable)
            marks[nf_store_pointer(m, at)] = HOLDS_ONE;
        if (!result || !derives_from_integer(m, at, marks)) continue;
        marks[result] = FROM_INTEGER;
        remove_inbounds(m, at);
    }
    nf_arena_drop(m->arena, marks);
}
