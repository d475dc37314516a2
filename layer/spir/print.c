/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.c - passes arguments to printf as the device's own compiler does, if printf is a C function: a vector of up to
 * 32 bits is an integer there, and a vector of three elements has four. LLVM would pass vectors in other registers.
 *
 *     call i32 @printf(..., <4 x i8> %small)  ->  call i32 @printf(..., i32 %number)
 */
#include "spir.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_BITS = 32, MOST_BITS = 64, PRINTED = 64 };

static unsigned bits_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind: return 16;
    default: return MOST_BITS + 1;
    }
}

/* Returns the three-element vector with an unused fourth element. */
static LLVMValueRef lengthen(LLVMBuilderRef builder, LLVMValueRef vector)
{
    LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(vector)));
    LLVMValueRef indices[4];
    for (unsigned i = 0; i < 4; i++)
        indices[i] = LLVMConstInt(number, i, 0);
    return LLVMBuildShuffleVector(builder, vector, LLVMConstNull(LLVMTypeOf(vector)), LLVMConstVector(indices, 4), "");
}

static LLVMValueRef as_in_c(LLVMBuilderRef builder, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMContextRef context = LLVMGetTypeContext(type);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return value;
    unsigned count = LLVMGetVectorSize(type), bits = (count == 3 ? 4 : count) * bits_of(LLVMGetElementType(type));
    if (bits > MOST_BITS) return value;
    if (count == 3) value = lengthen(builder, value);
    if (bits > NUMBER_BITS) return value;
    value = LLVMBuildBitCast(builder, value, LLVMIntTypeInContext(context, bits), "");
    return LLVMBuildZExt(builder, value, LLVMIntTypeInContext(context, NUMBER_BITS), "");
}

/* Replaces a call of which an argument is a vector that C passes in another form; a call with more than PRINTED
 * arguments stays. `data` points to the called function. */
static void replace_call(LLVMBuilderRef builder, LLVMValueRef call, const void *data)
{
    LLVMValueRef function = *(const LLVMValueRef *)data;
    LLVMValueRef arguments[PRINTED];
    unsigned count = LLVMGetNumArgOperands(call);
    bool other = false;
    if (count > PRINTED) return;
    LLVMPositionBuilderBefore(builder, call);
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = as_in_c(builder, LLVMGetOperand(call, i));
        other = other || arguments[i] != LLVMGetOperand(call, i);
    }
    if (!other) return;
    LLVMValueRef replacement =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
    LLVMSetInstructionCallConv(replacement, LLVMGetInstructionCallConv(call));
    LLVMReplaceAllUsesWith(call, replacement);
    LLVMInstructionEraseFromParent(call);
}

void nf_convert_printf_vectors(LLVMModuleRef module, const struct nf_device *device)
{
    LLVMValueRef function = nf_device_has_c_printf(device) ? LLVMGetNamedFunction(module, "printf") : NULL;
    if (function) nf_helper_each_call(function, replace_call, &function);
}
