/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variables.c - moves the variables of a function to the beginning of its entry block.
 *
 * LLVM treats an alloca elsewhere as dynamic memory, and saves the stack around calls that it inlines, which devices do
 * not support; an alloca after a call is in another block once the call is inlined. If all allocas of a function are
 * static, saves and restores of the stack are unnecessary:
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

/* Returns true for an alloca of constant size. */
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

/* Removes the calls of `intrinsic` without a used result, in functions whose allocas are all of constant size. */
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

/* Moves the variables, then removes restores and saves of the stack: if all allocas are in the entry block, the saved
 * stack is the current one. Restores are removed first, so that the results of the saves are unused. */
void nf_hoist_allocas(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) raise_variables(f);
    drop_calls(module, "llvm.stackrestore");
    drop_calls(module, "llvm.stacksave");
}
