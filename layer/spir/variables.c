/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variables.c - lets the variables of a function be there from its beginning to its end.
 *
 * They go to the beginning of the first block. Elsewhere LLVM takes them for memory that comes and goes, and saves the
 * stack around what it inlines, which devices do not have; behind a call they stand in another block as soon as the
 * call is inlined. Where no other memory is left, nothing needs the stack to be saved:
 *
 *     entry:                                      entry:
 *       %0 = call i8* @llvm.stacksave()       ->    %slot = alloca i32
 *       br label %more                              br label %more
 *     more:                                       more:
 *       %slot = alloca i32                          ...
 *       ...
 *       call void @llvm.stackrestore(i8* %0)
 */
#include "spir.h"

/* Is it a variable, and not memory whose size is computed? */
static bool is_fixed(LLVMValueRef instruction)
{
    return LLVMIsAAllocaInst(instruction) && LLVMIsConstant(LLVMGetOperand(instruction, 0));
}

static void raise_variables(LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry), next;
    while (first && is_fixed(first))
        first = LLVMGetNextInstruction(first);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (LLVMBasicBlockRef block = entry; block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = block == entry ? first : LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_fixed(i)) continue;
            LLVMInstructionRemoveFromParent(i);
            LLVMPositionBuilderBefore(builder, first);
            LLVMInsertIntoBuilder(builder, i);
        }
    }
    LLVMDisposeBuilder(builder);
}

static bool all_are_raised(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && !is_fixed(i)) return false;
    return true;
}

/* Drop the calls of `intrinsic` whose result nobody uses, in functions that take no memory as they go. */
static void drop_calls(LLVMModuleRef module, const char *intrinsic)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, intrinsic);
    LLVMUseRef next;
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || LLVMGetFirstUse(call)) continue;
        if (all_are_raised(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))))
            LLVMInstructionEraseFromParent(call);
    }
    if (function && !LLVMGetFirstUse(function)) LLVMDeleteFunction(function);
}

/* Where every variable is there from beginning to end, the stack that is saved is the stack that is there. */
void nf_settle_variables(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) raise_variables(f);
    drop_calls(module, "llvm.stackrestore");
    drop_calls(module, "llvm.stacksave");
}
