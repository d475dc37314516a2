/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - a visitor of all calls of a function in an LLVM module, with a builder for their replacements.
 */
#include "layer/helper/helper.h"

#include <llvm-c/Core.h>

void nf_helper_each_call(LLVMValueRef function, nf_helper_call_fn *replace, const void *data)
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
