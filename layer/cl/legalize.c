/* SPDX-License-Identifier: Apache-2.0 */
/*
 * legalize.c - removes integers of 128 bits. In OpenCL C `long long` has 128 bits, so `1ull << 40` is computed in 128
 * bits and then truncated to `ulong`; SPIR-V for OpenCL has no such type.
 *
 * needs: a module as clang emitted it. gives: a module with variables promoted to registers and constants folded. It is
 * applied only to modules that cannot be written otherwise, because the translator may not support optimized code.
 */
#include "cl.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>
#include <string.h>

static bool is_odd(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64;
}

static bool instruction_is_odd(LLVMValueRef instruction)
{
    if (is_odd(LLVMTypeOf(instruction))) return true;
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++)
        if (is_odd(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i)))) return true;
    return LLVMIsAAllocaInst(instruction) && is_odd(LLVMGetAllocatedType(instruction));
}

static bool function_is_odd(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (instruction_is_odd(i)) return true;
    return false;
}

bool nf_has_odd_integers(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
        if (function_is_odd(function)) return true;
    return false;
}

bool nf_legalize(LLVMModuleRef module)
{
    static const char native[] = "-n8:16:32:64"; /* widths to which instcombine narrows computations */
    const char *layout = LLVMGetDataLayoutStr(module);
    size_t length = strlen(layout);
    char *before = malloc(length + 1), *wider = malloc(length + sizeof native);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = NULL;
    bool good = before && wider;
    if (good) {
        memcpy(before, layout, length + 1);
        memcpy(wider, layout, length);
        memcpy(wider + length, native, sizeof native);
        LLVMSetDataLayout(module, wider);
        error = LLVMRunPasses(module, "function(sroa,early-cse,sccp,instcombine)", NULL, options);
        LLVMSetDataLayout(module, before);
    }
    if (error) LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(options);
    free(before);
    free(wider);
    return good && !error;
}
