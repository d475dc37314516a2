/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operands.c - one instruction of a module: its result, its operands, its role.
 *
 *     %v = OpExtInst %float %opencl fabs %x     operands: %opencl, fabs, %x; role of fabs
 *
 * The kinds of operands depend on the opcode, and in two cases also on the set of an extended instruction, or on the
 * type of a switch's selector. The hard case is an instruction that is not in the opcode table: it has a result if
 * definitions.c recorded the id at the usual position.
 *
 * needs: the definitions, and the imported instruction sets.  gives: the results of queries about one instruction.
 */
#include "module/internal.h"

/* Returns true if the instruction at `at`, which is not in the opcode table, has a result, on the assumption that it
 * begins with a result type and a result like most others. */
static bool is_unknown_result(const struct nf_module *m, uint32_t at)
{
    return nf_length(m, at) > 2 && nf_value_id(m, at) < m->bound && m->def[nf_value_id(m, at)] == at;
}

uint32_t nf_unknown_result_type(const struct nf_module *m, uint32_t at)
{
    return is_unknown_result(m, at) ? nf_value_type(m, at) : 0;
}

uint32_t nf_unknown_result_id(const struct nf_module *m, uint32_t at)
{
    return is_unknown_result(m, at) ? nf_value_id(m, at) : 0;
}

/* Returns the kind of a set that is not in the table. Its operands count as ids if each of them is a defined id,
 * otherwise as literals, because debug sets of other compilers mix ids with literals. */
static enum nf_ext_set unknown_set(const struct nf_module *m, const uint32_t *words)
{
    for (uint32_t i = 5; m->def && i < nf_length_of(words[0]); i++)
        if (words[i] >= m->bound || !m->def[words[i]]) return NF_EXT_LITERALS;
    return NF_EXT_OTHER;
}

enum nf_ext_set nf_ext_set_of(const struct nf_module *m, const uint32_t *words)
{
    if (nf_opcode_of(words[0]) != OpExtInst) return NF_EXT_OTHER;
    return words[3] == m->ext_opencl         ? NF_EXT_OPENCL_STD
           : words[3] == m->ext_debug        ? NF_EXT_DEBUG_INFO
           : words[3] == m->ext_shader_debug ? NF_EXT_OTHER
                                             : unknown_set(m, words);
}

/* Returns the number of words of a literal of OpSwitch, which the selector's type determines; at most UINT8_MAX.
 * Returns 1 for any other instruction, and if the type is not a known integer type. */
static unsigned selector_words(const struct nf_module *m, const uint32_t *words)
{
    if (nf_opcode_of(words[0]) != OpSwitch) return 1;
    uint32_t def = words[1] < m->bound ? m->def[words[1]] : 0;
    uint32_t type = def ? nf_result_type(m, def) : 0;
    uint32_t type_def = type && type < m->bound ? m->def[type] : 0;
    uint32_t width = type_def && nf_opcode(m, type_def) == OpTypeInt ? nf_scalar_width(m, type_def) : 1;
    return width <= 32 ? 1 : width < 32 * UINT8_MAX ? (width + 31) / 32 : UINT8_MAX;
}

struct nf_operands nf_walk_in_context(const struct nf_module *m, const uint32_t *words)
{
    return nf_operands_begin(words, nf_length_of(words[0]), nf_ext_set_of(m, words), selector_words(m, words));
}

struct nf_ids nf_ids_in_context(const struct nf_module *m, const uint32_t *words)
{
    return nf_ids_begin(words, nf_ext_set_of(m, words), selector_words(m, words));
}

enum nf_role nf_extended_role(const struct nf_module *m, uint32_t at)
{
    if (nf_ext_set_of(m, m->words + at) != NF_EXT_OPENCL_STD) return NF_ROLE_nothing;
    const struct nf_op *op = nf_op_find_std(nf_extended_number(m, at));
    return op ? op->role : NF_ROLE_unknown;
}

enum nf_debug nf_debug_at(const struct nf_module *m, uint32_t at)
{
    enum { SCOPE = 23, NO_SCOPE = 24, LINE = 103, NO_LINE = 104 }; /* OpenCL.DebugInfo.100 has no LINE */
    uint32_t opcode = nf_opcode(m, at), set = opcode == OpExtInst ? nf_extended_set(m, at) : 0;
    if (opcode == OpLine || opcode == OpNoLine) return opcode == OpLine ? NF_DEBUG_LINE : NF_DEBUG_NO_LINE;
    if (!set || (set != m->ext_debug && set != m->ext_shader_debug)) return NF_DEBUG_NONE;
    switch (nf_extended_number(m, at)) {
    case SCOPE: return NF_DEBUG_SCOPE;
    case NO_SCOPE: return NF_DEBUG_NO_SCOPE;
    case LINE: return NF_DEBUG_LINE;
    case NO_LINE: return NF_DEBUG_NO_LINE;
    default: return NF_DEBUG_OTHER;
    }
}

uint32_t nf_written_operand(const struct nf_module *m, uint32_t at)
{
    enum { VSTORE_POINTER = 4 }; /* it follows set, number, data and offset */
    switch (nf_role_at(m, at)) {
    case NF_ROLE_store:
    case NF_ROLE_copy_memory: return 0;
    case NF_ROLE_atomic: return nf_opcode(m, at) == OpAtomicLoad ? NF_NO_OPERAND : 0;
    case NF_ROLE_async_copy:
    case NF_ROLE_scatter: return 1;
    case NF_ROLE_vstore: return VSTORE_POINTER;
    case NF_ROLE_out:
    case NF_ROLE_receive:
    case NF_ROLE_touch: return NF_ANY_OPERAND;
    default: return NF_NO_OPERAND;
    }
}

bool nf_is_made_constant(uint32_t opcode)
{
    return opcode == OpConstantComposite || opcode == OpSpecConstantComposite || opcode == OpSpecConstantOp;
}

/* Returns the value of a constant index; UINT32_MAX if it has none or a larger value. Types are not known yet at this
 * stage. */
static uint32_t plain_index(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id], length = nf_length(m, at);
    if (nf_opcode(m, at) == OpConstantNull) return 0;
    bool low = nf_opcode(m, at) == OpConstant && (length == 4 || !nf_constant_word(m, at, 1));
    return low ? nf_constant_word(m, at, 0) : UINT32_MAX;
}

/* Returns the type of the member or element of `type` that the constant `index` selects; 0 if `type` is neither an
 * array nor a structure with that member. */
static uint32_t inner_type(const struct nf_module *m, uint32_t type, uint32_t index)
{
    uint32_t at = m->def[type], member = plain_index(m, index);
    if (nf_opcode(m, at) != OpTypeStruct) return nf_opcode(m, at) == OpTypeArray ? nf_element_type(m, at) : 0;
    return member < nf_length(m, at) - 2 ? nf_member_type(m, at, member) : 0;
}

uint32_t nf_byte_chain_index(const struct nf_module *m, uint32_t at)
{
    enum { ONE_INDEX = 6, TWO = 7 /* numbers of words of the instruction */ };
    const uint32_t *words = m->words + at;
    uint32_t length = nf_length(m, at);
    if (nf_opcode(m, at) != OpSpecConstantOp || (length != ONE_INDEX && length != TWO)) return 0;
    if (words[3] != OpPtrAccessChain && words[3] != OpInBoundsPtrAccessChain) return 0;
    uint32_t result = m->def[words[1]], base = m->def[nf_result_type(m, m->def[words[4]])];
    if (nf_opcode(m, result) != OpTypePointer || nf_opcode(m, base) != OpTypePointer) return 0;
    if (nf_pointer_storage_class(m, result) != nf_pointer_storage_class(m, base)) return 0;
    uint32_t meant = nf_pointee_type(m, base), index = words[length - 1];
    if (length == TWO) meant = plain_index(m, words[5]) ? nf_pointee_type(m, result) : inner_type(m, meant, index);
    return meant == nf_pointee_type(m, result) ? 0 : index;
}

bool nf_has_marked_operand(const struct nf_module *m, uint32_t at, const uint8_t *marks)
{
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (marks[nf_current_id(&ids)]) return true;
    return false;
}
