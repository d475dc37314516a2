/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - queries of a module and its values that several stages share, and the call of LLVM passes.
 */
#include "spir.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

bool nf_is_kernel(LLVMValueRef function)
{
    return LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv;
}

bool nf_is_local(LLVMValueRef variable)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == NF_SPACE_LOCAL;
}

bool nf_run_passes(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error) return true;
    char *message = LLVMGetErrorMessage(error);
    nf_helper_error("internal error: pass %s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

bool nf_contains(LLVMValueRef value, LLVMValueRef variable)
{
    if (value == variable) return true;
    if (!LLVMIsAConstant(value) || LLVMIsAGlobalValue(value)) return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (nf_contains(LLVMGetOperand(value, (unsigned)i), variable)) return true;
    return false;
}
