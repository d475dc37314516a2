/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replace.c - replaces a module variable by another value in one function.
 *
 *     store (getelementptr @tile, 1)          %a = getelementptr %replacement, 1
 *                                             store %a
 *
 * Constants that contain the variable's address are expanded to instructions, because all functions share a constant.
 * The hard case is a phi: its operand must be computed at the end of the predecessor, and only once if a switch has
 * several edges to the phi's block.
 */
#include "spir.h"

typedef bool (*operand_visitor)(LLVMValueRef instruction, unsigned index, void *data);

/* Calls `visit` for each operand of `function` that contains `variable`, until a call returns false. @return false in
 * that case. */
static bool visit_operands(LLVMValueRef function, LLVMValueRef variable, operand_visitor visit, void *data)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            for (int n = 0; n < LLVMGetNumOperands(i); n++)
                if (nf_contains(LLVMGetOperand(i, (unsigned)n), variable) && !visit(i, (unsigned)n, data)) return false;
    return true;
}

static bool stop(LLVMValueRef instruction, unsigned index, void *data)
{
    (void)instruction, (void)index, (void)data;
    return false;
}

/* Returns the instruction before which an operand can be computed: for a phi, the terminator of the predecessor. */
static LLVMValueRef place_for(LLVMValueRef instruction, unsigned index)
{
    if (!LLVMIsAPHINode(instruction)) return instruction;
    return LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, index));
}

/* Returns the operand that a phi already has for the same predecessor, to which a switch may have several edges, or
 * NULL. */
static LLVMValueRef earlier_operand(LLVMValueRef instruction, unsigned index)
{
    if (!LLVMIsAPHINode(instruction)) return NULL;
    for (unsigned i = 0; i < index; i++)
        if (LLVMGetIncomingBlock(instruction, i) == LLVMGetIncomingBlock(instruction, index))
            return LLVMGetIncomingValue(instruction, i);
    return NULL;
}

static bool replace_operand(LLVMValueRef instruction, unsigned index, void *data)
{
    LLVMValueRef *pair = data;
    LLVMValueRef replacement = earlier_operand(instruction, index);
    if (!replacement)
        replacement =
            nf_expand_constant(LLVMGetOperand(instruction, index), pair[0], pair[1], place_for(instruction, index));
    LLVMSetOperand(instruction, index, replacement);
    return true;
}

bool nf_uses(LLVMValueRef function, LLVMValueRef variable)
{
    return !visit_operands(function, variable, stop, NULL);
}

void nf_replace_in(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef by)
{
    LLVMValueRef pair[] = {variable, by};
    visit_operands(function, variable, replace_operand, pair);
}
