/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.c - removes intrinsics that only guide an optimizer, so that a device does not refuse a kernel because of them.
 *
 * An interpreter such as Oclgrind ends the process on `llvm.assume`, which every shipped compiler emits. A hint that
 * returns its operand (`llvm.expect`, annotations) is replaced by that operand.
 */
#include "spir.h"

#include <string.h>

/* Intrinsics to remove; a call with a result is replaced by its first argument. */
static const char *const hints[] = {
    "llvm.assume",
    "llvm.expect.",
    "llvm.annotation.",
    "llvm.ptr.annotation.",
    "llvm.var.annotation",
    "llvm.sideeffect",
    "llvm.invariant.start.",
    "llvm.invariant.end.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.ssa.copy.",
    "llvm.donothing",
    "llvm.launder.invariant.group.",
    "llvm.strip.invariant.group.",
};

static bool is_hint(const char *name)
{
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strncmp(name, hints[i], strlen(hints[i])) == 0) return true;
    return false;
}

static void drop_call(LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetFirstUse(call)) {
        bool same = LLVMGetNumArgOperands(call) > 0 && LLVMTypeOf(LLVMGetOperand(call, 0)) == type;
        LLVMReplaceAllUsesWith(call, same ? LLVMGetOperand(call, 0) : LLVMGetUndef(type));
    }
    LLVMInstructionEraseFromParent(call);
}

static void drop_calls(LLVMValueRef function)
{
    LLVMUseRef use = LLVMGetFirstUse(function);
    while (use) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user)) return;
        drop_call(user);
        use = LLVMGetFirstUse(function);
    }
    LLVMDeleteFunction(function);
}

void nf_drop_hints(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = next) {
        size_t length;
        next = LLVMGetNextFunction(function);
        if (LLVMIsDeclaration(function) && is_hint(LLVMGetValueName2(function, &length))) drop_calls(function);
    }
}
