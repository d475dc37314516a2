/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layouts.h - names for the operand words of instructions with a known layout, as the SPIR-V specification names them;
 * and tests of an instruction and of the definition of an id.
 *
 *     %v = OpFunctionCall %uint %f %x     nf_value_type(): %uint, nf_value_id(): %v, nf_callee(): %f,
 *                                         nf_argument(m, at, 0): %x
 *
 * Each function reads one word at a fixed offset. The caller has checked the opcode, and that the instruction contains
 * the word. The functions for any instruction, which look its layout up, are in module.h: nf_operand(), nf_result_id(),
 * nf_result_type().
 *
 * Included by module.h, which has the types.
 */
#ifndef NF_LAYOUTS_H
#define NF_LAYOUTS_H

/* Define NAME(m, at), which returns that word of the instruction at `at`, and NAME(m, at, index), which returns the
 * word `index` words after it. */
#define NF_LAYOUT_WORD(name, word)                                                                                     \
    static inline uint32_t name(const struct nf_module *m, uint32_t at)                                                \
    {                                                                                                                  \
        return m->words[at + (word)];                                                                                  \
    }
#define NF_LAYOUT_WORDS(name, word)                                                                                    \
    static inline uint32_t name(const struct nf_module *m, uint32_t at, uint32_t index)                                \
    {                                                                                                                  \
        return m->words[at + (word) + index];                                                                          \
    }

/* Word `index` of any instruction; word 0 has the length and the opcode. For loops over the words of an instruction,
 * and for code that changes the word of the same index in a copy. */
NF_LAYOUT_WORDS(nf_word, 0)

/* The result type, the result and the operands of an instruction that has all of these; the result of an instruction
 * without a result type, such as a type or a label; the operands of an instruction without a result. */
NF_LAYOUT_WORD(nf_value_type, 1)
NF_LAYOUT_WORD(nf_value_id, 2)
NF_LAYOUT_WORDS(nf_value_operand, 3)
NF_LAYOUT_WORD(nf_declared_id, 1)
NF_LAYOUT_WORDS(nf_effect_operand, 1)

/* Module scope */
NF_LAYOUT_WORD(nf_capability_at, 1)
NF_LAYOUT_WORD(nf_addressing_model, 1)
NF_LAYOUT_WORD(nf_execution_model, 1)
NF_LAYOUT_WORD(nf_entry_point_function, 2)
NF_LAYOUT_WORD(nf_mode_entry_point, 1)
NF_LAYOUT_WORD(nf_execution_mode, 2)
NF_LAYOUT_WORDS(nf_mode_operand, 3)
NF_LAYOUT_WORD(nf_annotated_id, 1) /* of OpName, OpMemberName and all decorations */
NF_LAYOUT_WORD(nf_decoration_at, 2)
NF_LAYOUT_WORDS(nf_decoration_operand, 3)
NF_LAYOUT_WORD(nf_line_file, 1)
NF_LAYOUT_WORD(nf_line_number, 2)

/* Types */
NF_LAYOUT_WORDS(nf_type_operand, 2)
NF_LAYOUT_WORD(nf_scalar_width, 2) /* of OpTypeInt and OpTypeFloat */
NF_LAYOUT_WORD(nf_signedness, 3)
NF_LAYOUT_WORD(nf_element_type, 2) /* of vectors, matrices and arrays */
NF_LAYOUT_WORD(nf_component_count, 3)
NF_LAYOUT_WORD(nf_array_length, 3) /* the id of a constant */
NF_LAYOUT_WORDS(nf_member_type, 2)
NF_LAYOUT_WORD(nf_pointer_storage_class, 2)
NF_LAYOUT_WORD(nf_pointee_type, 3)
NF_LAYOUT_WORD(nf_return_type, 2)
NF_LAYOUT_WORDS(nf_parameter_type, 3)

/* Constants and variables */
NF_LAYOUT_WORDS(nf_constant_word, 3) /* the low-order word first */
NF_LAYOUT_WORDS(nf_constituent, 3)
NF_LAYOUT_WORD(nf_spec_opcode, 3) /* of OpSpecConstantOp */
NF_LAYOUT_WORDS(nf_spec_operand, 4)
NF_LAYOUT_WORD(nf_variable_storage_class, 3)
NF_LAYOUT_WORD(nf_variable_initializer, 4)
NF_LAYOUT_WORD(nf_untyped_variable_type, 4)
NF_LAYOUT_WORD(nf_untyped_variable_initializer, 5)

/* Functions */
NF_LAYOUT_WORD(nf_function_control, 3)
NF_LAYOUT_WORD(nf_function_type, 4)
NF_LAYOUT_WORD(nf_function_pointed_to, 3) /* of OpConstantFunctionPointerINTEL */
NF_LAYOUT_WORD(nf_callee, 3)
NF_LAYOUT_WORDS(nf_argument, 4)
NF_LAYOUT_WORD(nf_returned_value, 1)

/* Memory */
NF_LAYOUT_WORD(nf_load_pointer, 3)
NF_LAYOUT_WORD(nf_store_pointer, 1)
NF_LAYOUT_WORD(nf_store_object, 2)
NF_LAYOUT_WORD(nf_copy_target, 1)
NF_LAYOUT_WORD(nf_copy_source, 2)
NF_LAYOUT_WORD(nf_base_pointer, 3) /* of an access chain; not of an untyped chain */
NF_LAYOUT_WORDS(nf_chain_index, 4) /* the first index is Element in OpPtrAccessChain */

/* Control flow and selection */
NF_LAYOUT_WORD(nf_branch_condition, 1)
NF_LAYOUT_WORD(nf_switch_selector, 1)
NF_LAYOUT_WORD(nf_merge_block, 1)
NF_LAYOUT_WORD(nf_continue_target, 2)
NF_LAYOUT_WORD(nf_loop_control, 3)
NF_LAYOUT_WORD(nf_select_condition, 3)
NF_LAYOUT_WORD(nf_select_true, 4)
NF_LAYOUT_WORD(nf_select_false, 5)

/* Extended instructions */
NF_LAYOUT_WORD(nf_extended_set, 3)
NF_LAYOUT_WORD(nf_extended_number, 4)
NF_LAYOUT_WORDS(nf_extended_operand, 5)

/* Group instructions */
NF_LAYOUT_WORD(nf_group_scope, 3)
NF_LAYOUT_WORD(nf_group_operation, 4)

/* Returns the function that the call at `at` calls. */
static inline struct nf_function *nf_called_function(const struct nf_module *m, uint32_t at)
{
    return &m->functions[m->index_of[nf_callee(m, at)]];
}
/* Returns the type of a parameter of the function. */
static inline uint32_t nf_type_of_parameter(const struct nf_module *m, const struct nf_function *f, uint32_t index)
{
    return nf_parameter_type(m, m->def[f->type], index);
}
/* Return the numbers of the constituents of a composite constant, the arguments of a call, and the values of a phi. */
static inline uint32_t nf_constituent_count(const struct nf_module *m, uint32_t at)
{
    return nf_length(m, at) - 3;
}
static inline uint32_t nf_argument_count(const struct nf_module *m, uint32_t at)
{
    return nf_length(m, at) - 4;
}
static inline uint32_t nf_phi_count(const struct nf_module *m, uint32_t at)
{
    return (nf_length(m, at) - 3) / 2;
}
/* Return a value of the phi at `at`, and the label of the block from which it comes. */
static inline uint32_t nf_phi_value(const struct nf_module *m, uint32_t at, uint32_t index)
{
    return m->words[at + 3 + 2 * index];
}
static inline uint32_t nf_phi_parent(const struct nf_module *m, uint32_t at, uint32_t index)
{
    return m->words[at + 4 + 2 * index];
}
/* Returns the first 64 bits of the OpConstant at `at`. */
static inline uint64_t nf_constant_bits(const struct nf_module *m, uint32_t at)
{
    uint64_t high = nf_length(m, at) > 4 ? nf_constant_word(m, at, 1) : 0;
    return nf_constant_word(m, at, 0) | high << 32;
}

/* Returns the instruction that defines `id` if it has this opcode, or 0. */
static inline uint32_t nf_match(const struct nf_module *m, uint32_t id, uint32_t opcode)
{
    uint32_t at = id < m->bound ? m->def[id] : 0;
    return at && nf_opcode(m, at) == opcode ? at : 0;
}
/* Returns the instruction that defines operand `index` of the value at `at` if it has this opcode, or 0; also if `at`
 * is 0, so that calls of both functions match a tree:
 *     nf_match_operand(m, nf_match(m, id, OpConvertPtrToU), 0, OpConstantNull) */
static inline uint32_t nf_match_operand(const struct nf_module *m, uint32_t at, uint32_t index, uint32_t opcode)
{
    return at ? nf_match(m, nf_value_operand(m, at, index), opcode) : 0;
}
/* Returns true if the instruction is the constant expression `OpSpecConstantOp opcode`. */
static inline bool nf_is_spec_op(const struct nf_module *m, uint32_t at, uint32_t opcode)
{
    return nf_opcode(m, at) == OpSpecConstantOp && nf_spec_opcode(m, at) == opcode;
}
/* Returns the operand of the instruction if it is a conversion with this opcode, or such a constant expression; else
 * 0. */
static inline uint32_t nf_match_conversion(const struct nf_module *m, uint32_t at, uint32_t opcode)
{
    if (nf_opcode(m, at) == opcode) return nf_value_operand(m, at, 0);
    return nf_is_spec_op(m, at, opcode) && nf_length(m, at) == 5 ? nf_spec_operand(m, at, 0) : 0;
}
/* Returns true if the instruction is an OpVariable in this storage class. */
static inline bool nf_is_variable_in(const struct nf_module *m, uint32_t at, uint32_t storage_class)
{
    return nf_opcode(m, at) == OpVariable && nf_variable_storage_class(m, at) == storage_class;
}
/* Returns true if the instruction is an OpDecorate with this decoration. */
static inline bool nf_decorates(const struct nf_module *m, uint32_t at, uint32_t decoration)
{
    return nf_opcode(m, at) == OpDecorate && nf_decoration_at(m, at) == decoration;
}

#endif
