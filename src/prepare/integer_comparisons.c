/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integer_comparisons.c - integers that are compared as pointers are compared as integers; nothing else is changed.
 *
 *     %p = OpConvertUToPtr %_ptr_Generic_uchar %n
 *     %c = OpPtrEqual %bool %p %null                      %c = OpIEqual %bool %n %0
 *
 * Where a module holds null pointers, LLVM's SPIR-V writer takes the 0 that a loop counts down to for one of them, and
 * compares the count as a generic pointer. Nobody knows in which space a count is, so it would be taken apart by its
 * top bits and put together again, for nothing. Likewise clang orders words as pointers, one of them made of a number,
 * where a program tells numbers from pointers; an older SPIR-V compares what these are as integers. An integer that
 * becomes a pointer, and an integer again, is the same one. It is done to the input, before anything is inferred.
 *
 * needs: read.  gives: another module, to be read again.
 */
#include "prepare/prepare.h"

/* The pointer behind casts that change its pointee only, a few of them: in code that is never reached, it may be its
 * own. */
static uint32_t origin_of(const struct nf_module *m, uint32_t id)
{
    enum { FEW = 4 };
    for (int i = 0; i < FEW && m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpBitcast; i++) {
        uint32_t from = nf_operand(m, m->def[id], 0), type = m->def[from] ? nf_result_type(m, m->def[from]) : 0;
        if (!type || nf_opcode(m, m->def[type]) != OpTypePointer || m->words[m->def[type] + 2] != NF_STORAGE_GENERIC)
            break;
        id = from;
    }
    return id;
}

/* The integer that the pointer was made of, by an instruction or as a constant, or 0. */
static uint32_t integer_of(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[origin_of(m, id)], integer = 0;
    if (nf_opcode(m, at) == OpConvertUToPtr)
        integer = nf_operand(m, at, 0);
    else if (nf_opcode(m, at) == OpSpecConstantOp && m->words[at + 3] == OpConvertUToPtr && nf_length(m, at) == 5)
        integer = m->words[at + 4];
    uint32_t type = integer && m->def[integer] ? m->def[nf_result_type(m, m->def[integer])] : 0;
    return type && nf_opcode(m, type) == OpTypeInt && m->words[type + 2] == m->address_bits ? integer : 0;
}

static bool is_null(const struct nf_module *m, uint32_t id)
{
    return nf_opcode(m, m->def[origin_of(m, id)]) == OpConstantNull;
}

/* What an integer is once it was a pointer in between: the same one. */
static uint32_t unturned(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    if (nf_opcode(m, at) != OpConvertPtrToU) return id;
    uint32_t integer = integer_of(m, nf_operand(m, at, 0));
    return integer && nf_result_type(m, m->def[integer]) == nf_result_type(m, at) ? integer : id;
}

static bool is_turned(const struct nf_module *m, uint32_t at)
{
    return nf_role_at(m, at) == NF_ROLE_compare_bits &&
           (unturned(m, m->words[at + 3]) != m->words[at + 3] || unturned(m, m->words[at + 4]) != m->words[at + 4]);
}

/* Does the instruction compare such an integer with null or another one? */
static bool is_integer_test(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    if (is_turned(m, at)) return true;
    if (opcode != OpPtrEqual && opcode != OpPtrNotEqual) return false;
    uint32_t left = integer_of(m, m->words[at + 3]), right = integer_of(m, m->words[at + 4]);
    if (left && right) return nf_result_type(m, m->def[left]) == nf_result_type(m, m->def[right]);
    return (left && is_null(m, m->words[at + 4])) || (right && is_null(m, m->words[at + 3]));
}

static bool put_test(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    const uint32_t *words = m->words + at;
    (void)data;
    if (!is_integer_test(m, at)) return false;
    if (is_turned(m, at)) {
        nf_edit_emit(e, nf_opcode(m, at),
                     (uint32_t[]){words[1], words[2], unturned(m, words[3]), unturned(m, words[4])}, 4);
        return true;
    }
    uint32_t left = integer_of(m, words[3]), right = integer_of(m, words[4]);
    uint32_t zero =
        left && right ? 0 : nf_edit_define(e, OpConstantNull, nf_result_type(m, m->def[left ? left : right]), NULL, 0);
    uint32_t opcode = nf_opcode(m, at) == OpPtrEqual ? OpIEqual : OpINotEqual;
    nf_edit_emit(e, opcode, (uint32_t[]){words[1], words[2], left ? left : zero, right ? right : zero}, 4);
    return true;
}

bool nf_lower_integer_tests(struct nf_module *m, struct nf_words *lowered)
{
    return nf_has_role(m, NF_ROLE_to_pointer) && nf_edit_where(m, is_integer_test, put_test, lowered);
}
