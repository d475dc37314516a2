/* SPDX-License-Identifier: Apache-2.0 */
/*
 * legalize.c - removes integers of 128 bits. In OpenCL C `long long` has 128 bits, so `1ull << 40` is computed in 128
 * bits and then truncated to `ulong`; SPIR-V for OpenCL has no such type.
 *
 * First, functions that take or return such integers are inlined, and most other such integers are folded or narrowed.
 * wide.cpp replaces the rest by pairs of 64-bit integers.
 *
 * needs: a module as clang emitted it. gives: a module with variables promoted to registers and constants folded, or
 * false after nf_helper_error(). The stage is applied only to modules that cannot be written otherwise, because the
 * translator may not support optimized code.
 */
#include "cl.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>
#include <string.h>

/* Returns true for `long long`, and for `long double`, of which only constants can be folded. */
static bool is_illegal(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFP128TypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64);
}

/* Returns true if a value of the type contains a `long long` or `long double`. */
static bool contains_illegal(LLVMTypeRef type)
{
    bool illegal = is_illegal(type);
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return contains_illegal(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            illegal = illegal || contains_illegal(LLVMStructGetTypeAtIndex(type, i));
        return illegal;
    default: return illegal;
    }
}

/* Returns true if a value of the type contains a `long long` or `long double`, or is a typed pointer to one. */
static bool involves_illegal(LLVMTypeRef type)
{
#if NF_LLVM_MAJOR < 17
    while (LLVMGetTypeKind(type) == LLVMPointerTypeKind && !LLVMPointerTypeIsOpaque(type))
        type = LLVMGetElementType(type);
#endif
    return contains_illegal(type);
}

static bool is_illegal_instruction(LLVMValueRef instruction)
{
    if (involves_illegal(LLVMTypeOf(instruction))) return true;
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++)
        if (involves_illegal(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i)))) return true;
    return LLVMIsAAllocaInst(instruction) && contains_illegal(LLVMGetAllocatedType(instruction));
}

static bool is_illegal_function(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_illegal_instruction(i)) return true;
    return false;
}

bool nf_has_odd_integers(LLVMModuleRef module)
{
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        if (contains_illegal(LLVMGlobalGetValueType(v))) return true;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
        if (is_illegal_function(function)) return true;
    return false;
}

static bool run_passes(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    if (error) LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(options);
    return !error;
}

/* Folds constants and narrows computations. @return false if the passes fail. */
static bool fold(LLVMModuleRef module)
{
    static const char native[] = "-n8:16:32:64"; /* widths to which instcombine narrows computations */
    const char *layout = LLVMGetDataLayoutStr(module);
    size_t length = strlen(layout);
    char *before = malloc(length + 1), *wider = malloc(length + sizeof native);
    bool good = before && wider;
    if (good) {
        memcpy(before, layout, length + 1);
        memcpy(wider, layout, length);
        memcpy(wider + length, native, sizeof native);
        LLVMSetDataLayout(module, wider);
        good = run_passes(module, "function(sroa,early-cse,sccp,instcombine)");
        LLVMSetDataLayout(module, before);
    }
    free(before);
    free(wider);
    return good;
}

bool nf_legalize(LLVMModuleRef module)
{
    nf_inline_wide(module);
    if (!run_passes(module, "always-inline,globaldce") || !fold(module)) {
        nf_helper_error("out of memory");
        return false;
    }
    if (!nf_has_odd_integers(module)) return true;
    if (!nf_expand_wide(module)) return false;
    if (!run_passes(module, "function(early-cse,dce)")) return nf_helper_error("out of memory"), false;
    if (!nf_has_odd_integers(module)) return true;
    nf_helper_error("the source computes with numbers of 128 bits, which `long double` and `long long` have");
    return false;
}
