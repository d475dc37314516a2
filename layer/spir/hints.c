/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.c - drops what only helps an optimiser: it must not be the reason why a device refuses a kernel.
 *
 * An interpreter such as Oclgrind ends on `llvm.assume`, which every shipped compiler writes. A hint that hands a value
 * through (`llvm.expect`, annotations) becomes that value.
 */
#include "spir.h"

#include <string.h>

/* Calls that go away; those that have a result give their first argument instead. */
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
