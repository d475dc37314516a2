/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - each call of a function in a module of LLVM's, and a builder for what comes in its place.
 */
#include "layer/alone/alone.h"

#include <llvm-c/Core.h>

void nf_alone_each_call(LLVMValueRef function, nf_alone_call_fn *replace, const void *data)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef call = LLVMGetUser(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function) replace(builder, call, data);
    }
    LLVMDisposeBuilder(builder);
}
