/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower.c - replaces LLVM intrinsics that the device lacks by calls of library functions.
 *
 * `llvm.fshl.i32` becomes `nonflat_fshl_i32`, and so on; link.c then links the definition, and check.c reports
 * functions without one. Immediate flags of some intrinsics (is_zero_poison of ctlz) are passed unchanged.
 *
 * An intrinsic on vectors becomes a function that calls the scalar intrinsic for each component. The scalar intrinsic
 * is lowered as well, if the device lacks it:
 *
 *     declare <4 x i32> @llvm.bswap.v4i32(<4 x i32>)      define internal spir_func <4 x i32> @nonflat_bswap_v4i32(...)
 *                                                         {... call i32 @llvm.bswap.i32(i32 %...) ...}
 */
#include "spir.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 256 };

static bool library_name(const char *intrinsic, char name[NAME_LIMIT])
{
    int length = snprintf(name, NAME_LIMIT, "nonflat_%s", intrinsic + strlen("llvm."));
    if (length >= NAME_LIMIT) return false;
    for (char *at = name; *at; at++)
        if (*at == '.') *at = '_';
    return true;
}

/* Returns true if the intrinsic applies an operation of scalars to each component of its operands. */
static bool is_element_wise(LLVMValueRef intrinsic)
{
    size_t name_length;
    const char *name = LLVMGetValueName2(intrinsic, &name_length);
    static const char *const of_scalars[] = {"abs",  "bitreverse", "bswap", "ctlz", "ctpop",    "cttz",     "fshl",
                                             "fshr", "smax",       "smin",  "umax", "uadd.sat", "usub.sat", "umin"};
    if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(intrinsic))) != LLVMVectorTypeKind) return false;
    for (size_t i = 0; i < sizeof of_scalars / sizeof *of_scalars; i++) {
        size_t length = strlen(of_scalars[i]);
        if (!strncmp(name + strlen("llvm."), of_scalars[i], length)) return true;
    }
    return false;
}

/* Gives `function` a body that computes each component of the result by the scalar form of the intrinsic. */
static void define_by_components(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef intrinsic)
{
    enum { MOST_PARAMETERS = 3 };
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef vector = LLVMGetReturnType(LLVMGlobalGetValueType(intrinsic)), scalar = LLVMGetElementType(vector);
    LLVMValueRef each = LLVMGetIntrinsicDeclaration(module, LLVMGetIntrinsicID(intrinsic), &scalar, 1);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef result = LLVMGetUndef(vector);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, "entry"));
    for (unsigned i = 0; i < LLVMGetVectorSize(vector); i++) {
        LLVMValueRef index = LLVMConstInt(i32, i, false), operands[MOST_PARAMETERS] = {0};
        unsigned count = LLVMCountParams(function);
        for (unsigned k = 0; k < count && k < MOST_PARAMETERS; k++) {
            LLVMValueRef operand = LLVMGetParam(function, k);
            bool flag = LLVMTypeOf(operand) != vector; /* must be a constant; false promises nothing */
            operands[k] = flag ? LLVMConstInt(LLVMTypeOf(operand), 0, false)
                               : LLVMBuildExtractElement(builder, operand, index, "");
        }
        LLVMValueRef component = LLVMBuildCall2(builder, LLVMGlobalGetValueType(each), each, operands, count, "");
        result = LLVMBuildInsertElement(builder, result, component, index, "");
    }
    LLVMBuildRet(builder, result);
    LLVMDisposeBuilder(builder);
    LLVMSetLinkage(function, LLVMInternalLinkage);
}

static void lower(LLVMModuleRef module, LLVMValueRef intrinsic, const char *name)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(intrinsic);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function) {
        function = LLVMAddFunction(module, name, type);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
        if (is_element_wise(intrinsic)) define_by_components(module, function, intrinsic);
    }
    LLVMReplaceAllUsesWith(intrinsic, function);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (LLVMIsACallInst(LLVMGetUser(use))) LLVMSetInstructionCallConv(LLVMGetUser(use), LLVMSPIRFUNCCallConv);
}

void nf_lower_intrinsics(LLVMModuleRef module, const struct nf_device *device)
{
    char name[NAME_LIMIT];
    LLVMValueRef next;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = next) {
        size_t length;
        const char *intrinsic = LLVMGetValueName2(function, &length);
        bool lacking = strncmp(intrinsic, "llvm.", 5) == 0 && !nf_device_has(device, intrinsic);
        if (lacking && LLVMGetFirstUse(function) && library_name(intrinsic, name)) lower(module, function, name);
        next = LLVMGetNextFunction(function); /* may be the scalar form, which lower() declares */
        if (lacking && !LLVMGetFirstUse(function)) LLVMDeleteFunction(function);
    }
}
