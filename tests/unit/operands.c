/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operands.c - checks that the iteration over ids yields exactly the operands that the iteration over all operands
 * reports as ids, that the names of operand words agree with the table of instructions, and the matching of small trees
 * of instructions.
 *
 * Every instruction of the table is filled with random words, in every possible length: if the full iteration finds
 * that they conform to the grammar, both must agree. Most such words conform to no grammar; the test checks that enough
 * do, of every row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "module/module.h"

/* The longest instructions have more ids than the table can count. */
enum { LONG = 24, LONGEST = 700, ROUNDS = 400 };

static uint32_t next_random(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* Returns a word that is often meaningful: a mask of memory operands, the number of an extended instruction, the end of
 * a string. */
static uint32_t random_word(void)
{
    switch (next_random() % 4) {
    case 0: return next_random() % 8 | (next_random() % 4) << 16;
    case 1: return next_random() % 256;
    case 2: return OpTypePointer + next_random() % 160;
    default: return next_random() | 0x01010101;
    }
}

/* @return true if the words conform to the grammar; then both iterations have found the same ids. */
static int compare_walks(const uint32_t *words, uint32_t count, enum nf_ext_set set, unsigned selector_words)
{
    uint32_t expected[LONGEST], found = 0, seen = 0;
    struct nf_operands walk = nf_operands_begin(words, count, set, selector_words);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) expected[found++] = walk.at;
    if (walk.broken) return 0;
    struct nf_ids ids = nf_ids_begin(words, set, selector_words);
    while (nf_ids_next(&ids)) {
        assert_true(seen < found);
        assert_int_equal(ids.at, expected[seen++]);
    }
    assert_int_equal(seen, found);
    return 1;
}

static void both_walks_agree(void **state)
{
    (void)state;
    uint32_t opcodes = 0;
    for (uint32_t opcode = 0; opcode < NF_OPCODES_KNOWN; opcode++) {
        const struct nf_op *op = nf_op_find(opcode);
        uint32_t words[LONGEST], fitting = 0;
        if (nf_is_unknown(op)) continue;
        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint32_t count = op->words + next_random() % ((i % 50 ? LONG : LONGEST) - op->words);
            words[0] = nf_first_word(opcode, count);
            for (uint32_t k = 1; k < count; k++)
                words[k] = random_word();
            fitting += (uint32_t)compare_walks(words, count, (enum nf_ext_set)(i % 4), 1 + i / 4 % 2);
        }
        assert_true(fitting);
        opcodes++;
    }
    assert_true(opcodes > 700);
}

/* Writes an instruction in which each word has its own offset as value. */
static void write_instruction(uint32_t *words, uint32_t opcode)
{
    enum { LENGTH = 12 };
    words[0] = nf_first_word(opcode, LENGTH);
    for (uint32_t i = 1; i < LENGTH; i++)
        words[i] = i;
}

static void names_agree_with_the_table(void **state)
{
    enum { GROUP_I_ADD = 264 };
    static const struct {
        uint32_t (*read)(const struct nf_module *m, uint32_t at);
        uint16_t opcode, operand;
    } names[] = {
        {nf_capability_at, OpCapability, 0},
        {nf_addressing_model, OpMemoryModel, 0},
        {nf_execution_model, OpEntryPoint, 0},
        {nf_entry_point_function, OpEntryPoint, 1},
        {nf_mode_entry_point, OpExecutionMode, 0},
        {nf_execution_mode, OpExecutionModeId, 1},
        {nf_annotated_id, OpName, 0},
        {nf_annotated_id, OpDecorate, 0},
        {nf_decoration_at, OpDecorateString, 1},
        {nf_line_file, OpLine, 0},
        {nf_line_number, OpLine, 1},
        {nf_scalar_width, OpTypeFloat, 0},
        {nf_signedness, OpTypeInt, 1},
        {nf_element_type, OpTypeArray, 0},
        {nf_component_count, OpTypeVector, 1},
        {nf_array_length, OpTypeArray, 1},
        {nf_pointer_storage_class, OpTypePointer, 0},
        {nf_pointee_type, OpTypePointer, 1},
        {nf_return_type, OpTypeFunction, 0},
        {nf_spec_opcode, OpSpecConstantOp, 0},
        {nf_variable_storage_class, OpVariable, 0},
        {nf_variable_initializer, OpVariable, 1},
        {nf_untyped_variable_type, OpUntypedVariableKHR, 1},
        {nf_untyped_variable_initializer, OpUntypedVariableKHR, 2},
        {nf_function_control, OpFunction, 0},
        {nf_function_type, OpFunction, 1},
        {nf_function_pointed_to, OpConstantFunctionPointerINTEL, 0},
        {nf_callee, OpFunctionCall, 0},
        {nf_returned_value, OpReturnValue, 0},
        {nf_load_pointer, OpLoad, 0},
        {nf_store_pointer, OpStore, 0},
        {nf_store_object, OpStore, 1},
        {nf_copy_target, OpCopyMemory, 0},
        {nf_copy_source, OpCopyMemorySized, 1},
        {nf_base_pointer, OpAccessChain, 0},
        {nf_branch_condition, OpBranchConditional, 0},
        {nf_switch_selector, OpSwitch, 0},
        {nf_merge_block, OpLoopMerge, 0},
        {nf_continue_target, OpLoopMerge, 1},
        {nf_loop_control, OpLoopMerge, 2},
        {nf_select_condition, OpSelect, 0},
        {nf_select_true, OpSelect, 1},
        {nf_select_false, OpSelect, 2},
        {nf_extended_set, OpExtInst, 0},
        {nf_extended_number, OpExtInst, 1},
        {nf_group_scope, GROUP_I_ADD, 0},
        {nf_group_operation, GROUP_I_ADD, 1},
    };
    static const struct {
        uint32_t (*read)(const struct nf_module *m, uint32_t at, uint32_t index);
        uint16_t opcode, first;
    } lists[] = {
        {nf_value_operand, OpIAdd, 0},
        {nf_effect_operand, OpControlBarrier, 0},
        {nf_mode_operand, OpExecutionMode, 2},
        {nf_decoration_operand, OpDecorate, 2},
        {nf_type_operand, OpTypeImage, 0},
        {nf_member_type, OpTypeStruct, 0},
        {nf_parameter_type, OpTypeFunction, 1},
        {nf_constant_word, OpConstant, 0},
        {nf_constituent, OpConstantComposite, 0},
        {nf_spec_operand, OpSpecConstantOp, 1},
        {nf_argument, OpFunctionCall, 1},
        {nf_chain_index, OpPtrAccessChain, 1},
        {nf_extended_operand, OpExtInst, 2},
    };
    uint32_t words[12];
    const struct nf_module m = {.words = words};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_instruction(words, names[i].opcode);
        assert_int_equal(names[i].read(&m, 0), nf_operand(&m, 0, names[i].operand));
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        write_instruction(words, lists[i].opcode);
        assert_int_equal(lists[i].read(&m, 0, 1), nf_operand(&m, 0, lists[i].first + 1u));
    }
    write_instruction(words, OpIAdd);
    assert_int_equal(nf_value_type(&m, 0), nf_result_type(&m, 0));
    assert_int_equal(nf_value_id(&m, 0), nf_result_id(&m, 0));
    write_instruction(words, OpTypeInt);
    assert_int_equal(nf_declared_id(&m, 0), nf_result_id(&m, 0));
}

static void trees_match(void **state)
{
    enum { TYPE = 9, NULL_POINTER = 1, ADDRESS, SUM, EXPRESSION, PHI, BOUND };
    enum { AT_NULL = 1, AT_ADDRESS = 4, AT_SUM = 8, AT_EXPRESSION = 13, AT_PHI = 18 };
    uint32_t words[] = {
        0,
        nf_first_word(OpConstantNull, 3),
        TYPE,
        NULL_POINTER,
        nf_first_word(OpConvertPtrToU, 4),
        TYPE,
        ADDRESS,
        NULL_POINTER,
        nf_first_word(OpIAdd, 5),
        TYPE,
        SUM,
        ADDRESS,
        NULL_POINTER,
        nf_first_word(OpSpecConstantOp, 5),
        TYPE,
        EXPRESSION,
        OpConvertPtrToU,
        NULL_POINTER,
        nf_first_word(OpPhi, 7),
        TYPE,
        PHI,
        SUM,
        20,
        ADDRESS,
        21,
    };
    uint32_t def[BOUND] = {0, AT_NULL, AT_ADDRESS, AT_SUM, AT_EXPRESSION, AT_PHI};
    const struct nf_module m = {.words = words, .def = def, .bound = BOUND};
    (void)state;
    assert_int_equal(nf_match(&m, SUM, OpIAdd), AT_SUM);
    assert_int_equal(nf_match(&m, SUM, OpISub), 0);
    assert_int_equal(nf_match(&m, BOUND, OpIAdd), 0);
    uint32_t address = nf_match_operand(&m, nf_match(&m, SUM, OpIAdd), 0, OpConvertPtrToU);
    assert_int_equal(address, AT_ADDRESS);
    assert_int_equal(nf_match_operand(&m, address, 0, OpConstantNull), AT_NULL);
    assert_int_equal(nf_match_operand(&m, AT_SUM, 1, OpConvertPtrToU), 0);
    assert_int_equal(nf_match_operand(&m, 0, 0, OpConstantNull), 0);
    assert_int_equal(nf_match_conversion(&m, AT_ADDRESS, OpConvertPtrToU), NULL_POINTER);
    assert_int_equal(nf_match_conversion(&m, AT_EXPRESSION, OpConvertPtrToU), NULL_POINTER);
    assert_int_equal(nf_match_conversion(&m, AT_EXPRESSION, OpConvertUToPtr), 0);
    assert_int_equal(nf_match_conversion(&m, AT_SUM, OpConvertPtrToU), 0);
    assert_int_equal(nf_phi_count(&m, AT_PHI), 2);
    assert_int_equal(nf_phi_value(&m, AT_PHI, 1), ADDRESS);
    assert_int_equal(nf_phi_parent(&m, AT_PHI, 1), 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_walks_agree), cmocka_unit_test(names_agree_with_the_table),
                                       cmocka_unit_test(trees_match)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
