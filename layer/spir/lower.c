/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower.c - replaces LLVM intrinsics that the device lacks by calls of library functions.
 *
 * `llvm.fshl.i32` becomes `nonflat_fshl_i32`, and so on; link.c then links the definition, and check.c reports
 * functions without one. Immediate flags of some intrinsics (is_zero_poison of ctlz) are passed unchanged.
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

static void lower(LLVMModuleRef module, LLVMValueRef intrinsic, const char *name)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(intrinsic);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function) {
        function = LLVMAddFunction(module, name, type);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    }
    LLVMReplaceAllUsesWith(intrinsic, function);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (LLVMIsACallInst(LLVMGetUser(use))) LLVMSetInstructionCallConv(LLVMGetUser(use), LLVMSPIRFUNCCallConv);
    LLVMDeleteFunction(intrinsic);
}

void nf_lower_intrinsics(LLVMModuleRef module, const struct nf_device *device)
{
    char name[NAME_LIMIT];
    LLVMValueRef next;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = next) {
        size_t length;
        next = LLVMGetNextFunction(function);
        const char *intrinsic = LLVMGetValueName2(function, &length);
        if (strncmp(intrinsic, "llvm.", 5) != 0 || nf_device_has(device, intrinsic)) continue;
        if (!LLVMGetFirstUse(function))
            LLVMDeleteFunction(function);
        else if (library_name(intrinsic, name))
            lower(module, function, name);
    }
}
